"""How a ring crawls."""

from dataclasses import dataclass

from statecrawl.coordination.machine import NEVER
from statecrawl.coordination.ring_messages import Scheme
from statecrawl.core.resemblance import NearEquivalence


@dataclass(frozen=True)
class RingSettings:
    """What every coordinator of a ring has to know beforehand.

    Idle crawlers are offered around again after `retry_seconds`; a lease ends after
    `lease_seconds`. A question to another coordinator that was asked less than `question_seconds`
    ago may still wait to be heard. With `near`, pages that are near a known one are the same state.
    """

    entries: tuple[str, ...]
    reset_cost: float = 1.0
    scheme: Scheme = Scheme.FORWARD
    retry_seconds: float = 0.25
    lease_seconds: float = NEVER
    question_seconds: float = 0.02
    near: NearEquivalence | None = None
