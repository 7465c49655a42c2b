"""What a distributed crawl came to, in the measures of the papers."""

from dataclasses import dataclass, field
from typing import Any

from statecrawl.core.application import Application
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.simulation.network import Network, Process


@dataclass
class Tally:
    """Counts what reaches the store, and at what cost."""

    network: Network
    states: int = 0
    transitions: int = 0
    to_all_states: tuple[int, int] = (0, 0)
    facts: list[Fact] = field(default_factory=list)

    def take(self, fact: Fact) -> None:
        """Count a fact."""
        self.facts.append(fact)
        if isinstance(fact, Found):
            self.states += 1
            self.to_all_states = self.spent()
        elif isinstance(fact, Executed) and fact.source:
            self.transitions += 1

    def spent(self) -> tuple[int, int]:
        """Return how many events and resets all crawlers have executed or begun."""
        return self.network.events, self.network.resets


@dataclass(frozen=True)
class Outcome:
    """One distributed crawl in virtual time."""

    application: Application
    network: Network
    tally: Tally
    is_over: bool
    simulated_seconds: float
    breakdown: dict[str, float]
    violations: list[str]

    @property
    def crawlers(self) -> list[Process]:
        """The processes with a browser."""
        return [each for each in self.network.processes.values() if each.browser]

    @property
    def coordinators(self) -> list[Process]:
        """The processes that serve messages."""
        return [each for each in self.network.processes.values() if not each.browser]

    @property
    def messages(self) -> int:
        """How many messages were sent, hops included."""
        return sum(self.network.messages.values())

    @property
    def is_complete(self) -> bool:
        """Tell whether the model that was stored is the whole application."""
        application = self.application
        found = self.tally.states, self.tally.transitions
        return self.is_over and found == (len(application.states), application.transition_count)

    @property
    def idle_share(self) -> float:
        """The share of their time in which crawlers execute nothing."""
        crawlers = self.crawlers
        total = self.simulated_seconds * len(crawlers)
        return 1 - sum(each.busy_seconds for each in crawlers) / total if total else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the figures, as the command line prints them."""
        events, resets = self.tally.spent()
        first_events, first_resets = self.tally.to_all_states
        cost = self.application.reset_cost
        return {
            "states": self.tally.states,
            "transitions": self.tally.transitions,
            "reset_cost": cost,
            "events_to_all_states": first_events,
            "resets_to_all_states": first_resets,
            "cost_to_all_states": first_events + first_resets * cost,
            "events": events,
            "resets": resets,
            "cost": events + resets * cost,
            "complete": self.is_complete,
            "simulated_seconds": round(self.simulated_seconds, 3),
            "messages": self.messages,
            "messages_by_kind": {
                kind.__name__: count for kind, count in self.network.messages.most_common()
            },
            "idle_share": round(self.idle_share, 4),
            "breakdown": {part: round(share, 4) for part, share in self.breakdown.items()},
            "violations": self.violations,
        }
