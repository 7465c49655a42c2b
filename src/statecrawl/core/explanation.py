"""Says in one line what a cursor is about to do, and why."""

from statecrawl.core.model import BLANK, Model
from statecrawl.core.session import Crawl
from statecrawl.core.strategy import Explaining, Route
from statecrawl.core.values import quoted


def explained(crawl: Crawl, cursor: int = 0) -> str:
    """Return which event the plan of a cursor is made for, after what, and for which reason.

    A strategy that gives no reasons leaves them out. Empty: the cursor has no plan.
    """
    route = crawl.under_way(cursor)
    if not route:
        return ""
    model = crawl.model
    start = model.states[crawl.where(cursor)] or "a blank tab"
    why = _why(crawl, cursor, route)
    words = [f"{start}: {_what(model, route)}", f"({why})" if why else "", _before(model, route)]
    return " ".join(filter(None, words))


def _why(crawl: Crawl, cursor: int, route: Route) -> str:
    model = crawl.model
    taken = [each for each in route[:-1] if model.is_explored(each.source, each.event)]
    if not all(model.is_trusted(each.source, each.event) for each in taken):
        return "no reliable way leads on"
    return crawl.strategy.why(cursor) if isinstance(crawl.strategy, Explaining) else ""


def _what(model: Model, route: Route) -> str:
    last = route[-1]
    if last.source == BLANK:
        return f"load {quoted(model.entries[last.event])}"
    event = model.events[last.event]
    what = (
        f"fire {event.kind} {quoted(event.label)}"
        if event.label
        else f"fire {quoted(event.identity)}"
    )
    return f"{what} in {model.states[last.source]}" if len(route) > 1 else what


def _before(model: Model, route: Route) -> str:
    """Say what comes before the last event of a route."""
    way = route[:-1]
    has_reset = bool(way) and way[0].source == BLANK
    steps = len(way) - has_reset
    parts = ["a reset"] if has_reset else []
    if steps:
        parts.append(f"{steps} step{'s' if steps > 1 else ''}")
    unexplored = sum(not model.is_explored(each.source, each.event) for each in way)
    if unexplored:
        parts[-1] += f" ({unexplored} unexplored)"
    return f"after {' and '.join(parts)}" if parts else ""
