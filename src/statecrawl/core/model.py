"""The model of an application as far as it is known: M = (S, s1, Σ, δ), append-only."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from statecrawl.core.plan import Step
from statecrawl.core.snapshot import Event

OFTEN = 6
"""So often an event must have led to another place each time to count as never the same."""

BLANK = 0
"""The state of a tab before anything is loaded. Its events are the entries (URLs); to fire
one of them is a reset, and every tab can be blanked at any time. So resets, several entries
and entries nobody has loaded yet need no cases of their own."""


@dataclass(slots=True, eq=False)
class Transition:
    """An event fired in a state: where it led, and how often it was fired.

    Not explored yet: never fired, and the target is a guess or None. Once it led elsewhere,
    `outcomes` counts every target, and the target stays the first one seen. An assumed one
    counts as explored until it is executed after all.
    """

    source: int
    event: int
    target: int | None
    step: Step
    times: int = 0
    outcomes: dict[int, int] | None = None
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

    `successors[s][t]` is a step from s to t that never led elsewhere, where there is one: an
    edge that a transfer can rely on. `predecessors` holds the same edges backwards.
    """

    def __init__(self, entries: Sequence[str]) -> None:
        self.states: list[str] = []
        self.events: list[Event] = []
        self.enabled: list[tuple[int, ...]] = []
        self.regions: list[Mapping[str, str]] = []
        self.delta: list[dict[int, Transition]] = []
        self.successors: list[dict[int, Step]] = []
        self.predecessors: list[list[int]] = []
        self.nondeterministic: list[Transition] = []
        self.refused: dict[tuple[int, int], str] = {}
        self.state_numbers: dict[str, int] = {}
        self.event_numbers: dict[str, int] = {}
        self._blind_steps: list[Step] = []
        self.add_state("", [Event(f"load {entry}") for entry in entries], {})
        self.entries = dict(zip(self.enabled[BLANK], entries, strict=True))

    def state(self, public_id: str) -> int | None:
        """Return the number of a state, or None when it is not known."""
        return self.state_numbers.get(public_id)

    def event(self, identity: str) -> int:
        """Return the number of an event that some state has."""
        return self.event_numbers[identity]

    @property
    def state_count(self) -> int:
        """How many states of the application are known."""
        return len(self.states) - 1

    @property
    def transition_count(self) -> int:
        """How many transitions of the application were explored."""
        return sum(len(transitions) for transitions in self.delta[BLANK + 1 :])

    def add_state(self, public_id: str, events: Iterable[Event], regions: Mapping[str, str]) -> int:
        """Add a state with its enabled events and return its number."""
        state = len(self.states)
        self.state_numbers[public_id] = state
        self.states.append(public_id)
        self.enabled.append(tuple(dict.fromkeys(self.number(event) for event in events)))
        self.regions.append(regions)
        self.delta.append({})
        self.successors.append({})
        self.predecessors.append([])
        return state

    def enable(self, state: int, events: Iterable[Event], regions: Mapping[str, str]) -> None:
        """Say which events a state has that was known only by name."""
        numbers = {self.number(event): event for event in events}
        for number, event in numbers.items():
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
            step = Step(step.event, self.states[target])
        return Transition(source, event, target, step)

    def record(self, executed: Transition, target: int) -> Recorded:
        """Record that a transition was executed once more, and where it led."""
        source, event = executed.source, executed.event
        transition = self.delta[source].setdefault(event, executed)
        if not transition.times:
            self._lead(transition, target)
            return Recorded.EXPLORED
        if transition.is_assumed:
            transition.is_assumed = False
            if target == transition.target:
                return Recorded.CONFIRMED
            self.distrust(transition)
            self._lead(transition, target)
            return Recorded.MISLED
        first = transition.target
        if first is not None and first != target and transition.outcomes is None:
            transition.outcomes = {first: transition.times}
            self.nondeterministic.append(transition)
            self.distrust(transition)
        transition.times += 1
        if transition.outcomes is None:
            return Recorded.REPEATED
        seen = transition.outcomes.get(target, 0)
        transition.outcomes[target] = seen + 1
        return Recorded.REPEATED if seen else Recorded.DIVERGED

    def explore(self, source: int, event: int, target: int) -> None:
        """Record where an event led that was never executed in a state."""
        step = Step(self.events[event].identity, self.states[target])
        transition = self.delta[source][event] = Transition(source, event, target, step, 1)
        self._connect(transition, target)

    def rely(self, source: int, steps: Iterable[Step]) -> None:
        """Take in edges of a state that others have explored, between states that are known."""
        successors, predecessors = self.successors[source], self.predecessors
        numbers = self.state_numbers
        for step in steps:
            target = numbers[step[1] or ""]
            if target not in successors:
                successors[target] = step
                predecessors[target].append(source)

    def put_last(self, source: int, target: int) -> None:
        """Let all other edges of a state come before one."""
        step = self.successors[source].pop(target, None)
        if step is not None:
            self.successors[source][target] = step

    def edge(self, source: int, target: int) -> Transition:
        """Return the transition to take from a state to one of its successors."""
        step = self.successors[source][target]
        event = self.event_numbers[step.event]
        explored = self.delta[source].get(event)
        return explored or Transition(source, event, target, step, 1)

    def assume(self, source: int, event: int, target: int) -> None:
        """Take it that an event nobody has fired leads to a state."""
        transition = self.delta[source][event] = self.uncertain(source, event)
        self._lead(transition, target)
        transition.is_assumed = True

    def _lead(self, transition: Transition, target: int) -> None:
        """Let a transition lead to a state: an edge to rely on from now on."""
        transition.times = 1
        transition.target = target
        transition.step = Step(transition.step.event, self.states[target])
        self._connect(transition, target)

    def _connect(self, transition: Transition, target: int) -> None:
        """Rely on a transition, unless another one leads to the same target."""
        source = transition.source
        if target != source and target not in self.successors[source]:
            self.successors[source][target] = transition.step
            self.predecessors[target].append(source)

    def refuse(self, source: int, event: int, reason: str = "") -> None:
        """Record that the event could not be fired in a state that offered it, and why."""
        self.refused[source, event] = reason
        transition = self.delta[source].get(event)
        if transition is not None:
            self.distrust(transition)

    def is_trusted(self, transition: Transition) -> bool:
        """Tell whether the transition never led elsewhere and never failed."""
        pair = (transition.source, transition.event)
        return transition.outcomes is None and pair not in self.refused

    def distrust(self, transition: Transition) -> None:
        """Take the transition's edge away, unless another one leads to the same target.

        It is not walked any more to get somewhere.
        """
        source, target = transition.source, transition.target
        if target is None or self.successors[source].get(target) != transition.step:
            return
        for other in self.delta[source].values():
            if other is not transition and other.target == target and self.is_trusted(other):
                self.successors[source][target] = other.step
                return
        del self.successors[source][target]
        self.predecessors[target].remove(source)
