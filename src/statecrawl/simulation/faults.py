"""What goes wrong in a simulated network, drawn from a seed."""

from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import Any, NamedTuple

from statecrawl.coordination.machine import Address


class Trouble(StrEnum):
    """Everything that can go wrong."""

    CRAWLER = "crawler"  # one dies, and comes back without its memory
    COORDINATOR = "coordinator"  # likewise
    LOSS = "loss"  # messages get lost
    DELAY = "delay"  # messages come late, and not in order
    REPETITION = "repetition"  # messages come more than once
    PARTITION = "partition"  # some can't reach the others
    HANG = "hang"  # a crawler's browser does not answer


class Fault(NamedTuple):
    """Something that goes wrong, from when to when, and to whom."""

    trouble: Trouble
    start: float
    end: float
    victims: frozenset[Address]


LONGEST = 4.0
"""How long a fault lasts at most, in seconds."""

LONGEST_CUT = 12.0
"""How long a partition lasts at most: long enough that both sides would go on without the other."""

SETTLING = 8.0
"""So long after a coordinator is back the next one may go: one failure in three at a time."""


def draw_faults(
    count: int,
    random: Random,
    horizon: float,
    crawlers: Sequence[Address],
    coordinators: Sequence[Address],
) -> list[Fault]:
    """Return so many faults that begin before the horizon; coordinators fail one at a time."""
    faults = []
    free_at = 0.0
    for _ in range(count):
        trouble = random.choice(list(Trouble))
        start = random.uniform(0, horizon)
        victims: frozenset[Address] = frozenset()
        if trouble in (Trouble.CRAWLER, Trouble.HANG):
            victims = frozenset({random.choice(crawlers)})
        elif trouble in (Trouble.COORDINATOR, Trouble.PARTITION):
            start = max(start, free_at)
            if trouble is Trouble.COORDINATOR:
                victims = frozenset({random.choice(coordinators)})
            else:
                victims = _cut_off(random, crawlers, coordinators)
        longest = LONGEST_CUT if trouble is Trouble.PARTITION else LONGEST
        end = start + random.uniform(0.2, longest)
        if trouble in (Trouble.COORDINATOR, Trouble.PARTITION):
            free_at = end + SETTLING
        faults.append(Fault(trouble, start, end, victims))
    return faults


def aimed_faults(
    random: Random, horizon: float, crawlers: Sequence[Address], coordinators: Sequence[Address]
) -> list[Fault]:
    """Return faults that chance hardly finds, where a protocol that is nearly right goes wrong.

    Half of the crawlers hang when a coordinator dies: who takes over its events must wait for
    them. Or a coordinator is cut off for long with half of the crawlers, and must not go on alone.
    """
    start = random.uniform(0.2, horizon / 3)  # while there is work for all
    one = random.choice(list(coordinators))
    half = frozenset(random.sample(list(crawlers), (len(crawlers) + 1) // 2))
    if random.random() < 0.5:
        return [
            Fault(Trouble.HANG, start, start + 8, half),
            Fault(Trouble.COORDINATOR, start + 0.2, start + 8, frozenset({one})),
        ]
    return [Fault(Trouble.PARTITION, start, start + LONGEST_CUT, half | {one})]


def _cut_off(
    random: Random, crawlers: Sequence[Address], coordinators: Sequence[Address]
) -> frozenset[Address]:
    """Return who is on the smaller side of a network that falls apart."""
    fewer = (len(coordinators) - 1) // 3
    some = random.sample(list(coordinators), random.randint(0, min(1, fewer)))
    others = random.sample(list(crawlers), random.randint(0 if some else 1, len(crawlers)))
    return frozenset({*some, *others})


class Weather:
    """Decides when copies of each message arrive, if any does."""

    def __init__(self, faults: Sequence[Fault], latency_seconds: float, random: Random) -> None:
        self._faults = [each for each in faults if each.trouble not in _NO_MATTER_OF_MESSAGES]
        self._hangs = [each for each in faults if each.trouble is Trouble.HANG]
        self._latency = latency_seconds
        self._random = random

    def __call__(self, sender: Address, to: Address, message: Any, now: float) -> list[float]:
        """Return the arrivals of one message."""
        del message
        random = self._random
        arrivals = [now + self._latency]
        for fault in self._faults:
            if not fault.start <= now < fault.end:
                continue
            if fault.trouble is Trouble.PARTITION:
                if (sender in fault.victims) != (to in fault.victims):
                    return []
            elif fault.trouble is Trouble.LOSS:
                arrivals = [at for at in arrivals if random.random() > 0.3]
            elif fault.trouble is Trouble.DELAY:
                arrivals = [at + random.expovariate(4) for at in arrivals]
            elif random.random() < 0.3:
                arrivals += [at + random.expovariate(2) for at in arrivals]
        return arrivals

    def hindrance(self, crawler: Address, now: float) -> float:
        """Return how much longer than usual a browser takes for what it begins now."""
        ends = [h.end for h in self._hangs if crawler in h.victims and h.start <= now < h.end]
        return max(ends) - now if ends else 0.0


_NO_MATTER_OF_MESSAGES = (Trouble.CRAWLER, Trouble.COORDINATOR, Trouble.HANG)
