"""YouTube as it was first crawled for its AJAX states: videos with comments in pages."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Annotated, NamedTuple

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.parameters import Range, ResetCost
from statecrawl.sites.models.words import evenly

_SHARES = (2_095, 250, 280, 310, 340, 400, 470, 606, 975, 4_274)
"""Of 10,000 videos, how many have ten pages of comments, nine ... one (Figure 9)."""
_BOUNDS = tuple(accumulate(_SHARES))
_REACH = 2
"""A page of comments has links to this many pages on either side."""


def videos(
    *,
    videos: Annotated[int, Range(1, 20_000)] = 100,
    related: Annotated[int, Range(1, 20)] = 4,
    comment_pages: Annotated[int, Range(2, 10)] = 10,
    reset_cost: ResetCost = 2,
) -> Application:
    """Videos that link to related ones, each a document with its comments in pages."""
    return explore(_Videos(videos, related, comment_pages), reset_cost)


def page_count(video: int, most: int) -> int:
    """Return how many pages of comments a video has: of many videos 4.16 on average."""
    return min(most, len(_SHARES) - bisect_right(_BOUNDS, evenly(video - 1, 10_000)))


def related_videos(video: int, videos: int, related: int) -> list[int]:
    """Return the videos that one links to; whoever follows all links comes to every video."""
    following = range(related * (video - 1) + 1, related * video + 1)
    return [other for other in dict.fromkeys(i % videos + 1 for i in following) if other != video]


def near_pages(page: int, pages: int) -> list[int]:
    """Return the pages of comments that one has a link to, by their numbers."""
    near = range(max(page - _REACH, 1), min(page + _REACH, pages) + 1)
    return [other for other in near if other != page]


class _Page(NamedTuple):
    """A video and a page of its comments, both counted from 1."""

    video: int
    comments: int = 1


class _Videos:
    """Whatever video is opened, its comments start with the first page."""

    start = _Page(1)

    def __init__(self, videos: int, related: int, comment_pages: int) -> None:
        self._videos = videos
        self._related = related
        self._comment_pages = comment_pages

    def name(self, page: _Page) -> str:
        return f"video {page.video}, page {page.comments}"

    def regions(self, page: _Page) -> dict[str, str]:
        return {"video": f"video {page.video}", "comments": f"page {page.comments}"}

    def controls(self, page: _Page) -> Iterator[Control[_Page]]:
        video, comments = page
        for other in related_videos(video, self._videos, self._related):
            yield Control("related", f"related:{other}", _Page(other))
        pages = page_count(video, self._comment_pages)
        if comments > 1:
            yield Control("pager", "comments:previous", _Page(video, comments - 1))
        for other in near_pages(comments, pages):
            yield Control("page", f"comments:{other}", _Page(video, other))
        if comments < pages:
            yield Control("pager", "comments:next", _Page(video, comments + 1))
