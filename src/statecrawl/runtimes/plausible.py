"""Keeps a star's coordinator from messages that no honest node sends."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from statecrawl.coordination.machine import Address, HearsOfLoss, Machine, Output
from statecrawl.core.facts import Assumed, EntryFound, Executed, Fact, Found

_STATE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Plausible:
    """A machine that passes over messages whose facts are about states that nobody found."""

    def __init__(
        self, machine: Machine, is_known: Callable[[str], bool], say: Callable[[str], None]
    ) -> None:
        self._machine = machine
        self._is_known = is_known
        self._say = say

    def begin(self, now: float) -> Sequence[Output]:
        """Start the machine."""
        return self._machine.begin(now)

    def on(self, sender: Address, message: Any, now: float) -> Sequence[Output]:
        """Let the machine take in a message, unless it makes no sense."""
        problem = self._problem(getattr(message, "facts", ()))
        if problem:
            self._say(f"a message of a node is passed over: {problem}")
            return []
        return self._machine.on(sender, message, now)

    @property
    def alarm(self) -> float:
        """When the machine wants to be woken."""
        return self._machine.alarm

    def wake(self, now: float) -> Sequence[Output]:
        """Wake the machine."""
        return self._machine.wake(now)

    def lost(self, peer: Address, now: float) -> Sequence[Output]:
        """Let the machine know, if it wants to, that messages were dropped."""
        return self._machine.lost(peer, now) if isinstance(self._machine, HearsOfLoss) else []

    def _problem(self, facts: Sequence[Fact]) -> str:
        found = {""}
        for fact in facts:
            if isinstance(fact, Found):
                if not _STATE.fullmatch(fact.state):
                    return "it has a state with an impossible id"
                found.add(fact.state)
            elif not isinstance(fact, EntryFound):
                ends = [fact.source]
                if isinstance(fact, Executed | Assumed):
                    ends.append(fact.target)
                if not all(end in found or self._is_known(end) for end in ends):
                    return "it is about a state that was never found"
        return ""
