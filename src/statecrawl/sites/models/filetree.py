"""FileTree: an explorer of the folders of a server, as a tree that opens in place."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.folders import Folders
from statecrawl.sites.models.parameters import Range, ResetCost


def filetree(
    *,
    folders: Annotated[int, Range(1, 10_000)] = 212,
    top: Annotated[int, Range(1, 100)] = 13,
    branching: Annotated[int, Range(5, 30)] = 6,
    files: Annotated[int, Range(0, 30)] = 2,
    reset_cost: ResetCost = 2,
) -> Application:
    """A tree of folders with one branch open at a time; a file only shows a short notice."""
    return explore(_FileTree(Folders.grow(folders, top, branching, files)), reset_cost)


class _Page(NamedTuple):
    """The innermost open folder; the hint is gone for good once a folder was opened."""

    folder: int
    has_hint: bool = False


class _FileTree:
    """Clicking a folder opens it and closes its siblings; clicking an open one closes it."""

    start = _Page(0, has_hint=True)

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    def name(self, page: _Page) -> str:
        return "start" if page.has_hint else self._folders.paths[page.folder]

    def regions(self, page: _Page) -> dict[str, str]:
        return {
            "hint": "Click a folder to open it." if page.has_hint else "",
            "tree": self._folders.paths[page.folder],
        }

    def controls(self, page: _Page) -> Iterator[Control[_Page]]:
        """Every child of every open folder is on the page."""
        open_folders = self._folders.lineage(page.folder)
        for folder in open_folders:
            for child in self._folders.subfolders[folder]:
                target = folder if child in open_folders else child
                yield Control("folder", f"open:{self._folders.paths[child]}", _Page(target))
            for file in self._folders.files[folder]:
                yield Control("file", f"file:{file}", page)
