"""Labelled pages as others publish them: `gs/gsResults.json`, `doms/`, `screenshots/`.

The layout is that of the gold standards of "Near-duplicate detection in web app model inference"
(ICSE 2020). An answer is 0 for clones, 1 for near-duplicates, 2 for distinct pages.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from statecrawl.calibration.labels import (
    Answer,
    Basis,
    ContradictionError,
    Judgement,
    Labels,
    pair_of,
)
from statecrawl.core.dom import write
from statecrawl.core.html import read_html
from statecrawl.core.resemblance import Page
from statecrawl.errors import InputError

RESULTS = "gs/gsResults.json"
DOMS, SCREENSHOTS = "doms", "screenshots"
RESPONSES = (Answer.CLONE, Answer.NEAR, Answer.DISTINCT)
MAX_BYTES = 100_000_000
PICTURES = {b"\x89PNG": "png", b"RIFF": "webp", b"\xff\xd8": "jpg"}
_NAME = re.compile(r"[\w.-]{1,200}")


class LabelledFolder:
    """A folder in this layout: its pages and answers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._results = _results(folder / RESULTS)
        self.pages = {name: self._page(name) for name in self._names()}

    @staticmethod
    def is_one(folder: Path) -> bool:
        """Tell whether a folder has this layout."""
        return (folder / DOMS).is_dir()

    @property
    def judgements(self) -> list[Judgement]:
        """What the folder says about pairs."""
        return judgements_of(self._results, str(self._folder / RESULTS))

    def _names(self) -> list[str]:
        """Return the names of all pages in the order in which they were found."""
        found = sorted(file.stem for file in (self._folder / DOMS).glob("*.html"))
        states = self._results.get("states", {})
        last = float("inf")

        def when(name: str) -> tuple[float, float]:
            state = states.get(name)
            state = state if isinstance(state, dict) else {}
            times = (state.get("timeAdded"), state.get("id"))
            first, second = (last if not isinstance(t, int | float) else t for t in times)
            return first, second

        return sorted(found, key=when)

    def _page(self, name: str) -> Page:
        file = self._folder / DOMS / f"{name}.html"
        if file.stat().st_size > MAX_BYTES:
            raise InputError(f"{file} has more than {MAX_BYTES:,} bytes: take it out")
        root = read_html(file.read_text("utf-8", "replace"))
        return Page(root, picture=self._picture(name))

    def _picture(self, name: str) -> bytes:
        files = (self._folder / SCREENSHOTS / f"{name}.{kind}" for kind in PICTURES.values())
        return next((file.read_bytes() for file in files if file.is_file()), b"")


def read_answers(file: Path) -> list[Judgement]:
    """Return the answers in one file of this layout."""
    if not file.is_file():
        raise InputError(f"there is no file {str(file)[:200]!r}: give a {RESULTS}")
    return judgements_of(_results(file), str(file))


def judgements_of(results: Mapping[str, Any], where: str) -> list[Judgement]:
    """Return every answer in what a results file holds."""
    found: dict[tuple[str, str], Judgement] = {}
    pairs = results.get("pairs", [])
    if not isinstance(pairs, list):
        raise InputError(f"{where}: `pairs` is no list")
    for number, pair in enumerate(pairs, 1):
        try:
            one, other, response = str(pair["state1"]), str(pair["state2"]), pair["response"]
            if response not in (0, 1, 2) or isinstance(response, bool):
                raise ValueError
            answer, by = RESPONSES[response], str(pair.get("by", ""))
            judgement = Judgement(one, other, answer, by)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError(
                f"{where}: pair {number} needs state1, state2 and a response of 0, 1 or 2"
            ) from None
        before = found.setdefault(judgement.pair, judgement)
        if before.answer is not answer:
            raise ContradictionError(
                f"{where} says that {one} and {other} are {before.answer}, and that they are "
                f"{answer}: take one of these pairs out"
            )
    return list(found.values())


def write_folder(
    folder: Path,
    pages: Mapping[str, Page],
    labels: Labels,
) -> Path:
    """Write pages and all that is known about pairs of them; return the file with the answers."""
    try:
        for name in (DOMS, SCREENSHOTS, str(Path(RESULTS).parent)):
            (folder / name).mkdir(parents=True, exist_ok=True)
        for state, page in pages.items():
            if not _NAME.fullmatch(state):
                raise InputError(f"{state[:80]!r} can't be the name of a file")
            (folder / DOMS / f"{state}.html").write_text(write(page.root), "utf-8", "replace")
            kind = next((k for magic, k in PICTURES.items() if page.picture.startswith(magic)), "")
            if kind:
                (folder / SCREENSHOTS / f"{state}.{kind}").write_bytes(page.picture)
        file = folder / RESULTS
        file.write_text(json.dumps(results_of(list(pages), labels), indent=1), "ascii")
    except OSError as error:
        raise InputError(f"can't write to {folder}: {error.strerror}") from None
    return file


def results_of(states: list[str], labels: Labels) -> dict[str, Any]:
    """Return what the results file of these states says; pairs without an answer are left out."""
    clones: dict[str, list[str]] = {state: [] for state in states}
    pairs = []
    for (one, other), label in labels.all(states):
        if label.answer is Answer.CLONE:
            clones[one].append(other)
            clones[other].append(one)
        judgement = labels.told.get(pair_of(one, other))
        pairs.append(
            {
                "state1": one,
                "state2": other,
                "response": RESPONSES.index(label.answer),
                "inferred": int(label.basis is not Basis.TOLD),
                "tags": [],
                "comments": "",
                "by": judgement.by if judgement else "",
            }
        )
    rows = dict(_rows(states, labels, clones))
    return {"states": rows, "pairs": pairs}


def _rows(
    states: list[str], labels: Labels, clones: Mapping[str, list[str]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, state in enumerate(states):
        yield (
            state,
            {
                "name": state,
                "bin": labels.group(state),
                "clones": clones[state],
                "timeAdded": number,
                "id": number,
            },
        )


def _results(file: Path) -> dict[str, Any]:
    """Return what is in a results file; nothing when there is none yet."""
    try:
        if not file.is_file():
            return {}
        if file.stat().st_size > MAX_BYTES:
            raise InputError(f"{file} has more than {MAX_BYTES:,} bytes: that can't be labels")
        results = json.loads(file.read_bytes())
    except OSError as error:
        raise InputError(f"can't read {file}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{file} is not JSON: give a file in the layout of {RESULTS}") from None
    if not isinstance(results, dict) or not isinstance(results.get("states", {}), dict):
        raise InputError(f"{file} needs an object with `states` and `pairs`")
    return results
