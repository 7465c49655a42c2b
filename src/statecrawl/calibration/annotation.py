"""The desk of whoever labels: which pair is next, what was said, and taking it back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import time
from typing import Any

from statecrawl.calibration.journal import Journal
from statecrawl.calibration.labels import Answer, Basis, Judgement, Labels, Pair, pair_of
from statecrawl.calibration.questions import Questions
from statecrawl.core.dom import visible_text
from statecrawl.core.resemblance import Page
from statecrawl.errors import InputError

SHOWN = 200
"""So many of the last answers are told."""
MAX_TEXT = 20_000
MAX_NAME = 80


@dataclass
class Annotator:
    """Pages to label, the answers so far, and what to ask next; one person at a time speaks."""

    name: str
    pages: Mapping[str, Page]
    journal: Journal
    questions: Questions
    me: str = ""
    before: Labels = field(default_factory=Labels)

    @property
    def labels(self) -> Labels:
        """What came with the pages, and what was said since."""
        said = self.journal.labels
        return Labels((*self.before.judgements, *said.judgements), rest=said.rest)

    def document(self, pair: Pair | None = None, passed: frozenset[Pair] = frozenset()) -> Any:
        """Return what the page shows: a pair, the next one if none is named, and how far it is."""
        labels, states = self.labels, list(self.pages)
        chosen = pair or self.questions.next(labels, passed)
        said = labels.judgements
        return {
            "name": self.name,
            "me": self.me,
            "states": len(states),
            "pairs": len(states) * (len(states) - 1) // 2,
            "known": labels.count(states),
            "told": len(labels.told),
            "rest": labels.rest,
            "distinct_in_a_row": _distinct_in_a_row(said),
            "pair": None if chosen is None else self._shown(labels, chosen),
            "said": [each._asdict() for each in reversed(said[-SHOWN:])],
            "can_undo": bool(self.journal.labels.judgements or self.journal.labels.rest),
        }

    def answer(self, one: str, other: str, answer: str, by: str) -> None:
        """Note what somebody says about a pair."""
        self._check(one, other)
        try:
            given = Answer(answer)
        except ValueError:
            raise InputError(f"{answer[:40]!r} is no answer: {', '.join(Answer)}") from None
        judgement = Judgement(one, other, given, by[:MAX_NAME], time())
        self.labels.plus(judgement)  # goes with what came with the pages, too
        self.journal.say(judgement)

    def rest(self, by: str) -> None:
        """Note that all that is left is distinct."""
        self.journal.say_rest(by[:MAX_NAME], time())

    def undo(self, by: str) -> Pair | None:
        """Take back the last answer; return its pair."""
        last = self.journal.undo(by[:MAX_NAME], time())
        return None if last is None else (last.one, last.other)

    def picture(self, state: str) -> bytes:
        """Return the picture of a page; nothing when there is none."""
        return self.pages[state].picture if state in self.pages else b""

    def _check(self, one: str, other: str) -> None:
        for state in (one, other):
            if state not in self.pages:
                raise InputError(f"there is no page {state[:80]!r} here")

    def _shown(self, labels: Labels, pair: Pair) -> dict[str, Any]:
        self._check(*pair)
        label, told = labels.label(*pair), labels.told.get(pair_of(*pair))
        return {
            "pages": [self._page(state) for state in pair],
            "distance": self.questions.distance(*pair),
            "answer": None if label is None else label.answer,
            "basis": None if label is None else label.basis,
            "by": told.by if told and label and label.basis is Basis.TOLD else "",
        }

    def _page(self, state: str) -> dict[str, Any]:
        page = self.pages[state]
        return {
            "state": state,
            "url": page.url,
            "title": page.title,
            "has_picture": bool(page.picture),
            "text": visible_text(page.root)[:MAX_TEXT],
        }


def _distinct_in_a_row(said: tuple[Judgement, ...]) -> int:
    """Return how many of the last answers were all distinct."""
    count = 0
    for judgement in reversed(said):
        if judgement.answer is not Answer.DISTINCT:
            break
        count += 1
    return count
