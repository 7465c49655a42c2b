"""Elfinder: a file manager with a tree, the content of one folder, and a preview."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.folders import Folders
from statecrawl.sites.models.parameters import Range, ResetCost


def files(
    *,
    folders: Annotated[int, Range(1, 1_000)] = 69,
    top: Annotated[int, Range(1, 100)] = 10,
    branching: Annotated[int, Range(5, 30)] = 6,
    per_folder: Annotated[int, Range(0, 40)] = 21,
    reset_cost: ResetCost = 10,
) -> Application:
    """A file manager: walk the folders, select something, preview it, as icons or as a list."""
    return explore(_Files(Folders.grow(folders, top, branching, per_folder)), reset_cost)


class _Page(NamedTuple):
    """The open folder, its view, what is selected in it and whether that is previewed."""

    folder: int
    view: str = "icons"
    selected: str = ""
    has_preview: bool = False
    has_welcome: bool = False


class _Files:
    """Whoever opens another folder starts afresh there; the welcome goes at the first click."""

    start = _Page(0, has_welcome=True)

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._content = [
            [*(folders.paths[sub] for sub in subfolders), *held]
            for subfolders, held in zip(folders.subfolders, folders.files, strict=True)
        ]
        self._number = {path: folder for folder, path in enumerate(folders.paths)}

    def name(self, page: _Page) -> str:
        parts = [page.selected or self._folders.paths[page.folder]]
        if page.selected:
            parts.append("previewed" if page.has_preview else "selected")
        parts.append(f"as {page.view}")
        if page.has_welcome:
            parts.append("welcome")
        return ", ".join(parts)

    def regions(self, page: _Page) -> dict[str, str]:
        return {
            "welcome": "Welcome!" if page.has_welcome else "",
            "folder": self._folders.paths[page.folder],
            "view": page.view,
            "selection": page.selected,
            "preview": page.selected if page.has_preview else "",
        }

    def controls(self, page: _Page) -> Iterator[Control[_Page]]:
        page = page._replace(has_welcome=False)
        yield from self._tree(page)
        yield from self._toolbar(page)
        for path in self._content[page.folder]:
            yield Control("item", f"select:{path}", page._replace(selected=path))

    def _tree(self, page: _Page) -> Iterator[Control[_Page]]:
        """The tree shows the root, all that is right below it, and the way to the open folder."""
        way = self._folders.lineage(page.folder)
        for folder in dict.fromkeys((0, *self._folders.subfolders[0], *way)):
            yield Control("tree", f"tree:{self._folders.paths[folder]}", _Page(folder))

    def _toolbar(self, page: _Page) -> Iterator[Control[_Page]]:
        if page.folder:
            yield Control("toolbar", "toolbar:up", _Page(self._folders.parents[page.folder]))
        for view in ("icons", "list"):
            yield Control("toolbar", f"toolbar:{view}", page._replace(view=view))
        yield Control("toolbar", "toolbar:reload", page)
        if page.selected:
            flipped = page._replace(has_preview=not page.has_preview)
            yield Control("toolbar", "toolbar:preview", flipped)
            plain = page._replace(selected="", has_preview=False)
            yield Control("toolbar", "toolbar:deselect", plain)
        if page.selected in self._number:
            yield Control("toolbar", "toolbar:open", _Page(self._number[page.selected]))
