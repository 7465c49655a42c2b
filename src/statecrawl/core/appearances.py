"""How states look: what their regions show, as numbers that can be put together and apart.

A state is known by its signature, the exclusive or of the hashes of what it shows, so that what
an event changes is put in and taken out without looking at the rest. States that show the same
in every region are told apart by one more region of ours.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from math import inf

from statecrawl.core.habits import ABSENT, Shown

REST = 0
"""The region that tells states apart which show the same in all others."""


class Appearances:
    """What states show, and pages that nobody has seen but somebody anticipates.

    `shown[s]` says what state s shows in each region, `showing[v]` which states show value v.
    """

    def __init__(self) -> None:
        self.shown: list[dict[int, int]] = []
        self.signatures: list[int] = []
        self.state_with: dict[int, int] = {}
        self.showing: list[list[int]] = []
        self.weights: list[int] = []
        self._regions: dict[str, int] = {"": REST}
        self._values: dict[tuple[int, str], int] = {}
        self._look_alikes: Counter[int] = Counter()
        # For each region that was unclear: how many states, and pages that are anticipated,
        # show the same but for that region.
        self._fitting: dict[int, Counter[int]] = {}
        self._awaited: dict[int, Counter[int]] = {}
        self._anticipated: dict[int, Shown] = {}
        self._fresh: defaultdict[int, Counter[int]] = defaultdict(Counter)

    @property
    def regions(self) -> list[str]:
        """The names of the regions, by number; that of `REST` is empty."""
        return list(self._regions)

    @property
    def texts(self) -> list[str]:
        """What regions show, by the number of the value."""
        return [text for _, text in self._values]

    def discover(self, regions: Mapping[str, str]) -> None:
        """Take in the next state; states come in the order of their numbers."""
        shown = {}
        signature = 0
        for name, value in regions.items():
            region = self._regions.setdefault(name, len(self._regions))
            shown[region] = number = self._value(region, value)
            signature ^= self.weights[number]
        if signature in self.state_with:
            self._look_alikes[signature] += 1
            shown[REST] = number = self._value(REST, str(self._look_alikes[signature]))
            signature ^= self.weights[number]
        state = len(self.shown)
        self.state_with[signature] = state
        self.signatures.append(signature)
        self.shown.append(shown)
        for number in shown.values():
            self.showing[number].append(state)
        for region, fitting in self._fitting.items():
            fitting[self.without(state, region)] += 1

    def rarest(self, values: Iterable[int]) -> int:
        """Return the value that the fewest states show; what is absent is common."""
        return min(values, key=lambda value: inf if value < 0 else len(self.showing[value]))

    def without(self, state: int, region: int) -> int:
        """Return the signature of a state without a region."""
        return self._strip(self.signatures[state], self.shown[state], region)

    def between(self, old: int, new: int) -> int:
        """Return how a signature changes when a region shows something else."""
        weights = self.weights
        return (weights[old] if old >= 0 else 0) ^ (weights[new] if new >= 0 else 0)

    def known_to_fit(self, region: int, rest: int) -> int:
        """Return how many states show the rest, whatever they show in a region."""
        fitting = self._fitting.get(region)
        if fitting is None:
            fitting = Counter(self.without(state, region) for state in range(len(self.shown)))
            self._fitting[region] = fitting
            awaited = self._awaited[region] = Counter[int]()
            for page, shown in self._anticipated.items():
                awaited[self._strip(page, shown, region)] += 1
        return fitting[rest]

    def awaited_to_fit(self, region: int, rest: int) -> int:
        """Return how many pages that are anticipated show the rest."""
        return self._awaited[region][rest] + self._fresh[region][rest]

    def anticipate(self, signature: int, shown: Shown) -> None:
        """Take in a page that is predicted."""
        self._anticipated[signature] = shown
        for region, awaited in self._awaited.items():
            awaited[self._strip(signature, shown, region)] += 1

    def dismiss(self, signature: int) -> None:
        """Take out a page that is predicted no more, or was found."""
        shown = self._anticipated.pop(signature)
        for region, awaited in self._awaited.items():
            awaited[self._strip(signature, shown, region)] -= 1

    def await_fresh(self, region: int, rest: int, by: int) -> None:
        """Count a page in or out that is predicted but for one region."""
        self._fresh[region][rest] += by

    def _strip(self, signature: int, shown: Shown, region: int) -> int:
        value = shown.get(region, ABSENT)
        return signature ^ (self.weights[value] if value >= 0 else 0)

    def _value(self, region: int, text: str) -> int:
        number = self._values.get((region, text))
        if number is None:
            number = self._values[region, text] = len(self.weights)
            data = f"{region}\0{text}".encode("utf-8", "surrogatepass")
            self.weights.append(int.from_bytes(blake2b(data, digest_size=8).digest()))
            self.showing.append([])
        return number
