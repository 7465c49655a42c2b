"""Clipmarks: a social network where people share what they found on other sites."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.parameters import Range, ResetCost
from statecrawl.sites.models.words import nth, uneven

_CHANNELS = ("popular", "recent", "text", "images", "videos")
_NOTES = ("about", "help", "terms", "privacy", "blog")
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
    clips: Annotated[int, Range(1, 2_000)] = 57,
    tags: Annotated[int, Range(1, 500)] = 32,
    users: Annotated[int, Range(1, 500)] = 26,
    reset_cost: ResetCost = 18,
) -> Application:
    """Clips by channel, tag and user; a clip leads to its neighbours and out to its source."""
    return explore(_Clips(clips, tags, users), reset_cost)


class _Page(NamedTuple):
    """A list of a channel, tag or user, one clip, a note, a dialog, or a page outside."""

    kind: str
    shown: str


_JOIN = _Page("dialog", "join")


class _Clips:
    """Nobody comes back from outside, nor from the last page of the dialog, but by a reset."""

    start = _Page("channel", _CHANNELS[0])

    def __init__(self, clips: int, tags: int, users: int) -> None:
        self._titles = [nth(_TITLES, i) for i in range(clips)]
        self._lists: dict[_Page, list[str]] = {}
        for kind, names, count in (("channel", _CHANNELS, 5), ("tag", _TAGS, tags), ("user", _USERS, users)):
            for i in range(count):
                self._lists[_Page(kind, nth(names, i))] = []
        for i, title in enumerate(self._titles):
            for page in self._places(i, tags, users):
                self._lists[page].append(title)
        self._places_of = {title: self._places(i, tags, users) for i, title in enumerate(self._titles)}

    @staticmethod
    def _places(i: int, tags: int, users: int) -> list[_Page]:
        """Return the lists that a clip is in: channels, tags and its user."""
        places = [
            _Page("channel", _CHANNELS[i % 2]),
            _Page("channel", _CHANNELS[2 + i % 3]),
            _Page("user", nth(_USERS, uneven(i, users))),
            *(_Page("tag", nth(_TAGS, uneven(i * 3 + k, tags))) for k in range(3)),
        ]
        return list(dict.fromkeys(places))

    def name(self, page: _Page) -> str:
        return f"{page.kind} {page.shown}"

    def regions(self, page: _Page) -> dict[str, str]:
        return {"kind": page.kind, "content": page.shown}

    def controls(self, page: _Page) -> Iterator[Control[_Page]]:
        if page == _JOIN:
            yield Control("dialog", "join:send", _Page("outside", "check your mail"))
            yield Control("dialog", "join:cancel", self.start)
            return
        if page.kind == "outside":
            return
        for listed in self._lists:
            yield Control(listed.kind, f"{listed.kind}:{listed.shown}", listed)
        for note in _NOTES:
            yield Control("footer", f"note:{note}", _Page("note", note))
        yield Control("header", "header:join", _JOIN)
        if page.kind == "clip":
            yield from self._clip(page.shown)
        else:
            for title in self._lists.get(page, ()):
                yield Control("clip", f"clip:{title}", _Page("clip", title))

    def _clip(self, title: str) -> Iterator[Control[_Page]]:
        place = self._titles.index(title)
        after = self._titles[place + 1 : place + 2]
        target = _Page("clip", after[0]) if after else _Page("note", "end of stream")
        yield Control("stream", "stream:next", target)
        yield Control("source", "clip source", _Page("outside", "source"))
        related = dict.fromkeys(
            other for page in self._places_of[title][2:] for other in self._lists[page] if other != title
        )
        for other in related:
            yield Control("clip", f"clip:{other}", _Page("clip", other))
