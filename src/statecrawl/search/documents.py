"""States as documents: what is told of each, from the model of a crawl and from its page."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

import orjson

from statecrawl.core.crawled import Crawled, CrawledTransition
from statecrawl.core.lines import Line, lines
from statecrawl.core.ranks import ajax_ranks, page_ranks
from statecrawl.core.snapshot import NEW_DOCUMENT, Event, Snapshot

PAGE_RANKS = "page_ranks"
"""The setting of a crawl that has PageRanks of its URLs, found by whoever saw the whole site."""
SINCE = "since"
"""The setting that names the earlier crawl that one started from."""

_BY_AJAX_RANK, _BY_PAGE_RANK, _BY_NEARNESS = 0.15, 0.15, 0.2
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())


class Hop(NamedTuple):
    """The last event on the way to a state: the state before it, and the event."""

    source: str
    event: str
    label: str = ""
    kind: str = "load"


@dataclass(frozen=True, slots=True)
class Outline:
    """What the model tells of a state, without a look at its page.

    The prior says how likely it is wanted, whatever the query: 1 at least, 1.5 at most. `near` is
    the state that stands for it and its near-duplicates, "" where nobody has decided that.
    """

    state: str
    url: str
    title: str
    labels: tuple[str, ...]
    distance: int
    prior: float
    hop: Hop | None
    near: str = ""

    @property
    def digest(self) -> int:
        """The same as long as nothing that is indexed has changed: a state's page never does."""
        found = blake2b(repr(self).encode("utf-8", "replace"), digest_size=8)
        return int.from_bytes(found.digest(), "big")


class Passage(NamedTuple):
    """A piece of text, and the element that holds it."""

    element: str
    text: str


@dataclass(frozen=True, slots=True)
class Content:
    """What can be read on a page."""

    lines: Sequence[Line]

    @property
    def headings(self) -> list[str]:
        """The lines that stand in headings."""
        return [text for _, tag, text in self.lines if tag in _HEADINGS]

    @property
    def alike(self) -> str:
        """The same for pages on which the same can be read, but for numbers."""
        text = "\n".join([text for _, _, text in self.lines])
        known = without_numbers(text).encode("utf-8", "replace")
        return blake2b(known, digest_size=8).hexdigest()


def without_numbers(text: str) -> str:
    """Return what is the same for texts that differ only in numbers."""
    return _NUMBER.sub("0", text)


def read_content(page: Snapshot) -> Content:
    """Read a page; half characters, which no index takes, are replaced."""
    return Content(lines(_whole(page.dom)))


def outlines(crawled: Crawled) -> Iterator[Outline]:
    """Yield what the model tells of each state."""
    model, near = _Model(crawled), crawled.classes.decisions
    for state in crawled.states.values():
        yield Outline(
            state.id,
            _whole(state.url),
            _whole(state.title),
            tuple(sorted(model.labels[state.id])),
            model.distance.get(state.id, 0),
            model.prior(state.id, state.url),
            model.hop(state.id),
            near[state.id].representative if state.id in near else "",
        )


class _Model:
    """What is asked of the model for every state, prepared for all of them at once."""

    def __init__(self, crawled: Crawled) -> None:
        self._crawled = crawled
        self._events = {
            (state.id, event.identity): event
            for state in crawled.states.values()
            for event in state.events
        }
        self.labels: dict[str, set[str]] = {state: set() for state in crawled.states}
        leads: dict[str, list[str]] = {state: [] for state in crawled.states}
        starts: dict[str, None] = {}
        for transition in crawled.transitions.values():
            opens = _opens_document(transition)
            for target in transition.targets:
                if label := self._event(transition).label:
                    self.labels[target].add(_whole(label))
                if opens:
                    starts[target] = None
                else:
                    leads[transition.source].append(target)
        self.distance = _distances(leads, starts)
        self._ajax_ranks = ajax_ranks(leads, starts)
        self._page_ranks = crawled.about.get(PAGE_RANKS) or page_ranks(_links(crawled))

    def prior(self, state: str, url: str) -> float:
        """Weigh what is known of a state beside its text, each between 0 and 1."""
        page_rank = float(self._page_ranks.get(document_of(url), 0.0))
        worth = (
            _BY_AJAX_RANK * min(self._ajax_ranks[state], 1.0)
            + _BY_PAGE_RANK * page_rank / (1.0 + page_rank)
            + _BY_NEARNESS / (1.0 + self.distance.get(state, len(self.distance)))
        )
        return 1.0 + round(worth, 3)  # rounded: what hardly changes is not indexed again

    def hop(self, state: str) -> Hop | None:
        """Return how a state is reached from the one before it on the shortest way."""
        last = self._crawled.last_hop(state)
        if last is None:
            return None
        event = self._event(last)
        if not last.source:
            return Hop("", _whole(last.event))
        return Hop(last.source, _whole(event.identity), _whole(event.label), event.kind)

    def _event(self, transition: CrawledTransition) -> Event:
        pair = (transition.source, transition.event)
        return self._events.get(pair) or Event(transition.event)


def _opens_document(transition: CrawledTransition) -> bool:
    is_load = not transition.source
    return is_load or transition.is_assumed or NEW_DOCUMENT in transition.changes


def _distances(leads: Mapping[str, list[str]], starts: Mapping[str, None]) -> dict[str, int]:
    """Return how many events each state is from the start of its document."""
    distances = dict.fromkeys(starts, 0)
    waiting = deque(starts)
    while waiting:
        state = waiting.popleft()
        for target in leads[state]:
            if target not in distances:
                distances[target] = distances[state] + 1
                waiting.append(target)
    return distances


def _links(crawled: Crawled) -> dict[str, set[str]]:
    """Return the links between documents, whether they were followed or not."""
    links: dict[str, set[str]] = {}
    for state in crawled.states.values():
        here = links.setdefault(document_of(state.url), set())
        here.update(document_of(event.url) for event in state.events if event.url)
    return links


def document_of(url: str) -> str:
    """Return the URL without the place in the document."""
    return url.partition("#")[0]


def _whole(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class Stored(NamedTuple):
    """What results show of a state beside its text."""

    state: str
    url: str
    title: str
    distance: int
    prior: float
    hop: Hop | None
    alike: str
    near: str

    @classmethod
    def of(cls, outline: Outline, content: Content) -> "Stored":
        """Return what is kept of a document."""
        about = (outline.state, outline.url, outline.title, outline.distance)
        return cls(*about, outline.prior, outline.hop, content.alike, outline.near)

    def packed(self) -> bytes:
        """Return the same as bytes."""
        return orjson.dumps([*self[:5], self.hop and list(self.hop), *self[6:]])

    @classmethod
    def unpacked(cls, data: bytes) -> "Stored":
        """Return what was packed."""
        state, url, title, distance, prior, hop, alike, near = orjson.loads(data)
        return cls(state, url, title, distance, prior, hop and Hop(*hop), alike, near)


def packed_passages(content: Content) -> bytes:
    """Return the text of a page, piece by piece, as bytes."""
    return orjson.dumps([(path, text) for path, _, text in content.lines])


def unpacked_passages(data: bytes) -> list[Passage]:
    """Return what was packed."""
    return [Passage(*passage) for passage in orjson.loads(data)]
