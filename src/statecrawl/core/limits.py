"""Where a crawl stops although there is more."""

from typing import NamedTuple


class Limits(NamedTuple):
    """Bounds on a crawl; None is no bound.

    A state at the greatest depth, or one too many of its URL, is recorded but not explored. Nor
    are events at that URL that stand where the one does that led there, such as the other items
    of a list.
    """

    max_states: int | None = None
    max_events: int | None = None
    max_depth: int | None = None
    max_states_per_url: int | None = None


NO_LIMITS = Limits()
