"""How a star crawls."""

from dataclasses import dataclass

from statecrawl.coordination.machine import NEVER


@dataclass(frozen=True)
class StarSettings:
    """What the coordinator of a star has to know beforehand.

    The crawl starts when so many `nodes` have come. A node that was not heard for a lease is
    thought dead. With `passes_all` nodes are told every transition, otherwise only the one that
    each state was found by, as the paper has it; `balances` lets idle nodes take over events.
    """

    entries: tuple[str, ...]
    nodes: int
    reset_cost: float = 1.0
    assignment: str = "hash"
    passes_all: bool = True
    balances: bool = True
    lease_seconds: float = NEVER
