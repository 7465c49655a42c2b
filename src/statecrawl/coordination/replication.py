"""States on two successors: what a coordinator keeps for others, and hands over in a new view."""

from collections import defaultdict
from collections.abc import Iterable

from statecrawl.coordination.chord import Ring
from statecrawl.coordination.ledger import Ledger, Record
from statecrawl.coordination.machine import Address
from statecrawl.coordination.membership import REPLICAS
from statecrawl.coordination.ring_messages import Copy, StateInfo
from statecrawl.core.facts import Executed


class Replicas:
    """Copies of states of others, and which own states are not yet copied.

    What is known of a state only grows, so copies are merged by taking all of both.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._copies: dict[str, Record] = {}
        self._missing: dict[str, set[Address]] = {}
        self._waiting: defaultdict[str, list[StateInfo]] = defaultdict(list)

    @property
    def is_settled(self) -> bool:
        """Tell whether every own state is copied."""
        return not self._missing

    def copy_of(self, state: str) -> Copy:
        """Return an own state as it is now."""
        return _copy(state, self._ledger.records[state])

    def await_copies(self, message: StateInfo, keepers: Iterable[Address]) -> bool:
        """Let a crawler wait until its state is copied; False: there is nobody to copy it."""
        self._missing[message.state] = set(keepers)
        self._waiting[message.state].append(message)
        return self._is_copied(message.state)

    def is_waiting(self, message: StateInfo) -> bool:
        """Let a crawler wait, too, if its state is not copied yet."""
        if message.state not in self._missing:
            return False
        self._waiting[message.state].append(message)
        return True

    def copied(self, keeper: Address, state: str) -> list[StateInfo]:
        """Hear that a state is kept; return the crawlers that need not wait any more."""
        self._missing.get(state, set()).discard(keeper)
        if state not in self._missing or not self._is_copied(state):
            return []
        del self._missing[state]
        return self._waiting.pop(state, [])

    def released(self, state: str) -> list[StateInfo]:
        """Return who waits for a state that is copied."""
        self._missing.pop(state, None)
        return self._waiting.pop(state, [])

    def _is_copied(self, state: str) -> bool:
        return not self._missing[state]

    def keep(self, copy: Copy) -> None:
        """Keep a state of another coordinator, or merge what is new about it."""
        record = self._copies.get(copy.state)
        if record is None:
            record = self._copies[copy.state] = Record(copy.snapshot, copy.path)
        for fact in copy.decided:
            if fact.event in record.undecided:
                record.undecided.discard(fact.event)
                record.decided[fact.event] = fact

    def handovers(self, ring: Ring, me: Address) -> dict[Address, list[Copy]]:
        """Return for each member of a view what it has to keep, as far as it is known here."""
        copies: dict[Address, list[Copy]] = {member: [] for member in ring.members if member != me}
        for state, record in (*self._ledger.records.items(), *self._copies.items()):
            copy = _copy(state, record)
            owner = ring.owner(state)
            for member in (owner, *ring.after(owner, REPLICAS)):
                if member != me:
                    copies[member].append(copy)
        return copies

    def resettle(self, ring: Ring, me: Address) -> list[str]:
        """Move states that changed hands; return those that are the coordinator's own anew."""
        ledger = self._ledger
        self._missing.clear()
        self._waiting.clear()
        for state in [each for each in ledger.records if ring.owner(each) != me]:
            self.keep(_copy(state, ledger.records[state]))
            ledger.release(state)
        taken = []
        for state in [each for each in self._copies if ring.owner(each) == me]:
            record = self._copies.pop(state)
            if state not in ledger.records:
                ledger.store(state, record.snapshot, record.path)
                taken.append(state)
            for fact in record.decided.values():
                if isinstance(fact, Executed):
                    ledger.executed(fact)
                else:
                    ledger.decide(fact)
        return taken


def _copy(state: str, record: Record) -> Copy:
    return Copy(state, record.snapshot, record.path, tuple(record.decided.values()))
