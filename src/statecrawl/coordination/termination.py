"""Termination by a marker that goes around the ring (Misra 1983).

An event counts as done only when the state that it led to is stored. So if all coordinators are
idle at one instant, nothing is under way and nothing ever will be. A marker that met every one of
them idle, and idle since its visit before, has passed such an instant: when the round began.
"""

from statecrawl.coordination.ring_messages import Marker


class Termination:
    """One coordinator's part: it holds the marker while busy, and remembers having been busy."""

    def __init__(self, coordinators: int, epoch: int = 0) -> None:
        self.epoch = epoch
        self.is_over = False
        self._coordinators = coordinators
        self._marker: Marker | None = None
        self._round = 0
        self._seen = -1

    def new_marker(self) -> Marker:
        """Return a marker of a new round, in place of one that may be lost."""
        return Marker(self.epoch, self._round + 1, 0)

    def take(self, marker: Marker) -> None:
        """Hold the marker, unless the ring has changed since it set out, or it was replaced."""
        if marker.epoch != self.epoch or marker.round < self._round:
            return
        if marker.round > self._round:
            self._round = marker.round
            self._seen = -1
        self._marker = marker

    @property
    def holds(self) -> bool:
        """Tell whether the marker is here."""
        return self._marker is not None

    def pass_on(self, changes: int) -> Marker | None:
        """Give the marker away, for a coordinator that is idle and has changed so often.

        None: there is none, or all is over.
        """
        marker, self._marker = self._marker, None
        if marker is None or self.is_over:
            return None
        idle = marker.idle + 1 if changes == self._seen else 0
        self._seen = changes
        if idle >= self._coordinators:
            self.is_over = True
            return None
        return Marker(self.epoch, self._round, idle)
