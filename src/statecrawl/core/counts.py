"""How much a crawl has done so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Counts:
    """The figures of a crawl that its facts don't say; probes are apart from exploration."""

    events: int = 0
    resets: int = 0
    seconds: float = 0.0
    requests: int = 0
    requests_cached: int = 0
    probe_events: int = 0
    probe_resets: int = 0
    stop_reason: str = ""
    not_combined: int = 0
    passed_by: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)
    tabs: tuple[str, ...] = ()
    """In which state each tab is; a blank one is in ""."""
    spent: Mapping[str, float] = field(default_factory=dict)
    """What the seconds of all crawlers together went into."""

    def plus(self, other: "Counts", times: int = 1) -> "Counts":
        """Return both together, or with -1 what this one has more; tabs are this one's."""
        numbers = {name: getattr(self, name) + times * getattr(other, name) for name in _NUMBERS}
        failures, spent = dict(self.failures), dict(self.spent)
        for kind, more in other.failures.items():
            failures[kind] = failures.get(kind, 0) + times * more
        for kind, seconds in other.spent.items():
            spent[kind] = spent.get(kind, 0.0) + times * seconds
        return replace(self, **numbers, failures=failures, spent=spent)


_NUMBERS = (
    *("events", "resets", "seconds", "requests", "requests_cached", "probe_events"),
    *("probe_resets", "not_combined", "passed_by"),
)
