"""Regions that a crawl learned on its way are learned there again when it is simulated."""

from dataclasses import replace

from statecrawl.core.application import Application, Division
from statecrawl.core.session import Crawl
from statecrawl.simulation.run import simulate
from statecrawl.sites.models import build_model
from statecrawl.strategies.adaptive import Adaptive

COMPANY = build_model("company")
BLIND = replace(COMPANY, regions={})


def course(application: Application) -> tuple[object, ...]:
    crawl: Crawl = simulate(application, Adaptive)
    return crawl.events, crawl.resets, crawl.discoveries


def learning(*until: int) -> Application:
    """The company, divided into regions no sooner than after so many events and resets."""
    return replace(COMPANY, earlier=[Division(each, {}) for each in until])


def test_what_is_never_learned_is_never_known() -> None:
    assert course(BLIND) != course(COMPANY)
    assert course(learning(100_000)) == course(BLIND)


def test_until_it_is_learned_a_crawl_does_without() -> None:
    blind, learns = simulate(BLIND, Adaptive), simulate(learning(40), Adaptive)
    early = [sum(spent) <= 40 for spent in blind.discoveries].count(True)
    assert 4 < early < len(COMPANY.states)
    assert learns.discoveries[:early] == blind.discoveries[:early]
    assert learns.discoveries != blind.discoveries
    assert learns.model.transition_count == COMPANY.transition_count
    assert [learns.model.regions[n] for n in (1, early)] == [
        COMPANY.regions[learns.model.states[n]] for n in (1, early)
    ]


def test_what_is_learned_twice_is_as_it_was_last() -> None:
    assert course(learning(20, 40)) != course(learning(20))
    assert simulate(learning(20, 40), Adaptive).events >= COMPANY.transition_count
