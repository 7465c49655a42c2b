"""How states look: what their regions show, as numbers that can be put together and apart.

A state is known by its signature, the exclusive or of the hashes of what it shows, so that what
an event changes is put in and taken out without looking at the rest. States that show the same
in every region are told apart by one more region of ours.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import ItemsView, Iterable, Mapping
from hashlib import blake2b
from itertools import islice
from math import inf
from typing import NamedTuple

from statecrawl.core.habits import ABSENT
from statecrawl.core.roll import Roll
from statecrawl.core.rows import Rows
from statecrawl.core.shelf import InMemory, Shelf
from statecrawl.core.showing import Showing
from statecrawl.core.signatures import Signatures

REST = 0
"""The region that tells states apart which show the same in all others."""


class _Anticipated(NamedTuple):
    """A page that is predicted: what a state shows, but for some regions and their values."""

    state: int
    changes: tuple[tuple[int, int], ...]


class _Fits:
    """How many states, and pages that are anticipated, show the same but for one region."""

    __slots__ = ("awaited", "states", "unasked")

    def __init__(self, states: Iterable[int], awaited: Iterable[int]) -> None:
        self.states = Counter(states)
        self.awaited = Counter(awaited)
        self.unasked = 0


UNPACKED = 10_000
"""So many states that were asked for are kept as they are asked for."""


class Shown(dict[int, dict[int, int]]):
    """What each state shows: packed, and unpacked as long as not too many others are asked for."""

    def __init__(self, shelf: Shelf) -> None:
        super().__init__()
        self._rows: Rows[int] = Rows(shelf)

    def append(self, row: dict[int, int]) -> None:
        """Take in what the next state shows."""
        self._rows.append(row)
        self._keep(len(self._rows) - 1, row)

    def __missing__(self, state: int) -> dict[int, int]:
        row = self._rows[state]
        self._keep(state, row)
        return row

    def _keep(self, state: int, row: dict[int, int]) -> None:
        if len(self) >= UNPACKED:
            for oldest in list(islice(self, 1 + UNPACKED // 10)):
                del self[oldest]
        self[state] = row


class Appearances:
    """What states show, and pages that nobody has seen but somebody anticipates.

    `shown[s]` says what state s shows in each region, `showing` which states show a value.
    """

    def __init__(self, shelf: Shelf | None = None) -> None:
        shelf = shelf or InMemory()
        self.shown = Shown(shelf)
        self.signatures = Signatures(shelf)
        self.showing = Showing(shelf)
        self.weights = array("Q")
        self._regions: dict[str, int] = {"": REST}
        self._values = Roll(shelf=shelf)  # with the numbers of their regions
        self._look_alikes: Counter[int] = Counter()
        self._fits: dict[int, _Fits] = {}  # for regions that were unclear lately
        self._anticipated: dict[int, _Anticipated] = {}
        self._fresh: defaultdict[int, Counter[int]] = defaultdict(Counter)

    @property
    def regions(self) -> list[str]:
        """The names of the regions, by number; that of `REST` is empty."""
        return list(self._regions)

    @property
    def texts(self) -> list[str]:
        """What regions show, by the number of the value."""
        return [value.partition(" ")[2] for value in self._values]

    def discover(self, regions: Mapping[str, str]) -> None:
        """Take in the next state; states come in the order of their numbers."""
        shown = {}
        signature = 0
        for name, value in regions.items():
            region = self._regions.setdefault(name, len(self._regions))
            shown[region] = number = self._value(region, value)
            signature ^= self.weights[number]
        if self.signatures.state(signature) is not None:
            self._look_alikes[signature] += 1
            shown[REST] = number = self._value(REST, str(self._look_alikes[signature]))
            signature ^= self.weights[number]
        state = len(self.signatures)
        self.signatures.append(signature)
        self.shown.append(shown)
        for number in shown.values():
            self.showing.add(number, state)
        for region, fits in self._asked_for():
            fits.states[self.without(state, region)] += 1

    def rarest(self, values: Iterable[int]) -> int:
        """Return the value that the fewest states show; what is absent is common."""
        return min(values, key=lambda value: inf if value < 0 else self.showing.count(value))

    def without(self, state: int, region: int) -> int:
        """Return the signature of a state without a region."""
        return self._strip(self.signatures[state], self.shown[state].get(region, ABSENT))

    def between(self, old: int, new: int) -> int:
        """Return how a signature changes when a region shows something else."""
        weights = self.weights
        return (weights[old] if old >= 0 else 0) ^ (weights[new] if new >= 0 else 0)

    def known_to_fit(self, region: int, rest: int) -> int:
        """Return how many states show the rest, whatever they show in a region."""
        return self._fitting(region).states[rest]

    def awaited_to_fit(self, region: int, rest: int) -> int:
        """Return how many pages that are anticipated show the rest."""
        return self._fitting(region).awaited[rest] + self._fresh[region][rest]

    def _fitting(self, region: int) -> _Fits:
        """Return what is counted for a region, from now on and as long as it is asked for."""
        fits = self._fits.get(region)
        if fits is None:
            states = (self.without(state, region) for state in range(len(self.signatures)))
            awaited = (
                self._strip(signature, self._value_of(page, region))
                for signature, page in self._anticipated.items()
            )
            fits = self._fits[region] = _Fits(states, awaited)
        fits.unasked = 0
        return fits

    def _asked_for(self) -> ItemsView[int, _Fits]:
        """Return what has to be counted on; what nobody asked for in a long time is let go.

        Counting it all anew takes no longer than counting on for so long has taken.
        """
        enough = len(self.signatures) + len(self._anticipated)
        for region, fits in list(self._fits.items()):
            fits.unasked += 1
            if fits.unasked > enough:
                del self._fits[region]
        return self._fits.items()

    def anticipate(self, signature: int, state: int, changes: tuple[tuple[int, int], ...]) -> None:
        """Take in a page that is predicted: what a state shows, but for some regions."""
        page = self._anticipated[signature] = _Anticipated(state, changes)
        for region, fits in self._asked_for():
            fits.awaited[self._strip(signature, self._value_of(page, region))] += 1

    def dismiss(self, signature: int) -> None:
        """Take out a page that is predicted no more, or was found."""
        page = self._anticipated.pop(signature)
        for region, fits in self._asked_for():
            _count(fits.awaited, self._strip(signature, self._value_of(page, region)), -1)

    def await_fresh(self, region: int, rest: int, by: int) -> None:
        """Count a page in or out that is predicted but for one region."""
        _count(self._fresh[region], rest, by)

    def _value_of(self, page: _Anticipated, region: int) -> int:
        """Return what a page that is predicted shows in a region."""
        for changed, value in page.changes:
            if changed == region:
                return value
        return self.shown[page.state].get(region, ABSENT)

    def _strip(self, signature: int, value: int) -> int:
        """Return a signature without a value."""
        return signature ^ (self.weights[value] if value >= 0 else 0)

    def _value(self, region: int, text: str) -> int:
        named = f"{region} {text}"
        number = self._values.number(named)
        if number is None:
            number = self._values.append(named)
            data = f"{region}\0{text}".encode("utf-8", "surrogatepass")
            self.weights.append(int.from_bytes(blake2b(data, digest_size=8).digest()))
            self.showing.append()
        return number


def _count(counter: Counter[int], key: int, by: int) -> None:
    """Count something; what comes to nothing is not kept."""
    counter[key] += by
    if not counter[key]:
        del counter[key]
