"""Where a crawl stops although there is more."""

from typing import NamedTuple

MAX_ADDITIONS = 20


class Limits(NamedTuple):
    """Bounds on a crawl; None is no bound.

    A state at the greatest depth, or one too many of its URL, is recorded but not explored. Nor
    are events at that URL that stand where the one does that led there, such as the other items
    of a list. An event that only adds more of the same is left out after so many times in a row.
    """

    max_states: int | None = None
    max_events: int | None = None
    max_depth: int | None = None
    max_states_per_url: int | None = None
    max_additions: int | None = MAX_ADDITIONS


NO_LIMITS = Limits()
