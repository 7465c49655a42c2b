"""`statecrawl simulate --topology`: the distributed protocols in virtual time."""

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from statecrawl.cli.app import print_json
from statecrawl.coordination.assign import ASSIGNMENTS
from statecrawl.coordination.pick import PICKS
from statecrawl.coordination.ring_messages import Scheme
from statecrawl.core.application import Application
from statecrawl.core.strategy import StrategyFactory
from statecrawl.errors import InputError
from statecrawl.simulation.network import USUAL
from statecrawl.simulation.ordeal import Ordeal, RingOrdeal, StarOrdeal
from statecrawl.simulation.outcome import Outcome
from statecrawl.simulation.ring import simulate_ring
from statecrawl.simulation.star import simulate_star
from statecrawl.strategies import STRATEGIES
from statecrawl.terminal.progress import Progress
from statecrawl.terminal.simulations import print_fleet

TOPOLOGIES = ("star", "ring")
MAX_CRAWLERS = 10_000
MAX_COORDINATORS = 1_000


@dataclass(frozen=True)
class Fleet:
    """How many machines crawl, and how they are tied together."""

    topology: str
    coordinators: int
    crawlers: int
    scheme: Scheme
    assignment: str
    balances: bool
    faults: int


def checked_fleet(
    topology: str,
    coordinators: int,
    crawlers: int,
    scheme: str,
    assignment: str,
    *,
    balances: bool,
    faults: int,
) -> Fleet:
    """Return what was asked for, or say in one line what is wrong with it."""
    for name, value, known in (
        ("--topology", topology, TOPOLOGIES),
        ("--scheme", scheme, tuple(Scheme)),
        ("--assign", assignment, tuple(ASSIGNMENTS)),
    ):
        if value not in known:
            raise InputError(f"there is no {name} {value[:40]!r}: give one of {', '.join(known)}")
    for name, number, most in (
        ("--coordinators", coordinators, MAX_COORDINATORS),
        ("--crawlers", crawlers, MAX_CRAWLERS),
    ):
        if not 1 <= number <= most:
            raise InputError(f"{name} is {number}: give a number from 1 to {most:,}")
    if faults < 0:
        raise InputError(f"--faults is {faults}; it must be 0 or more")
    if topology == "star" and coordinators > 1:
        raise InputError("a star has one coordinator: leave out --coordinators")
    if faults and topology == "ring" and (coordinators < 3 or scheme == Scheme.GLOBAL):
        raise InputError(
            "with --faults a ring needs at least 3 coordinators and a scheme other than global"
        )
    return Fleet(topology, coordinators, crawlers, Scheme(scheme), assignment, balances, faults)


def simulate_fleet(
    model: str,
    application: Application,
    names: list[str],
    fleet: Fleet,
    seed: int,
    as_json: bool,
) -> None:
    """Crawl with many machines, with each strategy in turn, and print what it came to."""
    results = []
    for name, strategy in _picked(names, fleet.topology).items():
        started = perf_counter()
        with Progress(f"{name} on {model}, {fleet.topology} of {fleet.crawlers}"):
            outcome = _simulate(application, strategy, name in PICKS, fleet, seed)
            alone = outcome
            if fleet.crawlers > 1 and not fleet.faults:
                one = replace(fleet, coordinators=1, crawlers=1)
                alone = _simulate(application, strategy, name in PICKS, one, seed)
        seconds = perf_counter() - started
        results.append(_described(model, name, fleet, outcome, alone, seconds))
    if as_json:
        print_json(results)
    else:
        print_fleet(results)


def _picked(names: list[str], topology: str) -> dict[str, StrategyFactory]:
    known = {**STRATEGIES, **PICKS} if topology == "star" else STRATEGIES
    for name in names:
        if name not in known and name != "all":
            raise InputError(
                f"there is no strategy {name[:40]!r} on a {topology}: give one of "
                f"{', '.join(known)}"
            )
    return dict(known) if "all" in names else {name: known[name] for name in names}


def _simulate(
    application: Application,
    strategy: StrategyFactory,
    is_pick: bool,
    fleet: Fleet,
    seed: int,
) -> Outcome:
    if fleet.faults:
        return _ordeal(application, strategy, fleet, seed)
    if fleet.topology == "star":
        return simulate_star(
            application,
            strategy,
            fleet.crawlers,
            assignment=fleet.assignment,
            passes_all=not is_pick,
            balances=fleet.balances,
        )
    return simulate_ring(application, strategy, fleet.coordinators, fleet.crawlers, fleet.scheme)


def _ordeal(
    application: Application, strategy: StrategyFactory, fleet: Fleet, seed: int
) -> Outcome:
    """Crawl while things go wrong, spread over about as long as the crawl takes."""
    ordeal: Ordeal
    if fleet.topology == "star":
        ordeal = StarOrdeal(application, strategy, fleet.crawlers, seed)
    else:
        ordeal = RingOrdeal(
            application, strategy, fleet.crawlers, seed, fleet.coordinators, fleet.scheme
        )
    seconds = application.transition_count * USUAL.event_seconds / fleet.crawlers
    return ordeal.run(fleet.faults, max(10.0, seconds))


def _described(
    model: str, strategy: str, fleet: Fleet, outcome: Outcome, alone: Outcome, seconds: float
) -> dict[str, Any]:
    is_ring = fleet.topology == "ring"
    has_ratio = not fleet.faults and outcome.simulated_seconds > 0
    ratio = alone.simulated_seconds / outcome.simulated_seconds if has_ratio else None
    return {
        "model": model,
        "strategy": strategy,
        "topology": fleet.topology,
        "coordinators": fleet.coordinators,
        "crawlers": fleet.crawlers,
        "scheme": fleet.scheme.value if is_ring else None,
        "assignment": None if is_ring else fleet.assignment,
        "faults": fleet.faults,
        **outcome.to_json(),
        "speedup": None if ratio is None else round(ratio, 3),
        "optimal_cost": None,
        "optimal_cost_to_end": None,
        "seconds": round(seconds, 3),
    }
