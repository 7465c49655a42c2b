"""Answers of repeated requests, kept for all tabs and given again without the network."""

from collections import OrderedDict
from typing import Any

MAX_CHARACTERS = 100_000_000

Answer = dict[str, Any]


class Answers:
    """Kept answers by request; the least recently used go when there are too many."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Answer] = OrderedDict()
        self._characters = 0
        self._in_doubt: dict[str, None] = {}
        self.writes = 0
        """How often the application wrote; whoever loaded a page before that has an old one."""

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> Answer | None:
        """Return the answer to a request, if there is one."""
        answer = self._kept.get(key)
        if answer is not None:
            self._kept.move_to_end(key)
        return answer

    def keep(self, key: str, answer: Answer) -> None:
        """Keep an answer."""
        self._drop(key)
        self._kept[key] = answer
        self._in_doubt[key] = None
        self._characters += len(answer["body"])
        while self._characters > MAX_CHARACTERS:
            self._drop(next(iter(self._kept)))

    def forget(self) -> None:
        """Forget everything: the application wrote something."""
        self._kept.clear()
        self._characters = 0
        self._in_doubt.clear()

    def trust(self) -> None:
        """Hear that all is well: what was kept up to now is right."""
        self._in_doubt.clear()

    def forget_doubtful(self) -> None:
        """Forget what was kept since somebody last said that all is well."""
        for key in self._in_doubt:
            self._drop(key)
        self._in_doubt.clear()

    def _drop(self, key: str) -> None:
        if (answer := self._kept.pop(key, None)) is not None:
            self._characters -= len(answer["body"])
