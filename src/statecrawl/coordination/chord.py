"""A Chord ring: which coordinator a key belongs to, and over which fingers a message gets there."""

from bisect import bisect_left
from collections.abc import Iterable
from hashlib import blake2b

from statecrawl.coordination.machine import Address

BITS = 64
POINTS = 128
"""At how many points of the circle each coordinator takes keys."""


def position(key: str) -> int:
    """Return the place of a key on the circle, the same on every machine."""
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest())


class Ring:
    """Some coordinators on the circle, each at a place of its own, from which it has fingers.

    Keys are spread over many points for each, so that all get about as many: a key belongs to
    whoever has the first point at its place or after it. When one goes, only its keys move.
    """

    def __init__(self, members: Iterable[Address]) -> None:
        placed = sorted((position(member), member) for member in members)
        self.members: tuple[Address, ...] = tuple(member for _, member in placed)
        self._places = [place for place, _ in placed]
        points = sorted(
            (position(f"{member}\0{point}"), member)
            for member in self.members
            for point in range(POINTS)
        )
        self._points = [place for place, _ in points]
        self._point_owners = [member for _, member in points]
        self._number = {member: number for number, member in enumerate(self.members)}
        self._owners: dict[str, Address] = {}
        self._hops: dict[Address, dict[Address, Address]] = {}

    def owner(self, key: str) -> Address:
        """Return the coordinator that a key belongs to."""
        owner = self._owners.get(key)
        if owner is None:
            point = bisect_left(self._points, position(key)) % len(self._points)
            owner = self._owners[key] = self._point_owners[point]
        return owner

    def _successor_of(self, place: int) -> Address:
        return self.members[bisect_left(self._places, place) % len(self.members)]

    def after(self, member: Address, count: int = 1) -> tuple[Address, ...]:
        """Return up to so many coordinators that follow one on the circle, without it."""
        number, size = self._number[member], len(self.members)
        return tuple(self.members[(number + i) % size] for i in range(1, min(count, size - 1) + 1))

    def next(self, member: Address) -> Address:
        """Return who comes after a coordinator; alone it is its own successor."""
        return self.members[(self._number[member] + 1) % len(self.members)]

    def fingers(self, member: Address) -> tuple[Address, ...]:
        """Return the coordinators at or after a half, a quarter, an eighth... of the circle."""
        place = self._places[self._number[member]]
        steps = ((place + (1 << bit)) % (1 << BITS) for bit in range(BITS))
        return tuple(dict.fromkeys(self._successor_of(step) for step in steps))

    def hop(self, member: Address, owner: Address) -> Address:
        """Return the finger over which a coordinator passes on what belongs to another one."""
        hops = self._hops.get(member)
        if hops is None:
            hops = self._hops[member] = self._hops_of(member)
        return hops[owner]

    def _hops_of(self, member: Address) -> dict[Address, Address]:
        """For every owner the finger that comes closest before it; for the next one itself."""
        start, size = self._number[member], len(self.members)
        reach = sorted((self._number[f] - start) % size for f in self.fingers(member))
        hops = {}
        for distance in range(1, size):
            closest = max((r for r in reach if 0 < r < distance), default=1)
            hops[self.members[(start + distance) % size]] = self.members[(start + closest) % size]
        return hops
