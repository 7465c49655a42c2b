"""When two pages are one state: one file for each answer, by the name users give it."""

from collections.abc import Collection

from statecrawl.core.identity import Equivalence
from statecrawl.core.resemblance import EventRule, NearEquivalence, Resemblance
from statecrawl.equivalences.blend import Blend
from statecrawl.equivalences.broder import Broder
from statecrawl.equivalences.buckets import Buckets
from statecrawl.equivalences.content import content
from statecrawl.equivalences.crawlhash import Crawlhash
from statecrawl.equivalences.exact import exact
from statecrawl.equivalences.spec import Range, build, number, one_of, split
from statecrawl.equivalences.structure import structure
from statecrawl.errors import InputError

EQUIVALENCES: dict[str, Equivalence] = {
    "exact": exact,
    "content": content,
    "structure": structure,
}
DEFAULT_EQUIVALENCE = "exact"

RESEMBLANCES: dict[str, type[Resemblance]] = {
    "blend": Blend,
    "crawlhash": Crawlhash,
    "broder": Broder,
    "buckets": Buckets,
}
"""Those with a threshold; each is a class whose fields are what users may set."""
DEFAULT_CLASSES = "blend"
"""Which near-duplicate classes are made of the states of a crawl."""


def near_equivalence(spec: str, others: Collection[str] = ()) -> NearEquivalence:
    """Return the equivalence that NAME[:key=value,...] stands for, or say what is wrong with it.

    The settings of all are `threshold` and `events`. Others that could have been named are told.
    """
    name, given = split(spec)
    if name not in RESEMBLANCES:
        raise InputError(
            f"unknown equivalence {name[:40]!r}: give one of {', '.join((*others, *RESEMBLANCES))}"
        )
    events = EventRule(one_of("events", given.pop("events", EventRule.SAME), tuple(EventRule)))
    threshold = given.pop("threshold", None)
    resemblance: Resemblance = build(RESEMBLANCES[name], given)
    limits = Range(0, resemblance.farthest)
    return NearEquivalence(
        resemblance,
        resemblance.default_threshold
        if threshold is None
        else number("threshold", threshold, limits),
        events,
    )
