"""The model of an application as far as it is known: M = (S, s1, Σ, δ), append-only."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from statecrawl.core.plan import Step
from statecrawl.core.roll import Roll
from statecrawl.core.rows import Texts
from statecrawl.core.shelf import InMemory, Shelf
from statecrawl.core.small_maps import SmallLists, SmallMaps
from statecrawl.core.snapshot import Event

OFTEN = 6
"""So often an event must have led to another place each time to count as never the same."""

BLANK = 0
"""The state of a tab before anything is loaded. Its events are the entries (URLs); to fire
one of them is a reset, and every tab can be blanked at any time. So resets, several entries
and entries nobody has loaded yet need no cases of their own."""


TAKEN = 10_000
"""Of so many states the edge taken last is kept as it is."""

_TIMES = 32
_ONCE_MORE = 1 << _TIMES
_TARGET = _ONCE_MORE - 1


class Transition(NamedTuple):
    """An event fired in a state, as the model knew it: where it led, and how often it was fired.

    Not explored yet: never fired, and the target is a guess or None. Once it led elsewhere,
    `outcomes` counts every target, and the target stays the first one seen. An assumed one
    counts as explored until it is executed after all.
    """

    source: int
    event: int
    target: int | None
    step: Step
    times: int = 0
    outcomes: Mapping[int, int] | None = None
    is_assumed: bool = False

    @property
    def is_never_the_same(self) -> bool:
        """Tell whether it led elsewhere each time, and often: nobody gets to a place twice."""
        return self.times >= OFTEN and len(self.outcomes or ()) == self.times


class Recorded(Enum):
    """What one more execution of an event told the model."""

    EXPLORED = auto()  # the first execution from this state
    REPEATED = auto()  # it led where it led before
    DIVERGED = auto()  # it led where it never led before
    CONFIRMED = auto()  # it led where it was assumed to lead
    MISLED = auto()  # it did not lead where it was assumed to


class Model:
    """States and events as small integers, with the transitions between them.

    `successors[s]` are the states that s leads to by an event that never led elsewhere, where there
    is one: edges that a transfer can rely on. `predecessors` holds the same edges backwards.
    `outcomes` counts, for every state and event that led to more than one state, where it led.

    There may be millions of states, each with a transition or two: those are kept as numbers, and a
    `Transition` is made for whoever asks. What is known of states and is seldom asked for is on
    the shelf, where others may put what they know of them.
    """

    def __init__(self, entries: Sequence[str], shelf: Shelf | None = None) -> None:
        self.shelf = shelf or InMemory()
        self.states = Roll(shelf=self.shelf)
        self.state = self.states.number
        """Returns the number of a state, or None when it is not known."""
        self._ids = self.states.texts
        self.events: list[Event] = []
        self.enabled: list[tuple[int, ...]] = []
        self.regions = Texts(self.shelf)
        self.successors = SmallMaps("i")  # and by which event
        self.predecessors = SmallLists()
        self.outcomes: dict[tuple[int, int], dict[int, int]] = {}
        self.refused: dict[tuple[int, int], str] = {}
        self.event_numbers: dict[str, int] = {}
        self.transition_count = 0
        # Where each event led first: the target, and above it how often it was fired since; of
        # what is only assumed the complement of the target.
        self._led = SmallMaps()
        self._sources, self._ways = array("i"), array("i")
        self._offers: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._blind_steps: list[Step] = []
        self._taken: dict[int, Transition] = {}
        self.add_state("", [Event(f"load {entry}") for entry in entries], {})
        self.entries = dict(zip(self.enabled[BLANK], entries, strict=True))

    def event(self, identity: str) -> int:
        """Return the number of an event that some state has."""
        return self.event_numbers[identity]

    @property
    def state_count(self) -> int:
        """How many states of the application are known."""
        return len(self.states) - 1

    def origin(self, state: int) -> tuple[int, int]:
        """Return the state and the event that led to a state first, as far as that was said."""
        return self._sources[state], self._ways[state]

    def add_state(
        self,
        public_id: str,
        events: Iterable[Event],
        regions: Mapping[str, str],
        origin: tuple[int, int] = (BLANK, BLANK),
    ) -> int:
        """Add a state with its enabled events, and what led there; return its number."""
        state = self.states.append(public_id)
        offered = tuple(dict.fromkeys(self.number(event) for event in events))
        self.enabled.append(self._offers.setdefault(offered, offered))
        self.regions.append(regions)
        self._sources.append(origin[0])
        self._ways.append(origin[1])
        for edges in (self._led, self.successors, self.predecessors):
            edges.append()
        return state

    def enable(self, state: int, events: Iterable[Event], regions: Mapping[str, str]) -> None:
        """Say which events a state has that was known only by name.

        Of those that were, more is known then. What an event is stays as it was seen first.
        """
        numbers = {self.number(event): event for event in events}
        for number, event in numbers.items():
            if self.events[number] == Event(event.identity):
                self.events[number] = event
        self.enabled[state] = tuple(numbers)
        self.regions[state] = regions

    def number(self, event: Event) -> int:
        """Return the number of an event, which may be new."""
        number = self.event_numbers.get(event.identity)
        if number is None:
            number = self.event_numbers[event.identity] = len(self.events)
            self.events.append(event)
            self._blind_steps.append(Step(event.identity, None))
        return number

    def add_entry(self, url: str) -> int | None:
        """Add a URL that a reset can go to and return its event; None: it is known."""
        known = self.event_numbers.get(f"load {url}")
        if known is not None and known in self.entries:
            return None
        event = self.number(Event(f"load {url}"))
        self.enabled[BLANK] = (*self.enabled[BLANK], event)
        self.entries[event] = url
        return event

    def uncertain(self, source: int, event: int, target: int | None = None) -> Transition:
        """Return a transition to take that may lead anywhere; the target is a guess, if any."""
        step = self._blind_steps[event]
        if target is not None:
            step = Step(step.event, self._ids[target])
        return Transition(source, event, target, step)

    def transition(self, source: int, event: int) -> Transition | None:
        """Return where an event led in a state, or is assumed to; None when nobody has fired it."""
        led = self._led.get(source, event)
        return None if led is None else self._transition(source, event, led)

    def transitions(self, source: int) -> list[Transition]:
        """Return where the events of a state led, in the order of firing them first."""
        return [self._transition(source, *each) for each in self._led.items(source)]

    def is_explored(self, source: int, event: int) -> bool:
        """Tell whether an event was fired in a state, or is assumed to lead somewhere."""
        return event in self._led[source]

    def _transition(self, source: int, event: int, led: int) -> Transition:
        target = ~led if led < 0 else led & _TARGET
        step = Step(self._blind_steps[event].event, self._ids[target])
        if led < 0:
            return Transition(source, event, target, step, 1, None, is_assumed=True)
        outcomes = self.outcomes.get((source, event)) if self.outcomes else None
        return Transition(source, event, target, step, (led >> _TIMES) + 1, outcomes)

    def record(self, source: int, event: int, target: int) -> Recorded:
        """Record that an event was fired in a state once more, and where it led."""
        led = self._explore(source, event, target)
        if led is None:
            return Recorded.EXPLORED
        self._taken.pop(source, None)
        if led < 0:
            self._led.put(source, event, target)
            if target == ~led:
                return Recorded.CONFIRMED
            self._drop(source, event, ~led)
            self._connect(source, event, target)
            return Recorded.MISLED
        self._led.put(source, event, led + _ONCE_MORE)
        first, pair = led & _TARGET, (source, event)
        outcomes = self.outcomes.get(pair)
        if outcomes is None:
            if first == target:
                return Recorded.REPEATED
            outcomes = self.outcomes[pair] = {first: (led >> _TIMES) + 1}
            self._drop(source, event, first)
        seen = outcomes.get(target, 0)
        outcomes[target] = seen + 1
        return Recorded.REPEATED if seen else Recorded.DIVERGED

    def learn(self, source: int, event: int, target: int) -> int | None:
        """Record where an event led if nobody knew; else return where it led first."""
        led = self._explore(source, event, target)
        if led is None:
            return None
        return ~led if led < 0 else led & _TARGET

    def _explore(self, source: int, event: int, target: int) -> int | None:
        """Record the first execution of an event; return what is known if it was not the first."""
        led = self._led.setdefault(source, event, target)
        if led is None:
            self._taken.pop(source, None)
            self.transition_count += source != BLANK
            self._connect(source, event, target)
        return led

    def repeat(self, source: int, event: int) -> bool:
        """Record that an event led again where it always did; False: it is not known to do so.

        Of what others have explored nothing is recorded.
        """
        led = self._led.get(source, event)
        if led is None:
            return True
        if led < 0 or (self.outcomes and (source, event) in self.outcomes):
            return False
        self._taken.pop(source, None)
        self._led.put(source, event, led + _ONCE_MORE)
        return True

    def assume(self, source: int, event: int, target: int) -> None:
        """Take it that an event nobody has fired leads to a state."""
        self.record(source, event, target)
        self._led.put(source, event, ~target)

    def rely(self, source: int, edges: dict[int, int]) -> None:
        """Take in to which states others have seen a state lead, each with the event.

        The edges are given away: nobody may change them later.
        """
        edges.pop(source, None)
        self.predecessors.add(self.successors.merge(source, edges), source)

    def put_last(self, source: int, target: int) -> None:
        """Let all other edges of a state come before one."""
        event = self.successors.get(source, target)
        if event is not None:
            self.successors.remove(source, target)
            self.successors.put(source, target, event)

    def edge(self, source: int, target: int) -> Transition:
        """Return the transition to take from a state to one of its successors.

        Most ways go on from a state as the one before did: that edge is not put together again.
        """
        taken = self._taken.get(source)
        if taken is None or taken.target != target:
            if len(self._taken) >= TAKEN:
                self._taken.clear()
            taken = self._taken[source] = self._edge(source, target)
        return taken

    def _edge(self, source: int, target: int) -> Transition:
        event = self.successors.get(source, target)
        if event is None:
            raise KeyError((source, target))
        led = self._led.get(source, event)
        if led is None or led < 0 or self.outcomes:
            return self._transition(source, event, target if led is None else led)
        step = Step(self._blind_steps[event].event, self._ids[target])
        return Transition(source, event, target, step, (led >> _TIMES) + 1)

    def steps(self, source: int) -> tuple[Step, ...]:
        """Return how to get from a state to each of its successors."""
        return tuple(
            Step(self.events[event].identity, self._ids[target])
            for target, event in self.successors.items(source)
        )

    def _connect(self, source: int, event: int, target: int) -> None:
        """Rely on a transition, unless another one leads to the same target."""
        if target != source and self.successors.setdefault(source, target, event) is None:
            self.predecessors.add((target,), source)

    def refuse(self, source: int, event: int, reason: str = "") -> None:
        """Record that the event could not be fired in a state that offered it, and why."""
        self.refused[source, event] = reason
        self.distrust(source, event)

    def is_trusted(self, source: int, event: int) -> bool:
        """Tell whether an event never led elsewhere in a state and never failed."""
        return (source, event) not in self.outcomes and (source, event) not in self.refused

    def distrust(self, source: int, event: int) -> None:
        """Rely no more on an event in a state: it is not fired again to get somewhere."""
        transition = self.transition(source, event)
        if transition is not None and transition.target is not None:
            self._drop(source, event, transition.target)

    def _drop(self, source: int, event: int, target: int) -> None:
        """Take an edge away, unless another event leads to the same target."""
        if self.successors.get(source, target) != event:
            return
        self._taken.pop(source, None)
        for other in self.transitions(source):
            if (
                other.event != event
                and other.target == target
                and self.is_trusted(source, other.event)
            ):
                self.successors.put(source, target, other.event)
                return
        self.successors.remove(source, target)
        self.predecessors.remove(target, source)
