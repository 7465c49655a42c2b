"""FileTree, written with links that go nowhere, a listener on each, and XMLHttpRequest."""

from statecrawl.sites.apps.app import App
from statecrawl.sites.apps.prose import sentence
from statecrawl.sites.models.folders import Folders


def filetree(*, folders: int, top: int, branching: int, files: int) -> App:
    """Return a tree whose folders are asked for when they open."""
    grown = Folders.grow(folders, top, branching, files)
    listings = grown.listings()
    texts = {path: sentence(path) for held in grown.files for path in held}
    return App(
        {
            "/folder": lambda query: listings[query["path"]],
            "/file": lambda query: texts[query["path"]],
        }
    )
