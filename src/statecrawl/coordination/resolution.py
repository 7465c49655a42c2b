"""Near-duplicate identity on a ring: one coordinator orders representatives, two others keep that.

Near is not transitive, so it matters which of two pages was there first: somebody has to say. The
coordinator that the key `RESOLVER` belongs to does; a crawler is told only what its two successors
have, too. A state's place on the ring is that of its representative.
"""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np

from statecrawl.coordination.machine import Address, Output
from statecrawl.coordination.ring_messages import (
    KeepResolution,
    KeptResolutions,
    Order,
    Resolution,
    Resolve,
    Resolved,
)
from statecrawl.core.classes import Resolver
from statecrawl.core.resemblance import NearEquivalence

RESOLVER = "resolver"
"""The key whose owner decides about pages; no state has an id like this."""


class Resolutions:
    """What one coordinator knows of decisions about pages; it may be the one that decides."""

    def __init__(self, equivalence: NearEquivalence) -> None:
        self._equivalence = equivalence
        self._epoch = 0
        self._order: list[Resolution] = []
        self._numbers: dict[str, int] = {}
        self._resolvers: defaultdict[tuple[str, ...], Resolver] = self._no_resolvers()
        self._resolved = 0
        self._kept: dict[Address, int] = {}
        self._waiting: defaultdict[int, list[Address]] = defaultdict(list)

    def _no_resolvers(self) -> defaultdict[tuple[str, ...], Resolver]:
        return defaultdict(lambda: Resolver(self._equivalence))

    @property
    def order(self) -> Order:
        """All decisions, for a coordinator that is to keep them."""
        return Order(self._epoch, tuple(self._order))

    def adopt(self, orders: Iterable[Order]) -> None:
        """Take over the newest order: all others are beginnings of it, or were never told."""
        best = max(orders, key=_age, default=self.order)
        if _age(best) > _age(self.order):
            self._epoch, self._order = best.epoch, list(best.resolutions)
            self._numbers = {each.page: number for number, each in enumerate(self._order)}
            self._resolvers = self._no_resolvers()
            self._resolved = 0

    def begin(self, epoch: int, keepers: Iterable[Address]) -> None:
        """Begin to work in a view, in which everybody who keeps the order has all of it."""
        self._epoch = epoch
        self._kept = dict.fromkeys(keepers, len(self._order))
        self._waiting.clear()

    def resolve(self, question: Resolve) -> list[Output]:
        """Decide about a page, if nobody has; tell the crawler as soon as others keep it."""
        number = self._numbers.get(question.page)
        is_new = number is None
        if number is None:
            number = self._decide(question)
        elif self._is_kept(number):
            return [(question.crawler, Resolved(question.page, self._order[number].representative))]
        self._waiting[number].append(question.crawler)
        outputs: list[Output] = [
            (keeper, KeepResolution(self._epoch, each, self._order[each]))
            for keeper, kept in self._kept.items()
            for each in range(number if is_new else kept, len(self._order))
        ]
        return outputs + self._tell()

    def _decide(self, question: Resolve) -> int:
        for earlier in self._order[self._resolved :]:
            if earlier.page == earlier.representative:
                self._ask_resolver(earlier.page, earlier.features, earlier.group)
        page, _, features, group = question
        chosen = self._ask_resolver(page, features, group)
        number = len(self._order)
        self._add(Resolution(page, chosen, features if chosen == page else (), group))
        self._resolved = len(self._order)
        return number

    def _ask_resolver(self, page: str, features: tuple[int, ...], group: tuple[str, ...]) -> str:
        numbers = np.array(features, dtype=np.uint64)
        return self._resolvers[group].decide(page, numbers).representative

    def _add(self, resolution: Resolution) -> None:
        self._numbers[resolution.page] = len(self._order)
        self._order.append(resolution)

    def keep(self, sender: Address, message: KeepResolution) -> list[Output]:
        """Keep a decision of the one that decides, and say how many are kept without a gap."""
        if message.number == len(self._order):
            self._add(message.resolution)
        return [(sender, KeptResolutions(message.epoch, len(self._order)))]

    def kept(self, keeper: Address, message: KeptResolutions) -> list[Output]:
        """Hear how much a keeper has, and tell crawlers what can be told now."""
        self._kept[keeper] = max(self._kept.get(keeper, 0), message.up_to)
        return self._tell()

    def _tell(self) -> list[Output]:
        outputs: list[Output] = []
        for number in [each for each in self._waiting if self._is_kept(each)]:
            page, representative, _, _ = self._order[number]
            waiting = self._waiting.pop(number)
            outputs += [(crawler, Resolved(page, representative)) for crawler in waiting]
        return outputs

    def _is_kept(self, number: int) -> bool:
        return all(count > number for count in self._kept.values())


def _age(order: Order) -> tuple[int, int]:
    return order.epoch, len(order.resolutions)
