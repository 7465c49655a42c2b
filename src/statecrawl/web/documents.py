"""What the page is told: the whole crawl in one compact document, each state in another.

`frontend/src/documents.ts` says the same in types. States and events are numbers in the first:
their places in the lists. What a page may choose is only ever a value, never a name.
"""

from collections.abc import Callable
from typing import Any

from statecrawl.core.crawled import Crawled, CrawledState, CrawledTransition
from statecrawl.core.dom import parse, visible_text
from statecrawl.core.invocations import InvocationGraph
from statecrawl.core.merging import MergeTable
from statecrawl.core.reproduction import reproduction
from statecrawl.core.snapshot import Event, Snapshot

Document = dict[str, Any]

MAX_FINDINGS = 5_000
"""So many findings are told; each comes with a test."""

SETTINGS = (
    "events", "skip", "ignore", "keep", "cache", "include", "exclude", "links", "checks",
    "invariants",
)  # fmt: skip
"""Which of a crawl's settings the page shows."""


def crawl_document(
    crawled: Crawled, has_picture: Callable[[str], bool], *, has_before: bool = False
) -> Document:
    """Return all that is known but for the content of pages, and if there is an older crawl."""
    numbers = _Numbers(crawled)
    states = [
        [
            state.id,
            state.url,
            state.title,
            state.depth,
            [state.found_events, state.found_resets, round(state.found_seconds, 2)],
            [numbers.look(event) for event in state.events],
            [numbers.region(*region) for region in state.regions.items()],
            int(has_picture(state.id)),
        ]
        for state in crawled.states.values()
    ]
    transitions: list[int] = []
    outcomes: list[list[Any]] = []
    assumed: list[int] = []
    for number, found in enumerate(crawled.explored):
        transitions += numbers.ends(found)
        if found.outcomes:
            led = [[numbers.state[state], times] for state, times in found.outcomes.items()]
            outcomes.append([number, led])
        if found.is_assumed:
            assumed.append(number)
    return {
        "summary": crawled.summary(),
        "has_before": has_before,
        "settings": [[name, crawled.about[name]] for name in SETTINGS if crawled.about.get(name)],
        "states": states,
        "classes": [
            numbers.state[crawled.classes.representative(state)] for state in crawled.states
        ],
        "transitions": transitions,
        "outcomes": outcomes,
        "assumed": assumed,
        "refused": [
            [numbers.state[state], numbers.look_of(state, event), reason]
            for (state, event), reason in crawled.refused.items()
            if state
        ],
        "given_up": [
            [numbers.state[state], numbers.look_of(state, event)]
            for state, event in crawled.given_up
            if state
        ],
        "loads": [[url, numbers.state[state]] for url, state in crawled.entries.items()],
        "findings": [
            {**finding._asdict(), "test": reproduction(crawled, finding)}
            for finding in crawled.findings[:MAX_FINDINGS]
        ],
        "calls": _calls(crawled.calls),
        "masks": [list(mask) for mask in crawled.masks.masks],
        "left_alone": [list(control) for control in crawled.left_alone],
        "aliases": list(crawled.aliases.items()),
        "looks": numbers.looks,  # the last: all of the above add to them
    }


def state_document(crawled: Crawled, state: CrawledState, page: Snapshot) -> Document:
    """Return what is known of one state only: its content, the way to it, what its events do."""
    way = crawled.path(state.id)
    leaving = (crawled.transitions.get((state.id, event.identity)) for event in state.events)
    return {
        "id": state.id,
        "dom": page.dom,
        "text": visible_text(parse(page.dom)),
        "path": None
        if way is None
        else {
            "entry": way.entry,
            "state": way.expected_entry,
            "steps": [list(s) for s in way.steps],
        },
        "changes": [[list(c) for c in found.changes] if found else [] for found in leaving],
    }


def merging_document(table: MergeTable) -> Document:
    """Return which states become one as the threshold rises, step by step.

    A change is the number of a state and of the one that stands for it, -1 if nothing leads to it.
    """
    number: dict[str | None, int] = {state: at for at, state in enumerate(table.states)}
    number[None] = -1
    near = table.equivalence
    return {
        "equivalence": near.resemblance.name,
        "events": near.events,
        "least": near.threshold,
        "usual": table.usual,
        "farthest": near.resemblance.farthest,
        "states": list(table.states),
        "steps": [
            [
                step.threshold,
                step.states,
                [number[s] for pair in step.changes.items() for s in pair],
            ]
            for step in table.steps
        ],
    }


def _calls(calls: InvocationGraph) -> Document:
    return {
        "nodes": calls.nodes,
        "hot_nodes": calls.hot_nodes,
        "edges": [[caller, callee, times] for (caller, callee), times in calls.edges.items()],
        "requests": [request._asdict() for request in calls.requests],
    }


class _Numbers:
    """Numbers for states, for events as they look in some state, and for contents of regions."""

    def __init__(self, crawled: Crawled) -> None:
        self._crawled = crawled
        self.state = {state: number for number, state in enumerate(crawled.states)}
        self.looks: list[list[Any]] = []
        self._looks: dict[Event, int] = {}
        self._regions: dict[tuple[str, str], int] = {}
        self._here: dict[tuple[str, str], int] = {
            (state.id, event.identity): self.look(event)
            for state in crawled.states.values()
            for event in state.events
        }

    def look(self, event: Event) -> int:
        number = self._looks.setdefault(event, len(self.looks))
        if number == len(self.looks):
            look = [event.identity, event.kind, event.label, event.locator, event.url, event.value]
            self.looks.append([*look, [[f.label, f.value] for f in event.fillings]])
        return number

    def look_of(self, state: str, event: str) -> int:
        number = self._here.get((state, event))
        return self.look(Event(event)) if number is None else number

    def region(self, name: str, content: str) -> int:
        return self._regions.setdefault((name, content), len(self._regions))

    def ends(self, found: CrawledTransition) -> tuple[int, int, int]:
        source, target = self.state[found.source], self.state[found.target]
        return source, self.look_of(found.source, found.event), target
