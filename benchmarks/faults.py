"""Thousands of crawls in which things go wrong, each from its seed.

    python -m benchmarks.faults star|ring|near|resumed [--seeds 10000] [--first 0] [--faults 6]
        [--horizon 4]

Each seed draws a small application, its crawlers and coordinators, a scheme and the faults. Every
third one has faults that are aimed at where a protocol goes wrong, and every fourth ring crawls
with the strategy that is the default instead of the simplest one. Prints every violation with its
seed, and at the end how many there were. `near` is a ring on an application whose states have
several faces, `resumed` one that goes on with a part of what another one has stored.
"""

import argparse
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import TypeVar

from statecrawl.coordination.ring_messages import Scheme
from statecrawl.simulation.chance import draw_application
from statecrawl.simulation.ordeal import (
    FacedRingOrdeal,
    Ordeal,
    ResumedRingOrdeal,
    RingOrdeal,
    StarOrdeal,
)
from statecrawl.strategies import STRATEGIES

AnyRing = TypeVar("AnyRing", bound=RingOrdeal)
REAL_SCHEMES = [scheme for scheme in Scheme if scheme is not Scheme.GLOBAL]


def star(seed: int) -> Ordeal:
    """Return a star drawn from a seed."""
    random = Random(seed)  # noqa: S311 - chances, not secrets
    application = draw_application(random)
    strategy = STRATEGIES[random.choice(["greedy", "breadth_first", "menu"])]
    return StarOrdeal(application, strategy, random.randint(1, 5), seed)


def ring(seed: int) -> Ordeal:
    """Return a ring drawn from a seed."""
    return drawn_ring(seed, RingOrdeal)


def drawn_ring(seed: int, kind: type[AnyRing]) -> AnyRing:
    """Return a ring of a kind drawn from a seed."""
    random = Random(seed)  # noqa: S311 - chances, not secrets
    application = draw_application(random)
    scheme, coordinators = random.choice(REAL_SCHEMES), random.choice([3, 5])
    crawlers = random.randint(1, 5)
    strategy = STRATEGIES["greedy" if seed % CLEVER else "adaptive"]
    return kind(application, strategy, crawlers, seed, coordinators, scheme)


def near(seed: int) -> Ordeal:
    """Return a ring drawn from a seed that has to see through near-duplicates."""
    return drawn_ring(seed, FacedRingOrdeal)


def resumed(seed: int) -> Ordeal:
    """Return a ring drawn from a seed that goes on with what another one has stored."""
    facts = drawn_ring(seed, RingOrdeal).suffer([]).tally.facts
    again = drawn_ring(seed, ResumedRingOrdeal)
    again.recall(facts[: seed % PARTS * len(facts) // PARTS])
    return again


AIMED = 3
"""Every so many seeds have faults that are aimed."""
CLEVER = 4
"""Every so many rings crawl with the strategy that is the default."""

PARTS = 7
"""In so many parts a crawl is divided that another one goes on with."""

KINDS: dict[str, Callable[[int], Ordeal]] = {
    "star": star, "ring": ring, "near": near, "resumed": resumed,
}  # fmt: skip


def main() -> None:
    """Run the seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=list(KINDS))
    parser.add_argument("--seeds", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--faults", type=int, default=6)
    parser.add_argument("--horizon", type=float, default=4.0)
    options = parser.parse_args()
    started = perf_counter()
    violated = messages = 0
    virtual = 0.0
    for seed in range(options.first, options.first + options.seeds):
        is_aimed = seed % AIMED == 0
        outcome = KINDS[options.kind](seed).run(options.faults, options.horizon, is_aimed=is_aimed)
        messages += outcome.messages
        virtual += outcome.simulated_seconds
        if outcome.violations:
            violated += 1
            print(f"seed {seed}: {'; '.join(outcome.violations)}", flush=True)
        done = seed + 1 - options.first
        if done % 500 == 0 or done == options.seeds:
            print(
                f"{options.kind}: {done:,} seeds, {violated} violated, {messages:,} messages, "
                f"{virtual:,.0f} s of virtual time, {perf_counter() - started:,.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
