"""Elfinder, written with one listener on the manager, for boxes that look like buttons."""

from statecrawl.sites.apps.app import App
from statecrawl.sites.apps.prose import sentences
from statecrawl.sites.models.folders import Folders


def files(*, folders: int, top: int, branching: int, per_folder: int) -> App:
    """Return a file manager that asks for a folder's content, and for previews."""
    grown = Folders.grow(folders, top, branching, per_folder)
    listings = grown.listings()
    previews = {
        **{path: f"A folder. {sentences(path, 1)}" for path in grown.paths},
        **{path: sentences(path, 3) for held in grown.files for path in held},
    }
    return App(
        {
            "/content": lambda query: listings[query["folder"]],
            "/preview": lambda query: {"text": previews[query["path"]]},
        }
    )
