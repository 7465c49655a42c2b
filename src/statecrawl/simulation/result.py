"""What a simulated crawl cost, in the measures of section 7."""

from dataclasses import dataclass
from math import ceil
from typing import Any

from statecrawl.core.session import Crawl
from statecrawl.core.stopping import StopReason
from statecrawl.simulation.optimum import Optimum
from statecrawl.strategies.metamodel import Metamodel

QUARTILES = (25, 50, 75, 100)


@dataclass(frozen=True)
class Result:
    """One strategy's crawl of one model, beside the optimum where that is known."""

    model: str
    strategy: str
    crawl: Crawl
    seconds: float
    optimum: Optimum | None

    def cost_of_states(self, percent: int) -> float:
        """Return the cost at which this share of the states had been found; 0: the first."""
        discoveries = self.crawl.discoveries
        found = max(1, ceil(len(discoveries) * percent / 100))
        return self.crawl.cost(*discoveries[found - 1])

    @property
    def curve(self) -> list[tuple[float, int]]:
        """The states found against the cost, a point for each state."""
        return [
            (self.crawl.cost(*spent), number)
            for number, spent in enumerate(self.crawl.discoveries, start=1)
        ]

    @property
    def cost(self) -> float:
        """What the whole crawl cost."""
        return self.crawl.cost(self.crawl.events, self.crawl.resets)

    def to_json(self) -> dict[str, Any]:
        """Return the figures, as the command line prints them."""
        crawl, optimum, strategy = self.crawl, self.optimum, self.crawl.strategy
        events, resets = crawl.discoveries[-1]
        return {
            "model": self.model,
            "states": crawl.model.state_count,
            "transitions": crawl.model.transition_count,
            "reset_cost": crawl.reset_cost,
            "strategy": self.strategy,
            "events_to_all_states": events,
            "resets_to_all_states": resets,
            "cost_to_all_states": self.cost_of_states(100),
            "cost_to_states": {
                "first": self.cost_of_states(0),
                **{f"{percent}%": self.cost_of_states(percent) for percent in QUARTILES},
            },
            "events": crawl.events,
            "resets": crawl.resets,
            "cost": self.cost,
            "optimal_cost": optimum and optimum.to_all_states,
            "optimal_is": optimum and optimum.kind,
            "optimal_upper_bound": optimum and optimum.upper_bound,
            "optimal_cost_to_end": optimum and optimum.to_end,
            "complete": crawl.stop_reason is StopReason.COMPLETE,
            "not_combined": len(crawl.not_combined),
            "seconds": round(self.seconds, 3),
            "violations": dict(strategy.violations) if isinstance(strategy, Metamodel) else {},
            "nondeterministic": [
                {"state": state, "event": event} for state, event in crawl.nondeterministic
            ],
            "failures": dict(crawl.failures),
            "given_up": len(crawl.given_up),
        }
