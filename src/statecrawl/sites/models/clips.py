"""Clipmarks: a social network where people share what they found on other sites."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, NamedTuple

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.parameters import Range, ResetCost
from statecrawl.sites.models.words import nth, uneven

_CHANNELS = ("popular", "recent", "text", "images", "videos")
NOTES = ("about", "help", "terms", "privacy", "blog")
_TAGS = (
    "cats news maps food music space birds trains cities chess poems bikes games jokes light "
    "paint robots rivers clouds coffee tea bread stars boats bees trees snow shoes clocks kites "
    "doors lakes"
).split()
_USERS = (
    "ada ben cleo dora emil fred gina hugo iris jack kira liam mona nils olga paul quin rosa "
    "sven tina ugo vera will xena yuri zoe"
).split()
_TITLES = (
    "Sunrise Owl Bridge Recipe Comet Lantern Harbour Violin Meadow Cartoon Glacier Puzzle "
    "Parade Lighthouse Waterfall Sculpture Market Tunnel Orchard Volcano Mosaic Balloon "
    "Castle Desert Eclipse Festival Garden Horizon Island Jungle"
).split()


def clips(
    *,
    clips: Annotated[int, Range(1, 1_000)] = 57,
    tags: Annotated[int, Range(1, 300)] = 32,
    users: Annotated[int, Range(1, 300)] = 26,
    reset_cost: ResetCost = 18,
) -> Application:
    """Clips by channel, tag and user; a clip leads to its neighbours and out to its source."""
    return explore(_Clips(Collection(clips, tags, users)), reset_cost)


class Page(NamedTuple):
    """The list of a channel, tag or user, one clip, a note, a dialog, or a page outside."""

    kind: str
    shown: str


_POPULAR = Page("channel", _CHANNELS[0])
_JOIN = Page("dialog", "join")
_SOURCE = Page("outside", "source")
_SENT = Page("outside", "check your mail")
_END = Page("note", "end of the stream")


class Collection:
    """The titles of all clips, the pages that list each, and the clips that each page lists."""

    def __init__(self, clips: int, tags: int, users: int) -> None:
        self.titles = [nth(_TITLES, i) for i in range(clips)]
        self.places = {title: _places(i, tags, users) for i, title in enumerate(self.titles)}
        self.lists: dict[Page, list[str]] = {
            **{Page("channel", name): [] for name in _CHANNELS},
            **{Page("tag", nth(_TAGS, i)): [] for i in range(tags)},
            **{Page("user", nth(_USERS, i)): [] for i in range(users)},
        }
        for title, places in self.places.items():
            for page in places:
                self.lists[page].append(title)

    def alike(self, title: str) -> list[str]:
        """Return the other clips with the same user or tags."""
        lists = (self.lists[page] for page in self.places[title] if page.kind != "channel")
        return [other for other in dict.fromkeys(chain.from_iterable(lists)) if other != title]


class _Clips:
    """Nobody comes back from outside but by a reset."""

    start = _POPULAR

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        titles = collection.titles
        later = [*(Page("clip", title) for title in titles[1:]), _END]
        self._next = dict(zip(titles, later, strict=True))

    def name(self, page: Page) -> str:
        return f"{page.kind} {page.shown}"

    def regions(self, page: Page) -> dict[str, str]:
        return {"heading": page.kind, "content": page.shown}

    def controls(self, page: Page) -> Iterator[Control[Page]]:
        if page == _JOIN:
            yield Control("dialog", "join:send", _SENT)
            yield Control("dialog", "join:cancel", _POPULAR)
        elif page.kind != "outside":
            yield Control("header", "header:join", _JOIN)
            for listed in self._collection.lists:
                yield Control(listed.kind, f"{listed.kind}:{listed.shown}", listed)
            for note in NOTES:
                yield Control("footer", f"note:{note}", Page("note", note))
            if page.kind == "clip":
                yield Control("stream", "stream:next", self._next[page.shown])
                yield Control("source", "source:visit", _SOURCE)
            for title in self._titles(page):
                yield Control("clip", f"clip:{title}", Page("clip", title))

    def _titles(self, page: Page) -> Iterable[str]:
        """Return the clips in a list; beside a clip, those with the same user or tags."""
        if page.kind == "clip":
            return self._collection.alike(page.shown)
        return self._collection.lists.get(page, ())


def _places(clip: int, tags: int, users: int) -> list[Page]:
    """Return the lists that a clip is in: two channels, its user, up to three tags."""
    marks = dict.fromkeys(uneven(3 * clip + k, tags) for k in range(3))
    return [
        Page("channel", _CHANNELS[clip % 2]),
        Page("channel", _CHANNELS[2 + clip % 3]),
        Page("user", nth(_USERS, uneven(clip, users))),
        *(Page("tag", nth(_TAGS, mark)) for mark in marks),
    ]
