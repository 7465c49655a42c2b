"""Surroundings: the states around one, by how many events away they are, as far as one looked."""

from collections.abc import Callable, Collection

from statecrawl.core.model import BLANK


class Surroundings:
    """Grows step by step, so that whoever looks again need not walk again.

    `layers[n]` are the states n events away, over known transitions and predicted ones; `seen`
    are all of them. A reset is as far away as it is dear.
    """

    def __init__(self, state: int, neighbours: Callable[[int], set[int]], reset_steps: int) -> None:
        self._neighbours = neighbours
        self._reset_steps = reset_steps
        self.layers: list[set[int]] = [{state}]
        self.seen = {state}

    def reset(self, wanted: Collection[set[int]]) -> None:
        """Think of a reset if it is near enough, unless all that is wanted was seen nearer.

        It may lead to thousands of pages.
        """
        is_near = len(self.layers) == self._reset_steps + 1
        if is_near and BLANK not in self.seen and not self.has_seen(wanted):
            self.layers[-1].add(BLANK)
            self.seen.add(BLANK)

    def has_seen(self, wanted: Collection[set[int]]) -> bool:
        """Tell whether all states of some sets were seen."""
        return all(states <= self.seen for states in wanted)

    def widen(self) -> bool:
        """Go one step farther; tell whether there is anything."""
        layer = set().union(*map(self._neighbours, self.layers[-1])) - self.seen
        if not layer and len(self.layers) > self._reset_steps:
            return False
        self.layers.append(layer)
        self.seen |= layer
        return True
