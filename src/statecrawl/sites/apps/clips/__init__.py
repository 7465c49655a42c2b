"""Clipmarks, written with handlers in the attributes of links, and innerHTML."""

from statecrawl.sites.apps.app import App, Query
from statecrawl.sites.apps.prose import sentences
from statecrawl.sites.models.clips import NOTES, Collection, Page


def clips(*, clips: int, tags: int, users: int) -> App:
    """Return a network that asks for a list, a clip or a note whenever one is clicked."""
    collection = Collection(clips, tags, users)
    titles = collection.titles
    following = dict(zip(titles, [*titles[1:], None], strict=True))
    notes = {note: sentences(note, 2) for note in NOTES}

    def clip(query: Query) -> object:
        title = query["title"]
        return {
            "text": sentences(title, 2),
            "marks": [f"{page.kind} {page.shown}" for page in collection.places[title]],
            "next": following[title],
            "alike": collection.alike(title),
        }

    return App(
        {
            "/lists": lambda _: [list(page) for page in collection.lists],
            "/list": lambda query: collection.lists[Page(query["kind"], query["name"])],
            "/clip": clip,
            "/note": lambda query: notes[query["name"]],
            "/join": lambda _: {"sent": True},
        }
    )
