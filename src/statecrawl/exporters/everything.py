"""Everything that a crawl knows, but for the content of its pages, as one JSON document.

about         the settings of the crawl
summary       the figures that `statecrawl crawl --json` prints
entries       URL -> state
states        in the order of finding: id, url, title, depth, found {events, resets, seconds},
              regions, events [{identity, kind, group, label, locator, url,
              fillings [[locator, kind, value, label]] of a form that is filled first}]
transitions   in the order of exploring: source, event, target, changes [{target, action}],
              and outcomes {state: times} where the event led to several, assumed where it was
              not taken because its link's URL was loaded; a load of an entry
              has the source "" and the event `load URL`
refused       events that could not be fired: source, event, reason
given_up      events that could not be reached any more: source, event
findings      what is wrong: kind, text, where, source, event, state, path [events]
masks         what is left out of identity: path, part, reason
calls         nodes (functions), hot_nodes (those that made requests), edges {caller, callee,
              times}, requests {key, method, url, hot_nodes, times, times_cached}, and
              invocations {event, method, url, key, stack, times, times_cached}
effects       what each event did to each region: event, group, times (executions), keeps [regions],
              sets {region: value}, maps {region: {by [regions], values [{from [values], to}]}},
              unclear [regions]; a value is null where the region is not on the page
aliases       ids of the past -> the states they stand for today
"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, TextIO

from statecrawl.core.crawled import Crawled, CrawledState, CrawledTransition, Pair
from statecrawl.core.invocations import InvocationGraph


def export_json(crawled: Crawled, stream: TextIO) -> None:
    """Write everything; what is not ASCII is escaped."""
    document = {
        "about": dict(crawled.about),
        "summary": crawled.summary(),
        "entries": crawled.entries,
        "states": [_state(state) for state in crawled.states.values()],
        "transitions": [_transition(found) for found in crawled.transitions.values()],
        "refused": [
            {"source": source, "event": event, "reason": reason}
            for (source, event), reason in crawled.refused.items()
        ],
        "given_up": _pairs(crawled.given_up),
        "findings": [finding._asdict() for finding in crawled.findings],
        "masks": [mask._asdict() for mask in crawled.masks.masks],
        "calls": _calls(crawled.calls),
        "effects": [effects.to_json() for effects in crawled.effects],
        "aliases": dict(crawled.aliases),
    }
    json.dump(document, stream, indent=1)
    stream.write("\n")


def _state(state: CrawledState) -> dict[str, Any]:
    return {
        "id": state.id,
        "url": state.url,
        "title": state.title,
        "depth": state.depth,
        "found": {
            "events": state.found_events,
            "resets": state.found_resets,
            "seconds": state.found_seconds,
        },
        "regions": dict(state.regions),
        "events": [asdict(event) for event in state.events],
    }


def _transition(transition: CrawledTransition) -> dict[str, Any]:
    document: dict[str, Any] = {
        "source": transition.source,
        "event": transition.event,
        "target": transition.target,
        "changes": [change._asdict() for change in transition.changes],
    }
    if transition.outcomes:
        document["outcomes"] = dict(transition.outcomes)
    if transition.is_assumed:
        document["assumed"] = True
    return document


def _pairs(pairs: Iterable[Pair]) -> list[dict[str, str]]:
    return [{"source": source, "event": event} for source, event in pairs]


def _calls(calls: InvocationGraph) -> dict[str, Any]:
    return {
        "nodes": calls.nodes,
        "hot_nodes": calls.hot_nodes,
        "edges": [
            {"caller": caller, "callee": callee, "times": times}
            for (caller, callee), times in calls.edges.items()
        ],
        "requests": [request._asdict() for request in calls.requests],
        "invocations": [invocation._asdict() for invocation in calls.invocations],
    }
