"""Compares what a crawl found with what is known to be true."""

import re
from collections.abc import Mapping

from statecrawl.core.dom import Element, parse, places
from statecrawl.core.ports import Store

_STEP = re.compile(r"^(?:#(?P<id>[^:]+)|(?P<tag>[^:]+)(?::nth-of-type\((?P<number>\d+)\))?)$")

States = Mapping[str, Mapping[str, str | None]]


def located(root: Element, locator: str) -> Element:
    """The element that a locator of ours names."""
    here = root
    for step in locator.split(" > "):
        match = _STEP.match(step)
        assert match is not None, locator
        if match["id"]:
            here = next(e for _, e in places(root) if e.attributes.get("id") == match["id"])
        elif match["tag"] != "html":
            alike = [e for e in here.elements if e.tag == match["tag"]]
            here = alike[int(match["number"] or 1) - 1]
    return here


def titles(store: Store, state: str) -> dict[str, str]:
    """The `title` of the control behind each event of a state, which names it in the truth."""
    snapshot = store.snapshot(state)
    assert snapshot is not None
    root = parse(snapshot.dom)
    return {
        event.identity: located(root, event.locator).attributes.get("title", event.identity)
        for event in snapshot.events
    }


def differences(store: Store, initial: str, truth: States) -> list[str]:
    """How the crawl's model differs from the true one; nothing: it is the same, up to names."""
    crawled = store.crawled()
    found = crawled.transitions
    problems: list[str] = []
    first = next(iter(crawled.states))
    true_name = {first: initial}
    waiting = [first]
    while waiting:
        state = waiting.pop()
        expected = truth[true_name[state]]
        named = titles(store, state)
        if sorted(named.values()) != sorted(expected):
            extra = sorted(set(named.values()) - set(expected))
            missing = sorted(set(expected) - set(named.values()))
            problems.append(f"{true_name[state]}: extra {extra[:3]}, missing {missing[:3]}")
            continue
        for event, title in named.items():
            transition = found.get((state, event))
            if transition is None or transition.outcomes:
                problems.append(f"{true_name[state]}: {title} not explored or uncertain")
                continue
            target, wanted = transition.target, expected[title]
            assert wanted is not None
            if target not in true_name:
                true_name[target] = wanted
                waiting.append(target)
            elif true_name[target] != wanted:
                problems.append(f"{true_name[state]}: {title} led to {true_name[target]}")
    if len(true_name) != len(set(true_name.values())):
        problems.append("two states of the crawl are one in truth")
    if len(crawled.states) != len(truth):
        problems.append(f"{len(crawled.states)} states instead of {len(truth)}")
    return problems
