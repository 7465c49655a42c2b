"""Section I of "AJAX Crawl: Making AJAX Applications Searchable" as a crawl: two videos.

The word of the second query is on a later page of comments than the first.
"""

from pathlib import Path

from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.snapshot import NEW_DOCUMENT, Change, Effect, Event, Snapshot
from statecrawl.storage.sqlite import SqliteStore

SITE = "http://www.youtube.example/watch?v="
RIDE, OTHER = f"{SITE}w16JILSySWQ", f"{SITE}Iv5JXxME0js"
NEXT = Event("click next", label="Next")
PREVIOUS = Event("click previous", label="Previous")
RELATED = Event("click related", label="Rome Wasn't Built in a Day", url=OTHER)

_COMMENTS = {
    "s1": "great sound;morcheeba is back;love it",
    "s2": "who is the new singer;she has a lovely voice",
    "s3": "such a mysterious place;where was this filmed",
    "t1": "my favourite morcheeba song;so many extras in this one",
}


def _page(state: str) -> Snapshot:
    is_ride = state.startswith("s")
    title = "Morcheeba - Enjoy the Ride" if is_ride else "Morcheeba - Rome Wasn't Built in a Day"
    items = "".join(f"<li>{comment}</li>" for comment in _COMMENTS[state].split(";"))
    dom = (
        f"<html><head><title>{title}</title></head><body><h1>{title}</h1><p>video</p>"
        f'<div id="recent_comments"><ul>{items}</ul></div></body></html>'
    )
    events = {"s1": (NEXT, RELATED), "s2": (PREVIOUS, NEXT), "s3": (PREVIOUS,), "t1": ()}[state]
    return Snapshot(dom, events, RIDE if is_ride else OTHER, title=title)


def write_youtube(folder: Path) -> None:
    """Write the crawl; in the browser all states of a video have one URL."""
    about = {"url": RIDE, "entries": [RIDE, OTHER], "equivalence": "exact", "reset_cost": 1.0}
    comments = Effect((Change("#recent_comments", "innerHTML"),))
    document = Effect((NEW_DOCUMENT,))
    facts: list[Fact] = [
        Found("s1", _page("s1"), 0, 1),
        Executed("", f"load {RIDE}", "s1"),
        Found("s2", _page("s2"), 1, 1),
        Executed("s1", NEXT.identity, "s2", comments),
        Executed("s2", PREVIOUS.identity, "s1", comments),
        Found("s3", _page("s3"), 2, 1),
        Executed("s2", NEXT.identity, "s3", comments),
        Executed("s3", PREVIOUS.identity, "s2", comments),
        Found("t1", _page("t1"), 3, 1),
        Executed("s1", RELATED.identity, "t1", document),
        Executed("", f"load {OTHER}", "t1"),
    ]
    with SqliteStore.create(folder, about) as store:
        store.append(facts, Counts(6, 2, 1.0, stop_reason="complete"))
