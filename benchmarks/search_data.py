"""The site `videos` as a crawl, written from its true model and its own pages: without a browser.

Each video is a document with its states, as crawlers that share the URLs out find them.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.snapshot import Change, Effect, Event, Snapshot
from statecrawl.sites.apps.videos import videos as videos_app
from statecrawl.sites.models.videos import near_pages, page_count, related_videos
from statecrawl.storage.sqlite import SqliteStore

SITE = "http://videos.example"
RELATED = 4
COMMENT_PAGES = 10
IN_A_TRANSACTION = 20_000
_FILLED = Effect((Change("#comments", "innerHTML"),))


def state_id(video: int, page: int) -> str:
    """The id of a state."""
    return f"{video:06}{page:02}"


def url_of(video: int) -> str:
    """The URL of a video."""
    return f"{SITE}/watch?v={video}"


class Site:
    """So many videos, as their pages show them."""

    def __init__(self, videos: int) -> None:
        self.videos = videos
        self._app = videos_app(videos=videos, related=RELATED, comment_pages=COMMENT_PAGES)

    def pages(self, video: int) -> int:
        """How many states a video has."""
        return page_count(video, COMMENT_PAGES)

    def snapshot(self, video: int, page: int) -> Snapshot:
        """A state as the crawler writes it down."""
        told = self._app.documents["/watch"]({"v": str(video)})
        comments = self._app.answers["/comments"]({"v": str(video), "p": str(page)})
        dom = (
            f'<html><head><title>{told["title"]}</title></head><body><div id="video">'
            f'<h1>{told["title"]}</h1><div id="player">▶</div>'
            f"<p>Video {video} by <b>{told['author']}</b>: {told['text']}</p></div>"
            f'<div id="comments">{comments}</div>'
            f'<div id="related"><h3>Related videos</h3><ul>{told["related"]}</ul></div>'
            "</body></html>"
        )
        return Snapshot(dom, tuple(self._events(video, page)), url_of(video), {}, told["title"])

    def _events(self, video: int, page: int) -> Iterator[Event]:
        for other in related_videos(video, self.videos, RELATED):
            yield Event(f"related:{other}", url=url_of(other))
        for name, label, _ in self.turns(video, page):
            yield Event(name, label=label)

    def turns(self, video: int, page: int) -> Iterator[tuple[str, str, int]]:
        """The events that lead to other pages of comments, and to which."""
        pages = self.pages(video)
        if page > 1:
            yield "comments:previous", "Previous", page - 1
        for other in near_pages(page, pages):
            yield f"comments:{other}", str(other), other
        if page < pages:
            yield "comments:next", "Next", page + 1

    def facts(self, videos: range, most: int = COMMENT_PAGES) -> Iterator[Fact]:
        """All that a crawl of some videos learns, when so many states a page are crawled."""
        for video in videos:
            pages = range(1, min(self.pages(video), most) + 1)
            yield Found(state_id(video, 1), self.snapshot(video, 1), 0, video)
            yield Executed("", f"load {url_of(video)}", state_id(video, 1))
            for page in pages:
                if page > 1:
                    yield Found(state_id(video, page), self.snapshot(video, page), page, video)
                    came = (state_id(video, page - 1), "comments:next", state_id(video, page))
                    yield Executed(*came, _FILLED)
            for page in pages:
                for event, _, to in self.turns(video, page):
                    if to in pages:
                        yield Executed(state_id(video, page), event, state_id(video, to), _FILLED)


def write_crawl(folder: Path, site: Site, videos: range, most: int = COMMENT_PAGES) -> Path:
    """Write the crawl of some videos."""
    entries = [url_of(video) for video in videos]
    about = {"url": entries[0], "entries": entries, "equivalence": "exact", "reset_cost": 1.0}
    with SqliteStore.create(folder, about) as store:
        learned = site.facts(videos, most)
        events = 0
        while facts := list(islice(learned, IN_A_TRANSACTION)):
            events += sum(isinstance(fact, Executed) for fact in facts)
            store.append(facts, Counts(events, len(videos), seconds=events / 1000))
    return folder
