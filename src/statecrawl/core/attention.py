"""Which events come first, which last, and which never: what earlier crawls and people tell.

A crawl that starts from an earlier one puts off, or passes by, the events that changed nothing
then. A crawl that is focused on what people do fires the controls first that they used.
"""

from collections.abc import Callable, Iterable
from enum import IntEnum

from statecrawl.core.crawled import Crawled
from statecrawl.core.login import Click, Fill, Login
from statecrawl.core.snapshot import Event


class Turn(IntEnum):
    """When an event is fired."""

    NOW = 0
    LATER = 1  # when nothing else is left
    NEVER = 2


Attention = Callable[[Event], Turn]


def all_the_same(event: Event) -> Turn:
    """Every event has its turn."""
    del event
    return Turn.NOW


def since(crawled: Crawled, *, skips: bool) -> Attention:
    """Put off, or leave out, the events that left every state as it was in an earlier crawl."""
    led: dict[str, bool] = {}
    for transition in crawled.explored:
        moved = any(target != transition.source for target in transition.targets)
        led[transition.event] = led.get(transition.event, False) or moved
    dull = frozenset(event for event, moved in led.items() if not moved)
    turn = Turn.NEVER if skips else Turn.LATER
    return lambda event: turn if event.identity in dull else Turn.NOW


def focus(sessions: Iterable[Login], *, is_all: bool) -> Attention:
    """Fire first, or only, the controls that people used in recorded sessions, by their names."""
    names = {
        _name(step.control if isinstance(step, Click) else step.field)
        for session in sessions
        for step in session.steps
        if isinstance(step, Click | Fill)
    }
    others = Turn.NEVER if is_all else Turn.LATER
    return lambda event: Turn.NOW if _name(event.label) in names else others


def both(one: Attention, other: Attention) -> Attention:
    """Whoever puts an event off longer is heard."""
    return lambda event: max(one(event), other(event))


def _name(label: str) -> str:
    return " ".join(label.split()).casefold()
