"""Who is important in a graph: PageRank over links, AjaxRank over the states of a document."""

from collections.abc import Collection, Hashable, Iterable, Mapping
from itertools import chain
from typing import TypeVar

import numpy as np

Node = TypeVar("Node", bound=Hashable)
Graph = Mapping[Node, Collection[Node]]

DAMPING = 0.85
TOLERANCE = 1e-4
MAX_ROUNDS = 100


def page_ranks(links: Graph[Node]) -> dict[Node, float]:
    """Return the PageRank of each page in shares of the average one: links from page to pages.

    What a page without links has to give goes to all, as when a reader starts anew somewhere.
    """
    ranks = _ranks(links, dict.fromkeys(links, 1.0))
    total = sum(ranks.values())
    return {page: rank * len(ranks) / total for page, rank in ranks.items()}


def ajax_ranks(leads: Graph[Node], starts: Iterable[Node]) -> dict[Node, float]:
    """Return the AjaxRank of each state: PageRank where whoever starts anew does so at a start.

    The states of documents that nothing leads between are ranked apart, as if alone.
    """
    return _ranks(leads, dict.fromkeys(starts, 1.0))


def _ranks(leads: Graph[Node], jumps: Mapping[Node, float]) -> dict[Node, float]:
    """Solve r = (1 - d) e + d M' r, where e are the jumps and M the ways out in equal shares."""
    numbers = {node: number for number, node in enumerate(leads)}
    base = np.array([(1 - DAMPING) * jumps.get(node, 0.0) for node in leads])
    ways = [[numbers[to] for to in targets if to in numbers] for targets in leads.values()]
    counts = np.array([len(targets) for targets in ways])
    sources = np.repeat(np.arange(len(ways)), counts)
    targets = np.fromiter(chain.from_iterable(ways), np.int64, len(sources))
    shares = DAMPING / counts[sources]
    ranks = base
    for _ in range(MAX_ROUNDS):
        given = np.bincount(targets, ranks[sources] * shares, len(base))
        ranks, before = base + given, ranks
        if np.abs(ranks - before).max(initial=0.0) < TOLERANCE:
            break
    return dict(zip(leads, ranks.tolist(), strict=True))
