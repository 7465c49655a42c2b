"""Who owns which event of which state, and which are still to be explored."""

from collections.abc import Iterable, Sequence

from statecrawl.coordination.assign import ASSIGNMENTS
from statecrawl.core.facts import Assumed, EntryFound, Executed, Fact, Found, GivenUp, Refused

NOBODY = 0
"""The owner of an event that is to be dealt out; tokens of nodes are above."""

Pair = tuple[str, str]


class Ownership:
    """For every event that is left, its owner.

    A state's events are dealt out by ASSIGN over the `roster`, the nodes at the time it was
    found. Later only whole events change hands: given back by their owner, or left by a dead one.
    """

    def __init__(self, assignment: str, *, balances: bool = False) -> None:
        self.roster: tuple[int, ...] = ()
        self._balances = balances
        self._assign = ASSIGNMENTS[assignment]
        self._events: dict[str, list[str]] = {}
        self._rosters: dict[str, tuple[int, ...]] = {}
        self._owner: dict[Pair, int] = {}
        self._owned: dict[int, dict[Pair, None]] = {NOBODY: {}}
        self._outcomes: dict[Pair, set[str]] = {}
        self._discoveries: dict[Pair, None] = {}
        self._unplaced: dict[str, None] = {}

    @property
    def left(self) -> int:
        """How many events are known to be left."""
        return len(self._owner)

    def states(self) -> list[str]:
        """Return every state that is known, in the order of finding."""
        return list(self._events)

    def owner(self, state: str, event: str) -> int | None:
        """Return who is to explore an event; None: it is decided."""
        return self._owner.get((state, event))

    def owners(self, state: str) -> set[int]:
        """Return who has events of a state left to explore."""
        found = (self._owner.get((state, event)) for event in self._events[state])
        return {owner for owner in found if owner is not None}

    def outcomes(self, state: str, event: str) -> frozenset[str]:
        """Return all states that an event was seen to lead to, and how else it was decided."""
        return frozenset(self._outcomes.get((state, event), ()))

    def load(self, token: int) -> int:
        """Return how many events a node has left."""
        return len(self._owned.get(token, ()))

    def roster_of(self, state: str) -> tuple[int, ...]:
        """Return the nodes that a state was dealt out to."""
        return self._rosters[state]

    def is_discovery(self, fact: Fact) -> bool:
        """Tell whether a fact is a state, or how one was found."""
        if isinstance(fact, Executed):
            return (fact.source, fact.event) in self._discoveries
        return isinstance(fact, Found | EntryFound)

    def add(self, state: str, events: Iterable[str], finder: int = NOBODY) -> None:
        """Take in a state, and deal its events out."""
        self._events[state] = list(dict.fromkeys(events))
        self._place(state, self._seated(state, finder) if self._balances else self.roster)

    def _seated(self, state: str, finder: int) -> tuple[int, ...]:
        """Return the roster in the order that a state is dealt out in.

        If there are more nodes than events, who found the state gets one, since it is there
        already, and then those who have least to do.
        """
        roster, events = self.roster, self._events[state]
        if not 0 < len(events) < len(roster):
            return roster
        parts = self._assign(state, events, len(roster))
        places = list(dict.fromkeys((*parts, *range(len(roster)))))
        in_turn = (*roster[parts[0] :], *roster[: parts[0]])
        waiting = sorted(in_turn, key=lambda token: (token != finder, self.load(token)))
        seats = dict(zip(places, waiting, strict=True))
        return tuple(seats[place] for place in range(len(roster)))

    def assign_all(self) -> None:
        """Deal out over the roster what nobody owns, state by state."""
        for state in self._events:
            if not self._rosters[state]:
                self._place(state, self.roster)

    def _place(self, state: str, roster: tuple[int, ...]) -> None:
        self._rosters[state] = roster
        events = self._events[state]
        owners = self._assign(state, events, len(roster)) if roster and events else []
        for offset, event in enumerate(events):
            if (state, event) not in self._outcomes:
                self._give((state, event), roster[owners[offset]] if roster else NOBODY)

    def learn(self, fact: Fact, author: int = NOBODY) -> bool:
        """Take in a fact, and tell whether it is news."""
        if isinstance(fact, Found):
            if fact.state in self._events:
                return False
            self.add(fact.state, [event.identity for event in fact.snapshot.events], author)
            self._unplaced[fact.state] = None
            return True
        if isinstance(fact, EntryFound):
            event = f"load {fact.url}"
            if event in self._events[""]:
                return False
            self._events[""].append(event)
            self._give(("", event), NOBODY)
            return True
        return self._decide(fact, author)

    def _decide(self, fact: Executed | Refused | GivenUp | Assumed, author: int) -> bool:
        del author
        pair = (fact.source, fact.event)
        outcome = fact.target if isinstance(fact, Executed | Assumed) else type(fact).__name__
        known = self._outcomes.setdefault(pair, set())
        if outcome in known:
            return False
        known.add(outcome)
        if outcome in self._unplaced:
            del self._unplaced[outcome]
            self._discoveries[pair] = None
        owner = self._owner.pop(pair, None)
        if owner is not None:
            del self._owned[owner][pair]
        return True

    def release(self, token: int, pairs: Iterable[Pair]) -> None:
        """Take events from their owner, as it has offered."""
        for pair in pairs:
            if self._owner.get(pair) == token:
                self._give(pair, NOBODY)

    def release_all(self, token: int) -> None:
        """Take all events from a node that has gone."""
        self.release(token, list(self._owned.get(token, ())))
        self._owned.pop(token, None)

    def deal(self, tokens: Sequence[int]) -> dict[int, list[Pair]]:
        """Give every event that nobody owns to one of these nodes, in turn."""
        dealt: dict[int, list[Pair]] = {}
        for offset, pair in enumerate(list(self._owned[NOBODY])):
            token = tokens[offset % len(tokens)]
            self._give(pair, token)
            dealt.setdefault(token, []).append(pair)
        return dealt

    def _give(self, pair: Pair, token: int) -> None:
        before = self._owner.get(pair)
        if before is not None:
            del self._owned[before][pair]
        self._owner[pair] = token
        self._owned.setdefault(token, {})[pair] = None
