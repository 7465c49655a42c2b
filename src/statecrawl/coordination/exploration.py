"""Forward exploration (Ben Hafaiedh et al. 2014): what coordinators tell of used-up states.

A state is jumped over only when its coordinator has said that it has nothing left to give out;
otherwise that one is asked. Once all its transitions are acknowledged, all of them are told.
"""

from collections import defaultdict

from statecrawl.coordination.ledger import Ledger
from statecrawl.coordination.machine import Address
from statecrawl.coordination.ring_messages import Exhausted
from statecrawl.core.plan import Step


class Exploration:
    """What one coordinator knows of used-up states, and what it has told each other one.

    Each tells of its own states only, so everybody is told of a state once.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._complete: dict[str, None] = {}
        self._partial: dict[str, Exhausted] = {}
        self._under_way: dict[str, tuple[Step, ...]] = {}
        self._logged: set[str] = set()
        self._log: list[Exhausted] = []
        self._told: defaultdict[Address, int] = defaultdict(int)

    def under_way(self, state: str) -> tuple[Exhausted, ...]:
        """Return what is known so far of an own state that has undecided events, if so."""
        return (self._knowledge(state),) if self._ledger.records[state].undecided else ()

    def _knowledge(self, state: str) -> Exhausted:
        model = self._ledger.book.model
        number = self._ledger.book.number(state)
        steps = model.steps(number)
        is_complete = not self._ledger.records[state].undecided
        return Exhausted(state, steps, is_complete, self._ledger.is_open(state))

    def given_out(self, state: str) -> None:
        """Notice that an own state has nothing left to give out, while some of it is under way."""
        if state not in self._logged and state not in self._under_way:
            knowledge = self._knowledge(state)
            self._under_way[state] = knowledge.steps
            self._log.append(knowledge)

    def used_up(self, state: str) -> None:
        """Notice that all events of an own state are decided; only what is new is told."""
        self._complete[state] = None
        if state not in self._logged:
            self._logged.add(state)
            knowledge = self._knowledge(state)
            told = frozenset(self._under_way.pop(state, ()))
            steps = tuple(step for step in knowledge.steps if step not in told)
            self._log.append(knowledge._replace(steps=steps))

    def untold(self, peer: Address) -> tuple[Exhausted, ...]:
        """Return what another coordinator was not told yet; it counts as told from now on."""
        told, self._told[peer] = self._told[peer], len(self._log)
        return tuple(self._log[told:])

    def lacking(self, peer: Address, state: str) -> tuple[Exhausted, ...]:
        """Return what another coordinator lacks that has asked for an own state in vain."""
        untold, asked = self.untold(peer), self._knowledge(state)
        return untold if asked in untold else (*untold, asked)

    def learn(self, knowledge: tuple[Exhausted, ...]) -> None:
        """Take in what another coordinator tells."""
        book = self._ledger.book
        for each in knowledge:
            if each.state in self._complete or self._partial.get(each.state) == each:
                continue
            self._partial[each.state] = each
            source = book.number(each.state)
            book.rely(source, each.steps)
            if each.is_complete:
                self._complete[each.state] = None
                del self._partial[each.state]
            if not each.is_open and each.state not in self._ledger.records:
                book.exhaust(source)

    def resettle(self) -> None:
        """Look again at what is used up, after states have changed hands.

        Everybody is told everything again: they may have died and come back.
        """
        self._told.clear()
        self._log.clear()
        self._logged.clear()
        self._under_way.clear()
        for state in self._complete:
            if state not in self._ledger.records:
                self._ledger.book.exhaust(self._ledger.book.number(state))
        for state, record in self._ledger.records.items():
            if not record.undecided:
                self.used_up(state)
            elif not self._ledger.is_open(state):
                self.given_out(state)
