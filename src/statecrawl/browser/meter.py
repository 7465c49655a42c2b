"""What the browser did besides executing plans."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Meter:
    """Requests, probes, and what went otherwise than planned, by kind."""

    requests: int = 0
    requests_cached: int = 0
    probe_events: int = 0
    probe_resets: int = 0
    failures: Counter[str] = field(default_factory=Counter)
