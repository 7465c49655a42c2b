"""What a browser reports: the events of a page and the page itself. Facts, no decisions."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Event:
    """Something a user can do in a state.

    The identity is the same for the same control in different states and at each visit; the
    group names the kind of place where it stands (items of one list are one group).
    """

    identity: str
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One settled page: its content, its enabled events, what each of its regions shows."""

    dom: str
    events: tuple[Event, ...]
    url: str = ""
    regions: Mapping[str, str] = field(default_factory=dict)
