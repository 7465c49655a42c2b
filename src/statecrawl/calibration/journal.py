"""Who said what, in a file beside the pages: every answer is one line, and so is taking it back."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from statecrawl.calibration.labels import Answer, ContradictionError, Judgement, Labels
from statecrawl.errors import InputError

JOURNAL = "labels.jsonl"
MAX_BYTES = 100_000_000


class Journal:
    """The answers of a folder, as they were given; nothing in the file is ever changed."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / JOURNAL
        self._said: list[Judgement | None] = []
        for number, line in enumerate(_lines(self._file), 1):
            try:
                self._take(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                raise InputError(
                    f"line {number} of {self._file} is no answer: take it out"
                ) from None
        try:
            self.labels = self._labels()
        except ContradictionError as error:
            raise ContradictionError(f"{self._file}: {error}") from None

    def say(self, judgement: Judgement) -> None:
        """Note an answer; ContradictionError when it can't be true beside the others."""
        self.say_all([judgement])

    def say_all(self, judgements: Sequence[Judgement]) -> None:
        """Note answers, all or none of them."""
        labels = self.labels.plus(*judgements)
        self._write(*(judgement._asdict() for judgement in judgements))
        self._said.extend(judgements)
        self.labels = labels

    def say_rest(self, by: str, at: float) -> None:
        """Note that everything without an answer is distinct."""
        self._write({"rest": Answer.DISTINCT, "by": by, "at": at})
        self._said.append(None)
        self.labels = self._labels()

    def undo(self, by: str, at: float) -> Judgement | None:
        """Take back the last answer of all; return it if it was about a pair."""
        if not self._said:
            return None
        self._write({"undo": True, "by": by, "at": at})
        last = self._said.pop()
        self.labels = self._labels()
        return last

    def _take(self, entry: dict[str, Any]) -> None:
        if entry.get("undo"):
            del self._said[-1:]
        elif "rest" in entry:
            self._said.append(None)
        else:
            one, other = str(entry["one"]), str(entry["other"])
            by, at = str(entry.get("by", "")), float(entry.get("at", 0))
            self._said.append(Judgement(one, other, Answer(entry["answer"]), by, at))

    def _labels(self) -> Labels:
        return Labels(filter(None, self._said), rest=None in self._said)

    def _write(self, *entries: dict[str, Any]) -> None:
        try:
            with self._file.open("ab") as stream:
                stream.write(b"".join(json.dumps(each).encode("ascii") + b"\n" for each in entries))
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise InputError(f"can't write {self._file}: {error.strerror}") from None


def _lines(file: Path) -> list[bytes]:
    try:
        with file.open("rb") as stream:
            text = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"can't read {file}: {error.strerror}") from None
    if len(text) > MAX_BYTES:
        raise InputError(f"{file} has more than {MAX_BYTES:,} bytes: that can't be labels")
    return [line for line in text.splitlines() if line.strip()]
