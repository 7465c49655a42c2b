"""Writes an application down by visiting every page that its description can reach."""

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from sys import intern
from typing import Generic, NamedTuple, Protocol, TypeVar

from statecrawl.core.application import MAX_TRANSITIONS, Application
from statecrawl.errors import InputError

PageT = TypeVar("PageT", bound=Hashable)


class Control(NamedTuple, Generic[PageT]):
    """Something to click: the kind of place where it stands, its event, the page after it."""

    group: str
    event: str
    target: PageT


class Site(Protocol[PageT]):
    """An application as its visitor sees it.

    A page is any hashable value that says all that can differ from one page to another. Equal
    pages are one state, so whatever a click leads to may only depend on the page.
    """

    @property
    def start(self) -> PageT:
        """The page that a reset shows."""
        ...

    def name(self, page: PageT) -> str:
        """Return the name of the page's state; no two pages share one."""
        ...

    def regions(self, page: PageT) -> dict[str, str]:
        """Return what each part of the page shows; all parts together tell pages apart."""
        ...

    def controls(self, page: PageT) -> Iterable[Control[PageT]]:
        """Return everything on the page that can be clicked, in the order of the page."""
        ...


def explore(site: Site[PageT], reset_cost: float, entries: Sequence[PageT] = ()) -> Application:
    """Return the application that this site is, its states in the order of a breadth-first walk.

    Entries are pages with a URL of their own, besides the start; the walk begins at all of them.
    Equal texts are kept once, so half a million transitions stay small.
    """
    names = {page: site.name(page) for page in (site.start, *entries)}
    states: dict[str, dict[str, str | None]] = {}
    regions: dict[str, dict[str, str]] = {}
    groups: dict[str, str] = {}
    waiting = deque(names)
    transition_count = 0
    while waiting:
        page = waiting.popleft()
        name = names[page]
        if name in states:
            raise ValueError(f"two pages are named {name!r}")
        events: dict[str, str | None] = {}
        for group, text, target in site.controls(page):
            event = intern(text)
            if target not in names:
                names[target] = site.name(target)
                waiting.append(target)
            if event in events:
                raise ValueError(f"page {name!r} has two controls {event!r}")
            events[event] = names[target]
            if groups.setdefault(event, group) != group:
                raise ValueError(f"event {event!r} stands in {group!r} and in {groups[event]!r}")
        states[name] = events
        regions[name] = {part: intern(shown) for part, shown in site.regions(page).items()}
        transition_count += len(events)
        if transition_count > MAX_TRANSITIONS:
            raise InputError(
                f"the model would have more than {MAX_TRANSITIONS:,} transitions: "
                "give smaller parameters"
            )
    return Application(
        initial=names[site.start],
        states=states,
        reset_cost=reset_cost,
        entries=[names[page] for page in entries],
        regions=regions,
        groups=groups,
    )
