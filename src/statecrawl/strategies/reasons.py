"""The reasons of the strategy effects, in words."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from statecrawl.core.effects import Outlook

NOTHING_NEW = "nothing new is predicted"

MAX_REGIONS = 3
"""So many regions are named for each kind of effect."""

WORDS = {
    Outlook.KNOWN: "known",
    Outlook.NEW: "new",
    Outlook.FRESH: "never fired",
    Outlook.UNSEEN: "new, though not clear",
    Outlook.LIKELY: "likely new",
    Outlook.GUESS: "perhaps new",
    Outlook.UNCLEAR: "nobody can tell",
}


class Choice(NamedTuple):
    """What a route was made for."""

    state: int
    event: int
    outlook: Outlook


def reason(outlook: Outlook, chance: float, expected: Mapping[str, str]) -> str:
    """Say what an event should lead to, by what it should do to each region, and how surely."""
    regions: defaultdict[str, list[str]] = defaultdict(list)
    for region, effect in expected.items():
        regions[effect].append(region)
    effects = ", ".join(f"{effect} {_named(names)}" for effect, names in regions.items())
    what = f"{WORDS[outlook]}: {effects}" if effects else WORDS[outlook]
    return f"{what}; chance {chance:.2f}"


def _named(names: list[str]) -> str:
    named = [name or "what no region shows" for name in names[:MAX_REGIONS]]
    more = len(names) - MAX_REGIONS
    return " and ".join([*named, f"{more} more"] if more > 0 else named)
