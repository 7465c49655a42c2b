"""What a browser reports: the events of a page and the page itself. Facts, no decisions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from json import JSONDecoder
from typing import NamedTuple

from statecrawl.core.problems import Problem


class Filling(NamedTuple):
    """What is put into one field before its form is sent.

    The kind is that of an event: `click` (a box or radio button), `change` (of a list), `input`.
    """

    locator: str
    kind: str
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something a user can do in a state.

    The identity is the same for the same control in different states and at each visit; the
    group names the kind of place where it stands (items of one list are one group). Label and
    locator are for people: what stands on the control, and where to find it. The URL is that of
    the document, in scope, which a link leads to; fillings are what a form gets before it is sent.
    """

    identity: str
    group: str | None = None
    kind: str = "click"
    label: str = ""
    locator: str = ""
    url: str = ""
    fillings: tuple[Filling, ...] = ()

    @property
    def value(self) -> str:
        """What is typed, chosen or pressed, or how long a timer waits; "" for other events."""
        rest = self.identity.removeprefix(f"{self.kind} ")
        if self.kind == "timeout":
            return " ".join(rest.split()[:2])
        try:
            value, _ = JSONDecoder().raw_decode(rest) if rest.startswith('"') else ("", 0)
        except ValueError:
            return ""
        return str(value)


class LeftAlone(NamedTuple):
    """A control that is not fired because it looks as if it did harm, and what makes it look so."""

    label: str
    kind: str
    locator: str
    reason: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One settled page: its content, its enabled events, what each of its regions shows.

    `dom` is the canonical DOM (see `core.dom`). `page` names what was seen: equal names, equal
    pages. A browser may leave out the content of a page whose name it gave before. `volatile`
    are places that changed by themselves while nobody did anything, `made_up` attributes that
    a program seems to have made up, with their values; they are not in the DOM. What is
    `left_alone` is not among the events.
    """

    dom: str
    events: tuple[Event, ...]
    url: str = ""
    regions: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    page: str = ""
    volatile: tuple[tuple[str, str], ...] = ()
    made_up: tuple[tuple[str, str, str], ...] = ()
    left_alone: tuple[LeftAlone, ...] = ()


class Change(NamedTuple):
    """One thing that a step did to a page: which element, and how."""

    target: str
    action: str


NEW_DOCUMENT = Change("document", "load")
"""The step led to another document."""


class Call(NamedTuple):
    """One request that a step made: by which function, called by which others, and for what.

    The stack begins with the function that made the request, the hot node.
    """

    method: str
    url: str
    key: str
    stack: tuple[str, ...]
    is_cached: bool


class Effect(NamedTuple):
    """What a step did besides leading to a page."""

    changes: tuple[Change, ...] = ()
    calls: tuple[Call, ...] = ()
    problems: tuple[Problem, ...] = ()
