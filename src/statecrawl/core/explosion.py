"""Recognises that states multiply by one part of the page: a counter, a calendar, a long list.

The sign is an event that leads to a new state again and again. When most new states of a page
are found so, the last of them are compared, each with the one before that is closest to it:
where most differ in one place only, that place makes the states.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from statecrawl.core.difference import difference
from statecrawl.core.dom import Element, parse, places, visible_text
from statecrawl.core.masks import Masks, leaves
from statecrawl.core.selector import elements_at, selector
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.values import quoted

WINDOW = 64
"""So many of the last new states of a page are looked at."""
ENOUGH = 30
"""So many new states there must be before anything is said."""
SHARE = 0.6
"""Such a share of them must be explained by one place."""
MAX_CHARACTERS = 8_000_000
"""Pages of more than this, all together, are not compared: that would take seconds."""

_INDEX = re.compile(r"\[\d+\]")
_WHOLE = re.compile(r"[^/]*(/body\[\*\])?")


class Multiplied(NamedTuple):
    """A place that makes states: so many of the last ones differ only there.

    The selector is "" when that is the page itself, which becomes longer and longer.
    """

    selector: str
    text: str
    states: int
    of: int
    has_controls: bool

    @property
    def warning(self) -> str:
        """What to tell the user."""
        found = f"{self.states} of the last {self.of} new states differ only in"
        if not self.selector:
            return f"{found} how long the page is: if that never ends, give --max-states-per-url"
        options = f"--ignore '{self.selector}'"
        if self.has_controls:
            options += f" --skip '{self.selector}'"
        return f"{found} {self.text} ({self.selector}): if that is no content, give {options}"


class Explosion:
    """What is known of how new states came about, by page; told of each as it is found."""

    def __init__(self, said: Iterable[str] = ()) -> None:
        self._said = set(said)
        self._last: dict[str, deque[tuple[str, bool]]] = {}
        self._found: Counter[str] = Counter()
        self._due: dict[str, int] = {}
        self._led: set[tuple[str, str]] = set()

    def found(self, state: str, event: str, page: str) -> bool:
        """Take in a new state; tell whether it is time to look for what multiplies.

        That is so when an event that has led to new states before leads to most of the new
        ones; the next look is when there are three times as many.
        """
        last = self._last.setdefault(page, deque(maxlen=WINDOW))
        last.append((state, (page, event) in self._led))
        self._led.add((page, event))
        self._found[page] += 1
        if self._found[page] < self._due.get(page, ENOUGH):
            return False
        repeated = sum(is_repeated for _, is_repeated in last)
        if repeated < SHARE * len(last):
            return False
        self._due[page] = 3 * self._found[page]
        return True

    def look(
        self, page: str, content: Callable[[str], Snapshot | None], masks: Masks
    ) -> Multiplied | None:
        """Compare the last new states of a page; return the place that makes them, told once."""
        pages = []
        characters = 0
        for state, _ in self._last[page]:
            snapshot = content(state)
            characters += len(snapshot.dom) if snapshot else 0
            if characters > MAX_CHARACTERS:
                return None
            if snapshot is not None:
                pages.append(_Page(snapshot, masks.apply(parse(snapshot.dom))))
        found = _multiplied(pages)
        if found is None or found.selector in self._said:
            return None
        self._said.add(found.selector)
        return found


class _Page:
    """A page to compare with others."""

    def __init__(self, snapshot: Snapshot, root: Element) -> None:
        self.root = root
        self.events = {event.identity for event in snapshot.events}
        self.values = {hash((*place, value)) for place, value in leaves(root).items()}
        self.values |= {hash(path) for path, _ in places(root)}


class _Variation(NamedTuple):
    """A page that differs from another in one place."""

    page: _Page
    place: str
    is_row: bool
    has_controls: bool

    @property
    def places(self) -> list[str]:
        """The place and those around it, without numbers.

        The whole page is only among them where rows were put right into it.
        """
        steps = _INDEX.sub("[*]", self.place).split("/")
        around = ["/".join(steps[:length]) for length in range(1, len(steps) + 1)]
        is_page = self.is_row and _WHOLE.fullmatch(around[-1])
        return [each for each in around if is_page or not _WHOLE.fullmatch(each)]


def _multiplied(pages: list[_Page]) -> Multiplied | None:
    """Return the innermost place that explains enough of the pages."""
    if len(pages) < ENOUGH:
        return None
    variations = []
    for number, page in enumerate(pages[1:], start=1):
        closest = min(pages[:number], key=lambda other: len(page.values ^ other.values))
        found = difference(closest.root, page.root)
        parts = (*found.gone, *found.come)
        is_row = bool(parts) and not found.changed and all(part.is_row for part in parts)
        has_controls = closest.events != page.events
        variations.append(_Variation(page, found.place, is_row, has_controls))
    explained = Counter(place for each in variations for place in each.places)
    enough = [place for place, times in explained.items() if times >= SHARE * len(pages)]
    for place in sorted(enough, key=lambda place: -place.count("/")):
        inside = [each for each in variations if place in each.places]
        path = _merged([each.place for each in inside], place.count("/") + 1)
        root = inside[-1].page.root
        if _WHOLE.fullmatch(place):
            return Multiplied("", "", len(inside), len(pages), has_controls=False)
        if css := selector(root, path):
            element = elements_at(root, path)[0]
            words = visible_text(element)
            text = quoted(words) if words else f"<{element.tag}>"
            has_controls = any(each.has_controls for each in inside)
            return Multiplied(css, text, len(inside), len(pages), has_controls)
    return None


def _merged(paths: list[str], length: int) -> str:
    """Return so many steps of these paths as one, `[*]` where their numbers differ."""
    steps = [path.split("/")[:length] for path in paths]
    return "/".join(
        alike[0] if len(set(alike)) == 1 else _INDEX.sub("[*]", alike[0])
        for alike in zip(*steps, strict=True)
    )
