"""Applications for tests: random ones, and how to compare a crawl with the truth."""

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from statecrawl.core.application import Application
from statecrawl.core.model import BLANK
from statecrawl.core.plan import Execution, Plan
from statecrawl.core.session import Crawl
from statecrawl.simulation.browser import SimulatedBrowser

MAX_STATES = 9
EVENTS = 6


@st.composite
def applications(draw: st.DrawFn) -> Application:
    """Small applications with dead ends, self-loops, events that appear and vanish.

    States that no event reaches get an entry of their own: only a reset leads there.
    """
    size = draw(st.integers(1, MAX_STATES))
    state = st.integers(0, size - 1)
    triples = draw(st.lists(st.tuples(state, st.integers(0, EVENTS - 1), state), max_size=40))
    states: dict[str, dict[str, str | None]] = {f"s{number}": {} for number in range(size)}
    for source, event, target in triples:
        states[f"s{source}"][f"e{event}"] = f"s{target}"
    return with_entries(Application("s0", states, draw(st.sampled_from([0, 0.5, 1, 2, 3, 10]))))


def with_entries(application: Application) -> Application:
    """Give an entry to states until all can be reached."""
    entries = [application.initial]
    reached: set[str] = set()
    for state in application.states:
        if state == application.initial or state not in reached:
            if state not in entries:
                entries.append(state)
            waiting = [state]
            while waiting:
                found = waiting.pop()
                if found not in reached:
                    reached.add(found)
                    waiting.extend(application.targets(found))
    return Application(
        application.initial,
        application.states,
        application.reset_cost,
        entries,
        application.outcomes,
    )


def random_application(
    seed: int, *, states: int, events: int, nondeterministic: float = 0.0
) -> Application:
    """A larger random application; some of its events lead to one of two states by chance."""
    random = Random(seed)
    names = [f"s{number}" for number in range(states)]
    table: dict[str, dict[str, str | None]] = {}
    outcomes: dict[str, dict[str, dict[str, int]]] = {}
    for name in names:
        chosen = random.sample(range(2 * events), events)
        table[name] = {f"e{event}": random.choice(names) for event in chosen}
        for event, target in table[name].items():
            if random.random() < nondeterministic and target is not None:
                other = random.choice([n for n in names if n != target])
                outcomes.setdefault(name, {})[event] = {target: 3, other: 1}
    return with_entries(Application("s0", table, 2, (), outcomes))


def explored_model(crawl: Crawl) -> dict[str, dict[str, str]]:
    """What a crawl found, by name."""
    model = crawl.model
    return {
        model.states[state]: {
            transition.step.event: model.states[transition.target or BLANK]
            for transition in model.transitions(state)
        }
        for state in range(BLANK + 1, len(model.states))
    }


class RecordingBrowser:
    """A simulated browser that remembers every plan and every transition it made."""

    def __init__(self, application: Application, seed: int = 0) -> None:
        self._browser = SimulatedBrowser(application, Random(seed))
        self.plans: list[Plan] = []
        self.made: list[tuple[str, str, str]] = []
        self._state = ""

    async def execute(self, plan: Plan) -> Execution:
        execution = await self._browser.execute(plan)
        self.plans.append(plan)
        self._record(plan, execution)
        return execution

    def _record(self, plan: Plan, execution: Execution) -> None:
        fired: Sequence[str] = [step.event for step in plan.steps]
        if plan.entry is not None:
            fired = [f"load {plan.entry}", *fired]
            self._state = ""
        for event, snapshot in zip(fired, execution.snapshots, strict=False):
            self.made.append((self._state, event, snapshot.dom))
            self._state = snapshot.dom
