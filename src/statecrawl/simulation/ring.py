"""The ring in virtual time: coordinators, and crawlers with an explicit application behind them."""

from random import Random

from statecrawl.coordination.chord import Ring
from statecrawl.coordination.ring_coordinator import RingCoordinator, new_ledger
from statecrawl.coordination.ring_crawler import RingCrawler
from statecrawl.coordination.ring_messages import Scheme
from statecrawl.coordination.ring_settings import RingSettings
from statecrawl.core.application import Application
from statecrawl.core.strategy import StrategyFactory
from statecrawl.simulation.browser import SimulatedBrowser, identity
from statecrawl.simulation.network import USUAL, Listener, Network, Timing
from statecrawl.simulation.outcome import Outcome, Tally


def coordinator_names(count: int) -> list[str]:
    """Return the addresses of so many coordinators."""
    return [f"coordinator {number}" for number in range(count)]


def simulate_ring(
    application: Application,
    strategy: StrategyFactory,
    coordinators: int,
    crawlers: int,
    scheme: Scheme = Scheme.FORWARD,
    timing: Timing = USUAL,
    *,
    listener: Listener | None = None,
) -> Outcome:
    """Crawl an application with so many coordinators and crawlers, without faults.

    The listener hears every message.
    """
    settings = RingSettings(application.all_entries, application.reset_cost, scheme)
    network = Network(timing, application.reset_cost)
    tally = Tally(network)
    network.on_message = listener
    network.on_fact = lambda _, fact: tally.take(fact)
    ring = Ring(coordinator_names(coordinators))
    shared = new_ledger(settings, strategy) if scheme is Scheme.GLOBAL else None
    for address in ring.members:
        ledger = shared or new_ledger(settings, strategy)
        network.add_coordinator(address, RingCoordinator(address, ring, settings, ledger))
    browser = SimulatedBrowser(application, Random(0))  # noqa: S311 - chances, not secrets
    for number in range(crawlers):
        home = ring.members[number % coordinators]
        crawler = RingCrawler(f"crawler {number}", (home,), identity)
        network.add_crawler(crawler.address, crawler, browser.sibling())
    for process in list(network.processes.values()):
        network.begin(process)
    network.run()
    machines = [process.machine for process in network.processes.values()]
    is_over = all(each.is_over for each in machines if isinstance(each, RingCrawler))
    return Outcome(application, network, tally, is_over, network.now, {}, [])
