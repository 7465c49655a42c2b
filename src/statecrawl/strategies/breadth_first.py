"""Breadth-first: explore the least recently discovered state first (sections 2.7.2, 7.2)."""

from statecrawl.core.strategy import Knowledge
from statecrawl.strategies.in_order import InOrder


class BreadthFirst(InOrder):
    """The oldest state that has open events is explored before any newer one."""

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__(knowledge, newest_first=False)
