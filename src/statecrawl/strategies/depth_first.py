"""Depth-first: explore the most recently discovered state first (sections 2.7.2, 7.2)."""

from statecrawl.core.strategy import Knowledge
from statecrawl.strategies.in_order import InOrder


class DepthFirst(InOrder):
    """The newest state that has open events is explored before any older one."""

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__(knowledge, newest_first=True)
