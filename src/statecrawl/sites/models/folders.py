"""Folders and files that look grown: some folders hold many others, most hold none."""

from dataclasses import dataclass

from statecrawl.sites.models.words import nth

_FOLDER_WORDS = (
    "docs src home etc music photos letters backup www mail games fonts themes tests tools "
    "archive drafts notes recipes maps travel taxes school books films projects reports invoices "
    "contracts slides sketches icons styles scripts data logs cache shared public private inbox "
    "work family garden sports science history poems plans"
).split()
_FILE_WORDS = (
    "readme.txt index.html photo.jpg report.pdf table.csv song.mp3 notes.md plan.odt main.py "
    "style.css logo.svg letter.doc budget.xls film.avi archive.zip"
).split()


@dataclass(frozen=True)
class Folders:
    """A tree of folders, numbered from the root, which is 0, level by level."""

    parents: list[int]
    subfolders: list[list[int]]
    files: list[list[str]]
    paths: list[str]

    @classmethod
    def grow(cls, count: int, top: int, branching: int, files: int) -> "Folders":
        """Return a tree with this many folders below the root, `top` of them right below it.

        One folder in four has subfolders, `branching` on average; one in four has files, at
        most `files`; the others are empty.
        """
        parents = [0]
        for folder in range(count + 1):
            wanted = 1 + folder * 7 % (2 * branching - 1) if folder % 4 == 1 else 0
            if folder == 0:
                wanted = top
            elif folder == len(parents) - 1:
                wanted = max(wanted, 1)  # the last one there is: let the tree not die out
            parents.extend([folder] * min(wanted, count + 1 - len(parents)))
        subfolders: list[list[int]] = [[] for _ in parents]
        paths = [""]
        for folder, parent in enumerate(parents[1:], 1):
            subfolders[parent].append(folder)
            paths.append(f"{paths[parent]}/{nth(_FOLDER_WORDS, folder)}")
        held: list[list[str]] = [[] for _ in parents]
        for folder in range(0, count + 1 if files else 0, 4):
            numbers = range(files - folder * 3 // 4 % files)
            held[folder] = [f"{paths[folder]}/{nth(_FILE_WORDS, number)}" for number in numbers]
        paths[0] = "/"
        return cls(parents, subfolders, held, paths)

    def lineage(self, folder: int) -> list[int]:
        """Return the folders on the way from the root to this one, both included."""
        line = [folder]
        while folder:
            folder = self.parents[folder]
            line.append(folder)
        return line[::-1]

    def listings(self) -> dict[str, dict[str, list[str]]]:
        """Return for each folder, by path, the paths of the folders and files in it."""
        return {
            path: {"folders": [self.paths[folder] for folder in subfolders], "files": held}
            for path, subfolders, held in zip(self.paths, self.subfolders, self.files, strict=True)
        }
