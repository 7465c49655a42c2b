"""The star in virtual time: one coordinator, nodes with an explicit application behind them."""

from random import Random

from statecrawl.coordination.machine import NEVER
from statecrawl.coordination.star_coordinator import StarCoordinator
from statecrawl.coordination.star_messages import Credentials, Stay
from statecrawl.coordination.star_node import StarNode
from statecrawl.coordination.star_settings import StarSettings
from statecrawl.core.application import Application
from statecrawl.core.session import Crawl
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import SimulatedBrowser, identity
from statecrawl.simulation.network import USUAL, Network, Timing
from statecrawl.simulation.outcome import Outcome, Tally

HUB = "coordinator"


def simulate_star(
    application: Application,
    strategy: StrategyFactory,
    nodes: int,
    timing: Timing = USUAL,
    *,
    assignment: str = "hash",
    passes_all: bool = True,
    balances: bool = True,
) -> Outcome:
    """Crawl an application with so many nodes, without faults."""
    settings = StarSettings(
        application.all_entries,
        nodes,
        application.reset_cost,
        assignment,
        passes_all=passes_all,
        balances=balances,
    )
    network = Network(timing, application.reset_cost)
    tally = Tally(network)
    network.on_fact = lambda _, fact: tally.take(fact)
    network.add_coordinator(HUB, StarCoordinator(settings))
    clocks = {f"node {number}": _Clock(timing) for number in range(nodes)}
    browser = SimulatedBrowser(application, Random(0))  # noqa: S311 - chances, not secrets
    for name in clocks:
        node = StarNode(HUB, lambda credentials: new_session(credentials, strategy))
        network.add_crawler(name, node, browser.sibling())
    network.on_message = lambda _, to, message: _watch(clocks, to, message)
    network.on_execution = lambda process, _, __, start, end: clocks[process.address].executed(
        start, end
    )
    for process in list(network.processes.values()):
        network.begin(process)
    network.run()
    hub = network.processes[HUB].machine
    is_over = isinstance(hub, StarCoordinator) and hub.is_over
    breakdown = _breakdown(network, clocks)
    return Outcome(application, network, tally, is_over, network.now, breakdown, [])


def new_session(credentials: Credentials, strategy: StrategyFactory) -> Crawl:
    """Return the session of a node over a simulated application."""
    entries, cost = list(credentials.entries), credentials.reset_cost
    return Crawl(entries, strategy, identity, cost, follows_once=False)


class _Clock:
    """What one node's time goes into between two plans."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._free_at = 0.0
        self.network = self.coordinator = 0.0
        self.has_stayed = False

    def executed(self, start: float, end: float) -> None:
        """Note when a plan was executed, and what the time since the last one was spent on."""
        gap = max(0.0, start - self._free_at)
        network = min(gap, 2 * self._timing.latency_seconds)
        rest = gap - network
        self.network += network
        self.coordinator += min(rest, self._timing.service_seconds) if self.has_stayed else rest
        self.has_stayed = False
        self._free_at = end


def _watch(clocks: dict[str, _Clock], to: str, message: object) -> None:
    if to in clocks and isinstance(message, Stay):
        clocks[to].has_stayed = True


def _breakdown(network: Network, clocks: dict[str, _Clock]) -> dict[str, float]:
    """Return the shares of all nodes' time, as in Figure 3 of Mirtaheri et al. 2013."""
    total = network.now * len(clocks)
    if total in (0, NEVER):
        return {}
    execution = sum(network.processes[name].busy_seconds for name in clocks) / total
    on_network = sum(clock.network for clock in clocks.values()) / total
    coordinator = sum(clock.coordinator for clock in clocks.values()) / total
    idle = max(0.0, 1 - execution - on_network - coordinator)
    return {
        "execution": execution, "network": on_network, "coordinator": coordinator, "idle": idle
    }  # fmt: skip
