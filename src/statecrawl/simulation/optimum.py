"""The optimal cost of a known model: what a crawl could cost if it knew the model beforehand."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from statecrawl.core.application import Application
from statecrawl.errors import InputError

MAX_RESET_COST = 1_000_000
_MAX_DENOMINATOR = 1000


class OptimumKind(StrEnum):
    """How well the optimal cost to all states is known."""

    EXACT = "exact"
    LOWER_BOUND = "lower_bound"


@dataclass(frozen=True)
class Optimum:
    """The cost of the cheapest walks over a model, in events.

    `to_all_states` visits every state. Unless it is exact no walk costs less, and one that
    costs `upper_bound` is known. `to_end` executes every transition and loads every entry;
    it is always exact.
    """

    to_all_states: float
    kind: OptimumKind
    upper_bound: float
    to_end: float


def optimum(application: Application) -> Optimum:
    """Return the optimal costs of a crawl of an application.

    A walk starts in a blank tab. To load an entry costs the reset cost, an event costs 1, to
    go back to the blank tab nothing; it ends anywhere. So a closed walk costs no more than an
    open one, and both figures are cheapest circulations through the blank tab. The reset
    cost counts as the nearest fraction with a denominator of at most 1,000.

    Where an event has several outcomes it counts as leading to the most frequent one; an
    unexplored event counts as none. States that cannot be reached so are left out.
    """
    try:
        import numpy as np  # noqa: PLC0415 - all three come with OR-tools, an optional extra

        from statecrawl.simulation.circulation import BLANK, Network  # noqa: PLC0415
        from statecrawl.simulation.connection import cheapest_walk  # noqa: PLC0415
    except ImportError:
        raise InputError("the optimal cost needs OR-tools: pip install 'statecrawl[lab]'") from None
    if not 0 <= application.reset_cost <= MAX_RESET_COST:
        raise InputError(
            f"the cost of reset is {application.reset_cost}; "
            f"the optimal cost needs one from 0 to {MAX_RESET_COST:,}"
        )
    reset = Fraction(application.reset_cost).limit_denominator(_MAX_DENOMINATOR)
    event_cost, reset_cost = reset.denominator, reset.numerator
    steps = _steps(application)
    numbers = {state: number for number, state in enumerate(steps, BLANK + 1)}
    arcs = [(BLANK, numbers[entry], reset_cost, 1) for entry in application.all_entries]
    arcs += [(number, BLANK, 0, 0) for number in numbers.values()]
    repeats = 0
    for state, targets in steps.items():
        repeats += targets.pop(state, 0)
        number = numbers[state]
        arcs += [(number, numbers[target], event_cost, n) for target, n in targets.items()]
    tail, head, cost, times = np.array(arcs, dtype=np.int64).T.copy()
    network = Network(len(steps) + 1, tail, head, cost, event_cost)
    bounds = cheapest_walk(network)
    end = network.total(network.circulation(at_least=times)) + repeats * event_cost
    return Optimum(
        to_all_states=bounds.lower / event_cost,
        kind=OptimumKind.EXACT if bounds.is_exact else OptimumKind.LOWER_BOUND,
        upper_bound=bounds.upper / event_cost,
        to_end=end / event_cost,
    )


def _steps(application: Application) -> dict[str, Counter[str]]:
    """Return for each state that can be reached how many of its events lead to which state."""
    steps: dict[str, Counter[str]] = {}
    waiting = list(application.all_entries)
    while waiting:
        state = waiting.pop()
        if state not in steps:
            steps[state] = Counter(_targets(application, state))
            waiting.extend(steps[state])
    return steps


def _targets(application: Application, state: str) -> Iterable[str]:
    outcomes = application.outcomes.get(state, {})
    for event, target in application.states[state].items():
        counts = outcomes.get(event)
        likely = max(counts, key=counts.__getitem__) if counts else target
        if likely is not None:
            yield likely
