"""Reliable, ordered sessions between processes over a network that loses, repeats and reorders."""

from typing import Any, NamedTuple

from statecrawl.coordination.machine import (
    BROWSER,
    NEVER,
    STORE,
    Address,
    HearsOfLoss,
    Machine,
    Output,
)

MAX_BUFFERED = 1_000
STREAMS_A_LIFE = 1_000_000
RESENDS = 6
"""At least so often something is said again before it is given up."""


class Envelope(NamedTuple):
    """One message on its way, or only an acknowledgement (number 0, no message).

    A message of number 0 arrives at once or not at all.
    A stream is what one process says to another; a larger one begins anew. `heard` is the last
    message that arrived of the addressee's stream `to_stream`, 0 while that is unknown.
    """

    stream: int
    to_stream: int
    number: int
    heard: int
    message: Any


class _Link:
    """What was said to one peer and heard from it."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self.number = 0
        self.unheard: list[tuple[int, Any, float]] = []
        self.resend_at = NEVER
        self.times = 0
        """How often they were said again since the last of them was heard."""
        self.peer_stream = 0
        self.heard = 0
        self.early: dict[int, Any] = {}


class Endpoint:
    """A machine behind sessions: whoever runs it may lose, repeat and reorder envelopes.

    A message that is not acknowledged is said again, each time after twice as long: a peer that
    is late is not helped by hearing everything often. One that nobody acknowledged for
    `give_up_seconds` is dropped with all that follow:
    its addressee is dead, or as good as, and the machine is told if it wants to know.
    Messages that are `fleeting` are said once: before they could be said again there is a newer
    one. `incarnation` grows each time the process is started.
    """

    def __init__(
        self,
        machine: Machine,
        incarnation: int,
        resend_seconds: float = 1.0,
        give_up_seconds: float = 30.0,
        fleeting: tuple[type, ...] = (),
    ) -> None:
        self.machine = machine
        self._fleeting = fleeting
        self._next_stream = incarnation * STREAMS_A_LIFE
        self._resend_seconds = resend_seconds
        self._give_up_seconds = give_up_seconds
        self._links: dict[Address, _Link] = {}

    def begin(self, now: float) -> list[Output]:
        """Start the machine."""
        return self._wrapped(self.machine.begin(now), now)

    def on(self, sender: Address, message: Any, now: float) -> list[Output]:
        """Take in an envelope, or what the browser saw."""
        if sender == BROWSER:
            return self._wrapped(self.machine.on(sender, message, now), now)
        link = self._link(sender)
        if not self._is_current(link, message):
            return [(sender, self._envelope(link, 0, None))] if message.number else []
        if message.to_stream == link.stream:
            self._acknowledge(link, message.heard, now)
        if message.number == 0:
            if message.message is None:
                return []
            return self._wrapped(self.machine.on(sender, message.message, now), now)
        if link.heard < message.number <= link.heard + MAX_BUFFERED:
            link.early[message.number] = message.message
        outputs: list[Output] = []
        while link.heard + 1 in link.early:
            link.heard += 1
            arrived = link.early.pop(link.heard)
            outputs += self._wrapped(self.machine.on(sender, arrived, now), now)
        if all(to != sender for to, _ in outputs):
            outputs.append((sender, self._envelope(link, 0, None)))
        return outputs

    def _is_current(self, link: _Link, envelope: Envelope) -> bool:
        """Take notice of a new life of the peer; tell whether the envelope is for this of ours."""
        if envelope.stream < link.peer_stream:
            return False
        if envelope.stream > link.peer_stream:
            if link.peer_stream and _life(link.peer_stream) != _life(envelope.stream):
                self._renew(link)
            link.peer_stream = envelope.stream
            link.heard = 0
            link.early.clear()
        return envelope.to_stream == 0 or _life(envelope.to_stream) == _life(link.stream)

    @property
    def alarm(self) -> float:
        """When the machine wants to be woken, or something is to be said again."""
        resend = min((link.resend_at for link in self._links.values()), default=NEVER)
        return min(resend, self.machine.alarm)

    def wake(self, now: float) -> list[Output]:
        """Say again what was not acknowledged, and wake the machine."""
        outputs: list[Output] = []
        for peer, link in list(self._links.items()):
            if now < link.resend_at:
                continue
            if now >= link.unheard[0][2] + self._give_up_seconds:
                self._renew(link)
                if isinstance(self.machine, HearsOfLoss):
                    outputs += self._wrapped(self.machine.lost(peer, now), now)
                continue
            link.times += 1
            link.resend_at = now + self._pause(link)
            outputs += [(peer, self._envelope(link, each[0], each[1])) for each in link.unheard]
        if now >= self.machine.alarm:
            outputs += self._wrapped(self.machine.wake(now), now)
        return outputs

    def _wrapped(self, outputs: Any, now: float) -> list[Output]:
        wrapped: list[Output] = []
        for to, message in outputs:
            if to in (BROWSER, STORE):
                wrapped.append((to, message))
                continue
            link = self._link(to)
            if isinstance(message, self._fleeting):
                wrapped.append((to, self._envelope(link, 0, message)))
                continue
            link.number += 1
            link.unheard.append((link.number, message, now))
            link.resend_at = min(link.resend_at, now + self._pause(link))
            wrapped.append((to, self._envelope(link, link.number, message)))
        return wrapped

    def _link(self, peer: Address) -> _Link:
        link = self._links.get(peer)
        if link is None:
            self._next_stream += 1
            link = self._links[peer] = _Link(self._next_stream)
        return link

    def _renew(self, link: _Link) -> None:
        """Forget what was said: it was for one that is dead."""
        self._next_stream += 1
        link.stream = self._next_stream
        link.number = 0
        link.unheard = []
        link.resend_at = NEVER
        link.times = 0

    def _acknowledge(self, link: _Link, heard: int, now: float) -> None:
        """Take notice of what a peer has heard."""
        waiting = [each for each in link.unheard if each[0] > heard]
        if len(waiting) < len(link.unheard):
            link.unheard = waiting
            link.times = 0
            link.resend_at = now + self._resend_seconds if waiting else NEVER

    def _pause(self, link: _Link) -> float:
        """Return how long to wait before everything is said again."""
        return min(2.0**link.times * self._resend_seconds, self._give_up_seconds / RESENDS)

    @staticmethod
    def _envelope(link: _Link, number: int, message: Any) -> Envelope:
        return Envelope(link.stream, link.peer_stream, number, link.heard, message)


def _life(stream: int) -> int:
    """Return the incarnation of the process that began a stream."""
    return stream // STREAMS_A_LIFE
