"""The ring in virtual time."""

import pytest

from statecrawl.compose.choices import load_application
from statecrawl.coordination.ring_messages import ForwardExploration, Scheme
from statecrawl.core.facts import Executed
from statecrawl.simulation.outcome import Outcome
from statecrawl.simulation.ring import simulate_ring
from statecrawl.simulation.run import shuffled
from statecrawl.strategies import STRATEGIES

COMPANY = load_application("company")
TREE = shuffled(load_application("filetree:folders=100,reset_cost=12"), 1)
GREEDY = STRATEGIES["greedy"]


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize("name", STRATEGIES)
def test_any_strategy_finds_the_true_model(name: str, scheme: Scheme) -> None:
    outcome = simulate_ring(COMPANY, STRATEGIES[name], 3, 5, scheme)
    assert outcome.is_complete
    pairs = [(f.source, f.event) for f in outcome.tally.facts if isinstance(f, Executed)]
    assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize("scheme", Scheme)
@pytest.mark.parametrize("name", ["effects", "adaptive"])
def test_a_strategy_that_guesses_wrongly_loses_nothing(name: str, scheme: Scheme) -> None:
    files = shuffled(load_application("files:folders=3"), 1)
    assert simulate_ring(files, STRATEGIES[name], 3, 2, scheme).is_complete


@pytest.fixture(scope="module")
def study() -> dict[tuple[Scheme, int], Outcome]:
    """Crawl with every scheme, on few and on many coordinators."""
    return {
        (scheme, coordinators): simulate_ring(TREE, GREEDY, coordinators, 8, scheme)
        for scheme in Scheme
        for coordinators in (2, 20)
    }


@pytest.mark.parametrize("coordinators", [2, 20])
def test_the_order_of_the_schemes_is_that_of_the_paper(
    study: dict[tuple[Scheme, int], Outcome], coordinators: int
) -> None:
    seconds = {scheme: study[scheme, coordinators].simulated_seconds for scheme in Scheme}
    ranked = [Scheme.RESET_ONLY, Scheme.LOCAL, Scheme.SHARED, Scheme.FORWARD]
    assert sorted(ranked, key=lambda scheme: -seconds[scheme]) == ranked
    assert seconds[Scheme.FORWARD] <= 1.05 * seconds[Scheme.GLOBAL]


def test_more_coordinators_know_less(study: dict[tuple[Scheme, int], Outcome]) -> None:
    for scheme in set(Scheme) - {Scheme.RESET_ONLY}:  # which knows nothing anyway
        few, many = (study[scheme, count].simulated_seconds for count in (2, 20))
        assert few < many, scheme
    gaps = [
        study[Scheme.RESET_ONLY, count].simulated_seconds
        / study[Scheme.LOCAL, count].simulated_seconds
        for count in (2, 20)
    ]
    assert gaps[1] < gaps[0]  # local comes closer to reset-only


def test_more_crawlers_are_faster() -> None:
    alone = simulate_ring(TREE, GREEDY, 1, 1)
    many = simulate_ring(TREE, GREEDY, 3, 30)
    assert many.is_complete
    assert alone.simulated_seconds / many.simulated_seconds > 15


def test_coordinators_that_ask_each_other_do_so_only_in_forward_exploration(
    study: dict[tuple[Scheme, int], Outcome],
) -> None:
    asked = {s: study[s, 20].network.messages[ForwardExploration] for s in Scheme}
    assert asked.pop(Scheme.FORWARD) > 0
    assert not any(asked.values())


def test_a_question_that_was_in_vain_is_not_asked_by_all_crawlers() -> None:
    tree = shuffled(load_application("filetree:folders=40,reset_cost=12"), 1)
    outcome = simulate_ring(tree, GREEDY, 10, 60)
    assert outcome.is_complete
    assert outcome.network.messages[ForwardExploration] < tree.transition_count


def test_the_same_crawl_is_the_same_again() -> None:
    one, other = (simulate_ring(COMPANY, GREEDY, 3, 4).to_json() for _ in range(2))
    assert one == other
