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
        self._in_doubt: dict[str, str] = {}  # which page was told
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

    def keep(self, key: str, answer: Answer, page: str) -> None:
        """Keep an answer, and which page was told: it is in doubt until all is well there."""
        self._drop(key)
        self._kept[key] = answer
        self._in_doubt[key] = page
        self._characters += len(answer["body"])
        while self._characters > MAX_CHARACTERS:
            self._drop(next(iter(self._kept)))

    def forget(self) -> None:
        """Forget everything: the application wrote something."""
        self._kept.clear()
        self._characters = 0
        self._in_doubt.clear()

    def trust(self, page: str) -> None:
        """Hear that all is well with a page: the answers that it was told are right.

        Of what others were told that says nothing: they may be signed out already.
        """
        self._in_doubt = {key: told for key, told in self._in_doubt.items() if told != page}

    def forget_doubtful(self) -> None:
        """Forget what nobody has said yet that it is right."""
        for key in list(self._in_doubt):
            self._drop(key)

    def _drop(self, key: str) -> None:
        self._in_doubt.pop(key, None)
        if (answer := self._kept.pop(key, None)) is not None:
            self._characters -= len(answer["body"])
