"""The states around one are looked at no farther, and no more often, than somebody needs."""

import pytest

from statecrawl.core.limits import Limits
from statecrawl.core.model import BLANK
from statecrawl.simulation.run import simulate
from statecrawl.sites.models import build_model
from statecrawl.strategies.effects import Effects
from statecrawl.strategies.foresight import Foresight
from statecrawl.strategies.surroundings import Surroundings

NEIGHBOURS = {BLANK: {1}, 1: {2, 3}, 2: {4}, 3: {4, 1}, 4: set()}


def around(state: int) -> Surroundings:
    return Surroundings(state, lambda state: set(NEIGHBOURS[state]), reset_steps=1)


def test_each_step_goes_to_states_that_were_not_seen() -> None:
    near = around(1)
    assert near.widen()
    assert near.widen()
    assert not near.widen()
    assert near.layers == [{1}, {2, 3}, {4}]


def test_a_reset_is_as_far_away_as_it_is_dear() -> None:
    near = around(4)
    near.reset([{3}])
    assert near.widen()
    near.reset([{3}])
    assert near.widen()
    assert near.layers == [{4}, {BLANK}, {1}]


def test_a_reset_is_not_thought_of_when_all_that_is_wanted_was_seen() -> None:
    near = around(3)
    assert near.widen()
    near.reset([{3}, {1, 4}])
    assert near.layers == [{3}, {1, 4}]


def test_a_search_does_not_walk_the_whole_model_for_each_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It took 117 looks for each event, most of them to find out that there is nothing."""
    looks = 0
    neighbours = Foresight.neighbours

    def counted(self: Foresight, state: int) -> set[int]:
        nonlocal looks
        looks += 1
        return neighbours(self, state)

    monkeypatch.setattr(Foresight, "neighbours", counted)
    application = build_model("bibliography:publications=60")
    states = len(application.states)
    crawl = simulate(application, Effects, limits=Limits(max_states=states))
    assert looks < 60 * crawl.events
