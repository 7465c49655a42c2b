"""What coordinators learn from what passes by on its way to others."""

from itertools import pairwise

import pytest

from statecrawl.coordination.book import Book
from statecrawl.coordination.chord import Ring
from statecrawl.coordination.ring_coordinator import RingCoordinator, new_ledger
from statecrawl.coordination.ring_messages import Scheme, StateInfo
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.core.model import BLANK
from statecrawl.core.plan import Step
from statecrawl.core.snapshot import Snapshot
from statecrawl.strategies import STRATEGIES

RING = Ring(["here", "there"])
SETTINGS = RingSettings(("/",), 3, Scheme.SHARED)
THEIRS = [name for name in map(str, range(40)) if RING.owner(name) == "there"]
WAY = (Step("load /", THEIRS[0]), *(Step(f"to {state}", state) for state in THEIRS[1:10]))


def coordinator() -> RingCoordinator:
    return RingCoordinator("here", RING, SETTINGS, new_ledger(SETTINGS, STRATEGIES["greedy"]))


def pass_by(here: RingCoordinator, way: tuple[Step, ...]) -> None:
    """Let a state of the other coordinator pass by; the last step of the way led there."""
    *path, (event, state) = way
    source = path[-1].expected if path else ""
    assert source is not None
    assert state is not None
    info = StateInfo(state, "crawler", 1, Snapshot(state, ()), source, event, tuple(path))
    ((to, message),) = here.on("crawler", info, 0)
    assert (to, message) == ("there", info)


def way_there(here: RingCoordinator, states: list[str]) -> list[Step]:
    """Return the steps from a blank tab over states, as far as they are known."""
    model = here.ledger.book.model
    numbers = [BLANK, *map(here.ledger.book.number, states)]
    return [model.edge(*pair).step for pair in pairwise(numbers)]


def test_the_whole_way_of_what_passes_by_is_known_then() -> None:
    here = coordinator()
    pass_by(here, WAY)
    assert way_there(here, THEIRS[:10]) == list(WAY)


def test_of_a_way_that_passes_by_only_what_follows_the_last_known_state_is_learned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learned: list[str] = []
    learn = Book.learn

    def heard(book: Book, source: int, event: str, target: int, *, is_new: bool = False) -> None:
        learned.append(event)
        learn(book, source, event, target, is_new=is_new)

    here = coordinator()
    pass_by(here, WAY[:6])
    monkeypatch.setattr(Book, "learn", heard)
    pass_by(here, WAY)
    assert learned == [event for event, _ in WAY[5:]]
    assert way_there(here, THEIRS[:10]) == list(WAY)


def test_a_way_that_leaves_a_known_one_is_learned_from_there_on() -> None:
    here = coordinator()
    pass_by(here, WAY[:6])
    aside = (*WAY[:3], *(Step(f"to {state}", state) for state in THEIRS[12:15]))
    pass_by(here, aside)
    assert way_there(here, [*THEIRS[:3], *THEIRS[12:15]]) == list(aside)
