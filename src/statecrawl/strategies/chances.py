"""The chance that an event leads to a new state, by what it was predicted to lead to.

A prediction is a reason to hope, not a promise: how often such predictions came to a new state
is counted for each event, for its group and for all events, and the little that is known of an
event is filled up with what is known of its group, and that with what is known of all. An event
that often found something where nothing was clear may do so where known states fit, too, however
often that was in vain with others.
"""

from collections import defaultdict
from math import ceil, log

from statecrawl.core.effects import Outlook

HOPES = {
    Outlook.NEW: 0.9,
    Outlook.FRESH: 0.7,
    Outlook.UNCLEAR: 0.6,
    Outlook.UNSEEN: 0.9,
    Outlook.LIKELY: 0.85,
    Outlook.GUESS: 0.5,
    Outlook.KNOWN: 0.001,
}
"""How much is hoped for before anything was counted."""

CAUTION = dict.fromkeys(Outlook, 2.0) | {
    Outlook.KNOWN: 100.0,
    Outlook.UNSEEN: 10.0,
    Outlook.LIKELY: 10.0,
}
"""How many counts that hope is worth."""

TRUST = dict.fromkeys(Outlook, 1.0) | {Outlook.UNSEEN: 5.0, Outlook.LIKELY: 5.0}
"""How many counts of an event, and half of those of its group, what is known of others is worth."""

CURIOSITY = 0.75
"""What the first tests of a group are worth where nothing is clear: they may make it so."""

KINSHIP = 4.0
"""How many tests of an event where nothing is clear the guesses of its group are worth."""

ENOUGH = 12
"""After so many tests of a group, none of which found a new state, its others are believed."""

SEVERAL = 2
"""So many groups have to lead to new states where they should not before that is counted on."""

TRIES, FAIR = 4, 0.01
"""So often every event is thought to have such a chance, however vain guesses about others were."""

STEP = log(1.25)
"""Chances within a quarter of each other are one level."""


def level_of(chance: float) -> int:
    """Return the level of a chance; 0 is the best."""
    return ceil(-log(chance) / STEP)


def chance_of(level: int) -> float:
    """Return the chance that a level stands for."""
    return 1.25**-level


class Tally:
    """How often something was tried, and how often that found a new state."""

    __slots__ = ("found", "tried")

    def __init__(self, tried: int = 0, found: int = 0) -> None:
        self.tried = tried
        self.found = found

    def without(self, part: "Tally") -> "Tally":
        """Return what is left without a part."""
        return Tally(self.tried - part.tried, self.found - part.found)

    def chance(self, before: float, weight: float) -> float:
        """Return the share found, where so many more are counted with the chance known before."""
        return (self.found + weight * before) / (self.tried + weight)


class Chances:
    """Counts what predictions came to, and says what may be hoped for."""

    def __init__(self) -> None:
        self._all = {outlook: Tally() for outlook in Outlook}
        self._groups: defaultdict[tuple[object, Outlook], Tally] = defaultdict(Tally)
        self._events: defaultdict[tuple[int, Outlook], Tally] = defaultdict(Tally)
        self._surprising: set[object] = set()
        self._counted_as: dict[int, object] = {}

    def count(self, event: int, group: object, outlook: Outlook, *, is_new: bool) -> None:
        """Count what one prediction came to; an event stays in the group of its first count."""
        group = self._counted_as.setdefault(event, group)
        for tally in (
            self._all[outlook],
            self._groups[group, outlook],
            self._events[event, outlook],
        ):
            tally.tried += 1
            tally.found += is_new
        if is_new and outlook is Outlook.KNOWN:
            self._surprising.add(group)

    def overall(self, outlook: Outlook) -> float:
        """Return the chance of a prediction, whatever the event."""
        return self._all[outlook].chance(HOPES[outlook], CAUTION[outlook])

    def of_exceptions(self) -> float:
        """Return the chance of any event that should lead to known states, if that is counted on.

        A group of events that do otherwise is seen wrongly; if several do, anything may happen.
        """
        return self.overall(Outlook.KNOWN) if len(self._surprising) >= SEVERAL else 0.0

    def is_safe(self, group: object) -> bool:
        """Tell whether events of a group led to known states often enough to believe the rest."""
        alike = self._groups.get((group, Outlook.KNOWN), NONE)
        return alike.tried >= ENOUGH and not alike.found

    def of(self, event: int, group: object, outlook: Outlook) -> float:
        """Return the chance of a prediction for an event; nothing is counted twice."""
        group = self._counted_as.get(event, group)
        own = self._events.get((event, outlook), NONE)
        shared = self._groups.get((group, outlook), NONE)
        chance = self._all[outlook].without(shared).chance(HOPES[outlook], CAUTION[outlook])
        if outlook is Outlook.UNCLEAR and shared.tried < 3:
            return CURIOSITY
        chance = shared.without(own).chance(chance, 2 * TRUST[outlook])
        if outlook is Outlook.GUESS:
            chance = self._events.get((event, Outlook.UNCLEAR), NONE).chance(chance, KINSHIP)
            if own.tried < TRIES:
                return max(FAIR, own.chance(chance, TRUST[outlook]))
        return own.chance(chance, TRUST[outlook])


NONE = Tally()
