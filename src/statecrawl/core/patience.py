"""How often something may go wrong before it is not tried any more."""

from collections import Counter
from collections.abc import Callable

from statecrawl.core.agenda import Agenda, Pair
from statecrawl.core.facts import Fact, GivenUp, Refused
from statecrawl.core.model import Model

MAX_ATTEMPTS = 5
"""How often a cursor may set out for the same open event and not arrive, before the crawl
gives it up: what bounds a crawl of an application that never does the same thing twice."""

MAX_LOSSES = 2
"""How often an event may lose the page before it is fired no more."""


class Patience:
    """Refuses events that can't be fired or lose the page, and gives up those nobody gets to.

    `failed` hears of every event that is not tried any more, `note` of what is to be kept.
    """

    def __init__(
        self,
        model: Model,
        agenda: Agenda,
        failed: Callable[[Pair, str], None],
        note: Callable[[Fact], None],
    ) -> None:
        self._model = model
        self._agenda = agenda
        self._failed = failed
        self._note = note
        self._attempts: Counter[Pair] = Counter()
        self._losses: Counter[Pair] = Counter()
        self.given_up: list[Pair] = []

    def refuse(self, pair: Pair, reason: str = "") -> None:
        """Never fire an event in a state again."""
        self._model.refuse(*pair, reason)
        self._note(Refused(*self._names(pair), reason))
        self._agenda.close(*pair)
        self._agenda.distrust(pair[0])
        self._failed(pair, reason)

    def blame(self, pair: Pair, reason: str, *, hung: bool) -> None:
        """Count a lost page against the event that lost it, which is fired no more in the end.

        One that hung is not fired again at all, unless it has been seen to work: a crawl has
        no time to wait for it twice.
        """
        self._losses[pair] += 1
        is_hopeless = hung and not self._agenda.is_decided(pair)
        if (is_hopeless or self._losses[pair] >= MAX_LOSSES) and pair not in self._model.refused:
            self.refuse(pair, reason)

    def release(self, pair: Pair, *, is_excused: bool) -> None:
        """Open an event again that its cursor did not get to, unless that keeps happening.

        What is excused does not count: it can't happen for ever.
        """
        if self._agenda.is_decided(pair):
            return
        self._attempts[pair] += not is_excused
        if self._attempts[pair] < MAX_ATTEMPTS:
            self._agenda.open(*pair)
        else:
            self.give_up(pair)

    def give_up(self, pair: Pair) -> None:
        """Leave an event: no way leads to it."""
        self._agenda.close(*pair)
        self.given_up.append(pair)
        self._note(GivenUp(*self._names(pair)))
        self._failed(pair, "")

    def _names(self, pair: Pair) -> tuple[str, str]:
        return self._model.states[pair[0]], self._model.events[pair[1]].identity
