"""Walks made of circulations that are not connected: upper bounds on the optimal cost."""

import numpy as np

from statecrawl.simulation.circulation import BLANK, Integers, Network, Reals, first_of_each

_MAX_FUTILE = 4  # passes in a row that join nothing, before giving up


def joined(
    network: Network, flow: Integers, guide: Reals, random: np.random.Generator, max_rounds: int
) -> Integers:
    """Join the components of a circulation: exchange arcs, else require some and solve anew.

    Each component chooses an arc into it, cheap and used by the guide. The better half of
    these is required from then on, and the flow is changed as little as possible. So nodes
    joined by required arcs stay joined, and in the end, given enough rounds, all are.
    """
    required = np.zeros_like(flow)
    for _ in range(max_rounds):
        flow = exchanged(network, flow, required, random)
        component = network.components(flow > 0)
        if not component.any():
            break
        target = component[network.head]
        into = np.flatnonzero((component[network.tail] != target) & (target != BLANK))
        dislike = network.cost[into] - guide[into] * network.event_cost
        into = into[np.lexsort((random.random(len(into)), dislike))]
        into = first_of_each(network.tail, first_of_each(target, into))
        required[into[: len(into) // 2 + 1]] = 1
        flow = network.circulation(required, preference=np.where(flow > 0, 1, 0.99))
    return flow


def exchanged(
    network: Network, flow: Integers, required: Integers, random: np.random.Generator
) -> Integers:
    """Join components at no cost where a -> a' and b -> b' can become a -> b' and b -> a'.

    A component is a closed walk: without one arc it is still in one piece, and two pieces are
    put end to end. Of several arcs with flow at a node one is tried, by chance.
    """
    tail, head, cost = network.tail, network.head, network.cost
    key = tail * network.nodes + head
    order = np.argsort(key)
    key = key[order]
    flow = flow.copy()
    futile = 0
    while futile < _MAX_FUTILE and not network.is_walk(flow):
        futile += 1
        component = network.components(flow > 0)
        spare = np.flatnonzero(flow > required)
        there = np.flatnonzero(component[tail] != component[head])
        there = there[np.isin(tail[there], tail[spare]) & np.isin(head[there], head[spare])]
        leaving = _one_at(tail, spare, tail[there], random)
        entering = _one_at(head, spare, head[there], random)
        wanted = tail[entering] * network.nodes + head[leaving]
        place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
        back = order[place]
        change = cost[there] + cost[back] - cost[leaving] - cost[entering]
        good = random.permutation(np.flatnonzero((key[place] == wanted) & (change <= 0)))
        good = good[np.argsort(change[good], kind="stable")]
        ends = component[tail[there]], component[head[there]]
        moves = np.stack([there, back, leaving, entering, *ends])[:, good]
        merged: dict[int, int] = {}
        gone: set[int] = set()
        for add, close, leave, enter, one, other in moves.T.tolist():
            source, target = _root(merged, one), _root(merged, other)
            if source != target and gone.isdisjoint((leave, enter)):
                merged[source] = target
                gone |= {leave, enter}
                flow[[add, close]] += 1
                flow[[leave, enter]] -= 1
                futile = 0
    return flow


def _one_at(
    end: Integers, arcs: Integers, nodes: Integers, random: np.random.Generator
) -> Integers:
    """Return for each node one of the arcs that have it as their end, by chance."""
    arcs = arcs[np.argsort(end[arcs], kind="stable")]
    first = np.searchsorted(end[arcs], nodes, side="left")
    count = np.searchsorted(end[arcs], nodes, side="right") - first
    return arcs[first + (random.random(len(nodes)) * count).astype(np.int64)]


def _root(merged: dict[int, int], component: int) -> int:
    while component in merged:
        component = merged[component]
    return component
