"""Guesses why events are nondeterministic, from the pages that they led to.

What differs between the outcomes says most: times, made-up values, the same things in another
order, rows more or fewer. It is weighed with what could have come between: a server that keeps
data, requests that overtake each other, a clock or chance that are the real ones. What nothing
speaks for is put down to hidden state: two pages that look the same and are not.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from statecrawl.core.crawled import Crawled, CrawledTransition, Pair
from statecrawl.core.difference import Changed, Difference, difference
from statecrawl.core.dom import Element, parse, visible_text
from statecrawl.core.guess import Cause, Guess
from statecrawl.core.invocations import Invocation
from statecrawl.core.masks import TEXT, leaves
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.values import (
    differ_in_made_up,
    differ_in_numbers,
    differ_in_time,
    grows,
    quoted,
)

MAX_EXPLAINED = 1_000
"""So many events are looked into, the first ones; an application that is never the same twice
has them all for one reason."""
MAX_CHARACTERS = 20_000_000
"""And no more once so much was read: that takes seconds."""
MAX_COMPARED = 4
"""So many outcomes of one event are compared, each with the one before."""
READING = frozenset(("GET", "HEAD", "OPTIONS"))

PageOf = Callable[[str], Snapshot | None]
"""Gives the page of a state with its content."""


class _Case(NamedTuple):
    """One nondeterministic event: how its outcomes differ, and what may have come between."""

    transition: CrawledTransition
    steps: list[Difference]
    is_reordered: bool
    events: list[str]  # that only some outcomes offer
    calls: list[Invocation]
    writes: list[Invocation]  # of any event
    reaches_server: bool
    crawled: Crawled

    @property
    def changed(self) -> list[Changed]:
        return [each for step in self.steps for each in step.changed]

    @property
    def is_structural(self) -> bool:
        return any(step.gone or step.come for step in self.steps)

    @property
    def is_subset(self) -> bool:
        """Whether one page is the other without a part."""
        return all(bool(step.gone) != bool(step.come) and not step.changed for step in self.steps)

    @property
    def came_back(self) -> bool:
        """Whether it led to the first outcome again after it had led elsewhere."""
        return self.transition.outcomes.get(self.transition.target, 0) > 1

    @property
    def asks_several(self) -> bool:
        """Whether the event makes several requests, which may overtake each other."""
        return len({call.key for call in self.calls}) > 1

    def chose(self, option: str) -> bool:
        """Tell whether the crawl was given this option."""
        return bool(self.crawled.about.get(option))


def explain(
    crawled: Crawled, page_of: PageOf, pairs: Iterable[Pair] | None = None
) -> dict[Pair, Guess]:
    """Return a guess for each of a crawl's nondeterministic events, or for some of them."""
    characters = 0

    @lru_cache(maxsize=16)
    def tree_of(state: str) -> Element:
        nonlocal characters
        page = page_of(state)
        dom = page.dom if page else ""
        characters += len(dom)
        return crawled.masks.apply(parse(dom))

    calls: dict[str, list[Invocation]] = {}
    for call in crawled.calls.invocations:
        calls.setdefault(call.event, []).append(call)
    guesses: dict[Pair, Guess] = {}
    for pair in pairs or crawled.nondeterministic[:MAX_EXPLAINED]:
        if characters > MAX_CHARACTERS:
            break
        guesses[pair] = _guess(_case(crawled, crawled.transitions[pair], tree_of, calls))
    return guesses


def _case(
    crawled: Crawled,
    transition: CrawledTransition,
    tree_of: Callable[[str], Element],
    calls: Mapping[str, list[Invocation]],
) -> _Case:
    outcomes = list(transition.outcomes)[:MAX_COMPARED]
    trees = [tree_of(state) for state in outcomes]
    pairs = list(pairwise(trees))
    offered = Counter(
        event.identity for state in outcomes for event in crawled.states[state].events
    )
    urls = {crawled.states[state].url.partition("#")[0] for state in outcomes}
    if transition.source in crawled.states:
        urls.add(crawled.states[transition.source].url.partition("#")[0])
    made = calls.get(transition.event, [])
    return _Case(
        transition,
        [difference(one, other) for one, other in pairs],
        _are_reordered([_texts(tree) for tree in trees]),
        [event for event, times in offered.items() if times < len(outcomes)],
        made,
        [call for several in calls.values() for call in several if call.method not in READING],
        not transition.source or bool(made) or len(urls) > 1,
        crawled,
    )


def _texts(root: Element) -> list[str]:
    return [text for (_, part), text in leaves(root).items() if part == TEXT]


def _are_reordered(pages: Iterable[list[str]]) -> bool:
    """Tell whether pages have the same texts, and not all in the same order."""
    orders = {tuple(texts) for texts in pages}
    return len(orders) > 1 and len({tuple(sorted(order)) for order in orders}) == 1


def _guess(case: _Case) -> Guess:
    for rule in _RULES:
        if (guess := rule(case)) is not None:
            return guess
    return Guess(Cause.UNKNOWN, f"hidden state of the page, most likely: {_shown(case)}")


def _timer(case: _Case) -> Guess | None:
    event = case.crawled.event(case.transition.source, case.transition.event)
    if event.kind == "timeout":
        return Guess(Cause.TIME, "the event is a timer")
    if case.events and all(each.startswith("timeout ") for each in case.events):
        return Guess(Cause.TIME, "some of the pages wait for a timer")
    return None


def _times(case: _Case) -> Guess | None:
    if _only(case, differ_in_time):
        return Guess(Cause.TIME, _shown(case))
    return None


def _order(case: _Case) -> Guess | None:
    if case.is_reordered:
        return Guess(Cause.RANDOMNESS, "the same texts in another order")
    return None


def _made_up(case: _Case) -> Guess | None:
    if _only(case, differ_in_made_up):
        return Guess(Cause.RANDOMNESS, _shown(case))
    return None


def _numbers(case: _Case) -> Guess | None:
    """Counts of a server only grow; what comes from chance jumps, and so may two of three."""
    if not _only(case, differ_in_numbers):
        return None
    is_growing = all(grows(each.was, each.now) for each in case.changed) and not case.came_back
    if is_growing and case.chose("real_time") and not case.reaches_server:
        return Guess(Cause.TIME, f"it grows while the clock is the real one: {_shown(case)}")
    is_short = len(case.steps) < MAX_COMPARED - 1
    if case.chose("real_chance") and not case.writes and (is_short or not is_growing):
        return Guess(Cause.RANDOMNESS, _shown(case))
    if is_growing and case.reaches_server:
        return Guess(Cause.SERVER_STATE, f"counts that only grow: {_shown(case)}")
    if case.reaches_server and not case.writes:
        return Guess(Cause.RANDOMNESS, _shown(case))
    return None


def _late(case: _Case) -> Guess | None:
    """One page is the other without something, which came too late or not."""
    if not case.is_subset or not case.reaches_server or case.writes:
        return None
    if case.came_back or case.asks_several or case.crawled.counts.failures.get("unsettled"):
        return Guess(Cause.RACE, f"one page is the other without a part: {_shown(case)}")
    return None


def _rows(case: _Case) -> Guess | None:
    parts = [part for step in case.steps for part in (*step.gone, *step.come)]
    is_data = bool(parts) and all(part.is_row for part in parts)
    if is_data and case.reaches_server and (case.writes or not case.came_back):
        return Guess(Cause.SERVER_STATE, f"rows more or fewer: {_shown(case)}")
    return None


def _written(case: _Case) -> Guess | None:
    if case.reaches_server and case.writes:
        call = case.writes[0]
        return Guess(Cause.SERVER_STATE, f"the application writes: {call.method} {call.url[:80]}")
    return None


def _overtaking(case: _Case) -> Guess | None:
    if case.asks_several and (case.transition.source or case.came_back):
        return Guess(Cause.RACE, f"it makes several requests, and {_shown(case)}")
    return None


def _moved(case: _Case) -> Guess | None:
    """The clock and chance are the same at each load: what differs comes from elsewhere."""
    if case.chose("real_time") or case.chose("real_chance"):
        return None
    if not case.transition.source:
        return Guess(Cause.SERVER_STATE, f"the same page was loaded, and {_shown(case)}")
    if case.reaches_server and any(not source for source, _ in case.crawled.nondeterministic):
        return Guess(Cause.SERVER_STATE, f"the start page has changed too, and {_shown(case)}")
    return None


def _answered(case: _Case) -> Guess | None:
    if case.calls:
        return Guess(Cause.SERVER_STATE, f"it asks the server, and {_shown(case)}")
    return None


def _real(case: _Case) -> Guess | None:
    if case.chose("real_chance"):
        return Guess(Cause.RANDOMNESS, f"chance is the real one, and {_shown(case)}")
    if case.chose("real_time"):
        return Guess(Cause.TIME, f"the clock is the real one, and {_shown(case)}")
    return None


_RULES = (
    _timer,
    _times,
    _order,
    _made_up,
    _numbers,
    _late,
    _rows,
    _written,
    _overtaking,
    _moved,
    _answered,
    _real,
)
"""In the order of how much each says; the first that says anything is the guess."""


def _only(case: _Case, alike: Callable[[str, str], bool]) -> bool:
    """Tell whether values have changed, each in this way, and nothing else differs."""
    changed = case.changed
    return bool(changed) and not case.is_structural and all(alike(c.was, c.now) for c in changed)


def _shown(case: _Case) -> str:
    """Say in a few words what differs."""
    for step in case.steps:
        for change in step.changed:
            what = "" if change.part == TEXT else f"{change.part} "
            return f"{what}{quoted(change.was)} became {quoted(change.now)}"
        for verb, parts in (("went", step.gone), ("came", step.come)):
            if parts:
                text = visible_text(parts[0].element)
                more = f" and {len(parts) - 1:,} more" if len(parts) > 1 else ""
                return f"{parts[0].element.tag} {quoted(text)}{more} {verb}"
    return "the pages look alike and offer other events"
