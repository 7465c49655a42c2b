"""Compares what a crawl found with what is known to be true."""

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType

from statecrawl.core.dom import Element, parse, places
from statecrawl.core.ports import Store
from statecrawl.core.snapshot import Event

_STEP = re.compile(r"^(?:#(?P<id>[^:]+)|(?P<tag>[^:]+)(?::nth-of-type\((?P<number>\d+)\))?)$")

_PLACE = re.compile(r"( \|> |(?<![>|]) (?![>|]))")
"""What stands between the parts of a locator that are in different documents or trees."""

_VALUE = re.compile(r'^\w+ "(\w+)"')

POPUPS = MappingProxyType({"/terms": "shop/terms"})
"""What only a window shows that a page opens."""

States = Mapping[str, Mapping[str, str | None]]


def located(root: Element, locator: str) -> Element | None:
    """The element that a locator names: " |> " leads into a frame, a blank into a shadow root."""
    here = root
    for place in _PLACE.split(locator):
        if place in (" ", " |> "):
            inner = "html" if place.strip() else "template"
            here = root = next(each for each in here.elements if each.tag == inner)
            continue
        for step in place.split(" > "):
            found = _child(root, here, step)
            if found is None:
                return None
            here = found
    return here


def _child(root: Element, here: Element, step: str) -> Element | None:
    match = _STEP.match(step)
    assert match is not None, step
    if match["id"]:
        return next((e for _, e in places(root) if e.attributes.get("id") == match["id"]), None)
    if match["tag"] == "html":
        return here
    alike = [each for each in here.elements if each.tag == match["tag"]]
    number = int(match["number"] or 1)
    return alike[number - 1] if len(alike) >= number else None


def control(root: Element, event: Event) -> Element:
    """The control behind an event; it may stand in a frame or in a shadow root."""
    found = located(root, event.locator)
    assert found is not None, event.locator
    return found


def titles(store: Store, state: str, expected: Collection[str]) -> dict[str, str]:
    """The name of each event of a state in the truth: the `title` of its control, and more."""
    snapshot = store.snapshot(state)
    assert snapshot is not None
    root = parse(snapshot.dom)
    return {event.identity: name_of(root, event, expected) for event in snapshot.events}


def name_of(root: Element, event: Event, expected: Collection[str]) -> str:
    """What the truth calls an event: its control's title, with a value where it has several."""
    if event.kind == "timeout":
        return event.identity.rpartition(" ")[0]
    title = control(root, event).attributes["title"]
    if title in expected:
        return title
    if event.kind == "submit":
        return f"fill {title}"
    value = _VALUE.match(event.identity)
    return f"{title}={value[1]}" if value else title


def differences(
    store: Store, initial: str, truth: States, entries: Mapping[str, str] = POPUPS
) -> list[str]:
    """How the crawl's model differs from the true one; nothing: it is the same, up to names."""
    return compared(store, initial, truth, entries)[1]


def compared(
    store: Store, initial: str, truth: States, entries: Mapping[str, str] = POPUPS
) -> tuple[dict[str, str], list[str]]:
    """What the truth calls each state of the crawl, and how the two models differ.

    `entries` are states that only loading a URL with this end leads to.
    """
    crawled = store.crawled()
    found = crawled.transitions
    problems: list[str] = []
    first = next(iter(crawled.states))
    loaded = [(state, url) for url, state in crawled.entries.items()]
    true_name = {first: initial} | {
        state: name for state, url in loaded for end, name in entries.items() if url.endswith(end)
    }
    waiting = list(true_name)
    while waiting:
        state = waiting.pop()
        expected = truth[true_name[state]]
        named = titles(store, state, expected)
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
    return true_name, problems
