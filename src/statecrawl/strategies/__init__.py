"""The strategies, by name. A new one is one file, one line here, one entry in the docs."""

from collections.abc import Callable

from statecrawl.core.strategy import StrategyFactory
from statecrawl.strategies.adaptive import Adaptive
from statecrawl.strategies.breadth_first import BreadthFirst
from statecrawl.strategies.depth_first import DepthFirst
from statecrawl.strategies.diverse import diverse
from statecrawl.strategies.effects import Effects
from statecrawl.strategies.greedy import Greedy
from statecrawl.strategies.hypercube import Hypercube
from statecrawl.strategies.menu import Menu
from statecrawl.strategies.probability import Probability

STRATEGIES: dict[str, StrategyFactory] = {
    "depth_first": DepthFirst,
    "breadth_first": BreadthFirst,
    "greedy": Greedy,
    "hypercube": Hypercube,
    "menu": Menu,
    "probability": Probability,
    "effects": Effects,
    "adaptive": Adaptive,
}

PREFERENCES: dict[str, Callable[[StrategyFactory], StrategyFactory]] = {"diverse": diverse}
"""What to explore first, before any of the strategies goes on."""
