"""What must hold of every distributed crawl, watched from outside: apart from the code it checks.

A checker sees what was executed, what was stored, and what processes say; it knows the truth.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

from statecrawl.core.application import Application
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.plan import Execution, Plan

Pair = tuple[str, str]


class Hold(NamedTuple):
    """Somebody explores an event, from a time to a time, or until its lease has ended."""

    holder: str
    start: float
    end: float
    deadline: Callable[[], float]

    def ends(self) -> float:
        """Return when nobody holds the event any more."""
        return min(self.end, self.deadline())


class Checker:
    """Watches one crawl of an application whose model is known.

    Where states have several names, `true_state` gives the one in the model; one name of each is
    to be stored.
    """

    def __init__(
        self, application: Application, true_state: Callable[[str], str] = lambda state: state
    ) -> None:
        self.violations: list[str] = []
        self._true = true_state
        self._names: dict[str, str] = {}
        self._truth = {
            (state, event): target
            for state, events in application.states.items()
            for event, target in events.items()
        }
        loads = {("", f"load {entry}"): entry for entry in application.all_entries}
        self._truth.update(loads)
        self._states = set(application.states)
        self._where: dict[str, str] = {}
        self._executed: set[Pair] = set()
        self._found: set[str] = set()
        self._stored: dict[Pair, str] = {}
        self._holds: defaultdict[Pair, list[Hold]] = defaultdict(list)
        self._ends: set[int] = set()

    def executed(self, crawler: str, plan: Plan, execution: Execution) -> None:
        """See what a crawler's browser did."""
        state = self._where.get(crawler, "")
        events = [event for event, _ in plan.steps]
        if plan.entry is not None:
            state = ""
            events.insert(0, f"load {plan.entry}")
        for event, snapshot in zip(events, execution.snapshots, strict=False):
            self._executed.add((state, event))
            state = self._true(snapshot.dom)
        self._where[crawler] = state

    def held(self, pair: Pair, hold: Hold) -> None:
        """See that a crawler was given an event to explore."""
        for other in self._holds[pair]:
            if other.holder != hold.holder and other.ends() > hold.start:
                self._violated(
                    f"{pair} is held by {other.holder} from {other.start:.3f} to "
                    f"{other.ends():.3f} and by {hold.holder} from {hold.start:.3f}"
                )
        self._holds[pair].append(hold)

    def died(self, crawler: str, now: float) -> None:
        """See a crawler die: it holds nothing any more, and its tab is gone."""
        self._where.pop(crawler, None)
        for pair, holds in self._holds.items():
            self._holds[pair] = [
                hold._replace(end=min(hold.end, now)) if hold.holder == crawler else hold
                for hold in holds
            ]

    def recalled(self, fact: Fact) -> None:
        """See what is stored of the same crawl, from before this part of it."""
        if isinstance(fact, Executed):
            self._executed.add((self._known(fact.source), fact.event))
        self.stored(fact)

    def stored(self, fact: Fact) -> None:
        """See what reached the store."""
        if isinstance(fact, Found):
            self._found.add(self._known(fact.state))
            if self._true(fact.state) not in self._states:
                self._violated(f"{fact.state!r} was stored, which does not exist")
        elif isinstance(fact, Executed):
            pair, target = (self._known(fact.source), fact.event), self._known(fact.target)
            if self._truth.get(pair) != target:
                self._violated(f"{pair} was stored to lead to {fact.target!r}")
            if pair not in self._executed:
                self._violated(f"{pair} was stored, but nobody has executed it")
            self._stored[pair] = target

    def _known(self, name: str) -> str:
        """Return the state with a name, which is the only one that it is stored by."""
        state = self._true(name)
        first = self._names.setdefault(state, name)
        if first != name:
            self._violated(f"{state!r} was stored as {first!r} and as {name!r}")
        return state

    def announced(self, decision: int) -> None:
        """See a crawler told that the crawl is over; one decision is told to many."""
        if decision in self._ends:
            return
        self._ends.add(decision)
        if len(self._ends) > 1:
            self._violated("termination was announced twice")
        missing = len(self._truth) - len(self._stored)
        if missing:
            self._violated(f"termination was announced with {missing} events left")

    def finish(self, *, is_over: bool) -> list[str]:
        """Return everything that was wrong, now that nothing happens any more."""
        if not is_over:
            self._violated("the crawl did not end")
        elif not self._ends:
            self._violated("termination was not announced")
        for what, count in (
            ("events were never executed", len(self._truth.keys() - self._executed)),
            ("states were lost", len(self._states - self._found)),
            ("transitions were lost", len(self._truth.keys() - self._stored.keys())),
        ):
            if count and is_over:
                self._violated(f"{count} {what}")
        return self.violations

    def _violated(self, what: str) -> None:
        if len(self.violations) < 20:
            self.violations.append(what)
