"""The states that belong to one coordinator of the ring, and what is left to do in them."""

from collections import Counter

from statecrawl.coordination.book import Book
from statecrawl.coordination.leases import Leases
from statecrawl.coordination.ring_messages import Decided
from statecrawl.core.facts import Executed, Fact, GivenUp, Refused
from statecrawl.core.patience import MAX_ATTEMPTS
from statecrawl.core.plan import Step
from statecrawl.core.snapshot import Snapshot

Pair = tuple[str, str]


class Record:
    """One state: its page, a way to it from a blank tab, and the events that are undecided."""

    __slots__ = ("decided", "path", "snapshot", "undecided")

    def __init__(self, snapshot: Snapshot, path: tuple[Step, ...]) -> None:
        self.snapshot = snapshot
        self.path = path
        self.undecided = {event.identity for event in snapshot.events}
        self.decided: dict[str, Decided] = {}


class Ledger:
    """Records, leases and the book: all that a coordinator has to keep."""

    def __init__(self, book: Book, leases: Leases) -> None:
        self.book = book
        self.leases = leases
        self.records: dict[str, Record] = {}
        self.left = 0
        self.changes = 0
        self._attempts: Counter[Pair] = Counter()
        self._working: dict[str, None] = {}
        self._numbers = book.model.states.numbers
        self._open = book.frontier.open

    def store(self, state: str, snapshot: Snapshot, path: tuple[Step, ...]) -> Record:
        """Take in a state that belongs to this coordinator now."""
        record = self.records[state] = Record(snapshot, path)
        self.left += len(record.undecided)
        self.changes += 1
        self.book.own(state, snapshot.events, snapshot.regions)
        if record.undecided:
            self._working[state] = None
        return record

    def release(self, state: str) -> None:
        """Let a state go to another coordinator, with the leases on its events."""
        record = self.records.pop(state)
        self.left -= len(record.undecided)
        self.changes += 1
        self._working.pop(state, None)
        self.book.disown(state)
        for event in record.undecided:
            self.leases.drop((state, event))

    def hold_back(self, state: str) -> None:
        """Close all events of a state: others may still be after them, whoever we gave them to."""
        for name in self.records[state].undecided:
            self.leases.drop((state, name))
        number = self.book.number(state)
        for event in list(self.book.frontier.open[number]):
            self.book.close(number, event)

    def executed(self, fact: Executed, *, is_new: bool = False) -> bool:
        """Take in where an event of one of its states led; False: that is known.

        One that leads elsewhere than the first time is news each time.
        """
        record = self.records[fact.source]
        book = self.book
        source = book.number(fact.source)
        is_first, known = fact.event in record.undecided, record.decided.get(fact.event)
        if is_first:
            record.undecided.discard(fact.event)
            record.decided[fact.event] = fact
            self.left -= 1
            book.close(source, book.model.event(fact.event))
        book.learn(source, fact.event, book.number(fact.target), is_new=is_new)
        return is_first or (isinstance(known, Executed) and known.target != fact.target)

    def decide(self, fact: Refused | GivenUp) -> bool:
        """Take in that an event of one of its states can't be explored; False: that is known."""
        record = self.records[fact.source]
        if fact.event not in record.undecided:
            return False
        record.undecided.discard(fact.event)
        record.decided[fact.event] = fact
        self.left -= 1
        self.book.close(self.book.number(fact.source), self.book.model.event(fact.event))
        return True

    def fail(self, pair: Pair) -> Fact | None:
        """Open an event again that was not reached; after too many times return that it is so."""
        self._attempts[pair] += 1
        if self._attempts[pair] >= MAX_ATTEMPTS:
            fact = GivenUp(*pair)
            return fact if self.decide(fact) else None
        self.reopen(pair)
        return None

    def reopen(self, pair: Pair) -> None:
        """Open an event again whose lease has ended."""
        state, event = pair
        record = self.records.get(state)
        if record is not None and event in record.undecided:
            self._working[state] = None
            self.book.open(self.book.number(state), self.book.model.event(event))

    def is_open(self, state: str) -> bool:
        """Tell whether a state has an event that nobody was given."""
        return bool(self._open[self._numbers[state]])

    def any_open(self) -> str | None:
        """Return a state of this coordinator's with an open event."""
        while self._working:
            state = next(iter(self._working))
            if self.is_open(state):
                return state
            del self._working[state]
        return None

    def first_open(self, state: str) -> str:
        """Return the first open event of a state that has one."""
        return self.book.model.events[next(iter(self._open[self._numbers[state]]))].identity

    def step(self, state: str, event: str, target: str) -> tuple[Step, ...]:
        """Return the way to a state that an event of a known one leads to."""
        path = self.records[state].path if state else ()
        return (*path, Step(event, target))
