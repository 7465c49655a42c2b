"""The hub of the star (Mirtaheri et al. 2013): passes states on, deals out events, ends."""

from collections.abc import Iterable
from typing import Any

from statecrawl.coordination.machine import NEVER, STORE, Address, Output
from statecrawl.coordination.ownership import Ownership
from statecrawl.coordination.star_messages import (
    Alive,
    Credentials,
    Expelled,
    GetCredentials,
    GetNewStates,
    Leave,
    NodeStatus,
    Release,
    Released,
    SendNewState,
    SendNodeStatus,
    Share,
    States,
    Stay,
    Take,
    Terminated,
)
from statecrawl.coordination.star_settings import StarSettings
from statecrawl.core.facts import Fact, Found


class _Member:
    """A node that takes part: what it was told, how it stands, when it was last heard."""

    def __init__(self, address: Address, attempt: int, token: int, number: int, now: float) -> None:
        self.address = address
        self.attempt = attempt
        self.token = token
        self.number = number
        self.heard_at = now
        self.status = NodeStatus.ACTIVE
        self.sent = 0
        self.told = 0
        self.untold_shares: list[Share] = []
        self.is_asked = False
        self.kept = 0
        """How many events it had when it could give none of them away."""
        self.is_lost = False

    @property
    def is_done(self) -> bool:
        return self.status is NodeStatus.DONE


class StarCoordinator:
    """Keeps all facts and who owns which event; nodes are sent only what they lack.

    `facts` are those of an earlier coordinator of the same crawl; `incarnation` must be larger
    than that one's, so that its tokens are refused.
    """

    def __init__(
        self, settings: StarSettings, facts: Iterable[Fact] = (), incarnation: int = 0
    ) -> None:
        self.settings = settings
        self.is_over = False
        self._next_token = incarnation * 1_000_000 + 1
        self._members: dict[int, _Member] = {}
        self._waiting: dict[Address, int] = {}
        self._has_started = False
        self._log: list[tuple[Fact, int]] = []
        self._number = 0
        self.ownership = Ownership(settings.assignment, balances=settings.balances)
        self.ownership.add("", [f"load {entry}" for entry in settings.entries])
        for fact in facts:
            if self.ownership.learn(fact):
                self._log.append((_light(fact), 0))
        # Whoever goes on with a crawl waits for nobody: nodes may have gone meanwhile.
        self._opens_at = 0.0
        self._awaited = 1 if self._log else settings.nodes
        self.is_over = bool(self._log) and self.ownership.left == 0

    def begin(self, now: float) -> list[Output]:
        """Wait for the nodes; those of an earlier coordinator hold events for a lease yet."""
        if self._log and self.settings.lease_seconds < NEVER:
            self._opens_at = now + self.settings.lease_seconds
        return []

    @property
    def alarm(self) -> float:
        """When the next silent node is thought dead, or nodes are let in again."""
        if self._waiting and self._opens_at:
            return self._opens_at
        if not self._members or self.is_over or self.settings.lease_seconds == NEVER:
            return NEVER
        quietest = min(member.heard_at for member in self._members.values())
        return quietest + self.settings.lease_seconds

    def wake(self, now: float) -> list[Output]:
        """Give the events of nodes that were not heard to the others."""
        outputs: list[Output] = []
        if self._waiting and self._opens_at and now >= self._opens_at:
            outputs += self._let_in(now)
        for member in list(self._members.values()):
            if now >= member.heard_at + self.settings.lease_seconds:
                outputs += self._remove(member)
        return outputs + self._look_around() if outputs or not self._members else outputs

    def on(self, sender: Address, message: Any, now: float) -> list[Output]:
        """Take in what a node says."""
        if isinstance(message, GetCredentials):
            return self._welcome(sender, message.attempt, now)
        member = self._members.get(message.token)
        if member is None or member.address != sender or member.is_lost:
            return [(sender, Terminated() if self.is_over else Expelled(message.token))]
        member.heard_at = now
        if isinstance(message, SendNodeStatus):
            if message.heard == member.sent:
                member.status = message.status
            return [(sender, Alive(message.sent_at)), *self._look_around()]
        if isinstance(message, Released):
            member.is_asked = False
            member.kept = 0 if message.pairs else self.ownership.load(member.token)
            self.ownership.release(message.token, message.pairs)
            return self._deal_out() + self._look_around()
        outputs = self._learn(message.facts, member.token)
        if isinstance(message, Leave):
            outputs += self._remove(member) + self._look_around()
        elif isinstance(message, GetNewStates):
            outputs += self._news(member) or self._let_rest(member, message.heard)
            outputs += self._look_around()
        elif isinstance(message, SendNewState):
            outputs += self._news(member) + self._look_around()
        return outputs

    def lost(self, peer: Address, now: float) -> list[Output]:
        """Hear no more of a node that does not know all that it was told; it has to join anew."""
        del now
        for member in self._members.values():
            member.is_lost = member.is_lost or member.address == peer
        return []

    def _welcome(self, sender: Address, attempt: int, now: float) -> list[Output]:
        """Let a node in; the first ones all at once, when there are enough of them."""
        if self.is_over:
            return [(sender, Terminated())]
        outputs: list[Output] = []
        for member in list(self._members.values()):
            if member.address == sender and member.attempt == attempt:
                return self._greet(member)
            if member.address == sender:  # it has died and come back
                outputs += self._remove(member)[1:]
        self._waiting[sender] = attempt
        is_early = not self._has_started and len(self._waiting) < self._awaited
        if is_early or now < self._opens_at:
            return outputs
        return outputs + self._let_in(now)

    def _let_in(self, now: float) -> list[Output]:
        """Let all in who wait, and give them something to do."""
        outputs: list[Output] = []
        self._opens_at = 0.0
        joining, self._waiting = self._waiting, {}
        fresh = [self._admit(*each, now) for each in joining.items()]
        self.ownership.roster = tuple(self._members)
        for member in fresh:
            outputs += self._greet(member)
        if not self._has_started:
            self._has_started = True
            self.ownership.assign_all()
            for state in self.ownership.states():
                self._share(state)
        else:
            outputs += self._deal_out()
        return outputs + self._look_around()

    def _admit(self, address: Address, attempt: int, now: float) -> _Member:
        member = _Member(address, attempt, self._next_token, self._number, now)
        self._members[member.token] = member
        self._next_token += 1
        self._number += 1
        return member

    def _greet(self, member: _Member) -> list[Output]:
        settings = self.settings
        credentials = Credentials(
            member.attempt,
            member.token,
            member.number,
            len(self._members),
            tuple(settings.entries),
            settings.reset_cost,
            settings.assignment,
            settings.lease_seconds,
        )
        return [(member.address, credentials)]

    def _learn(self, facts: Iterable[Fact], author: int) -> list[Output]:
        """Keep what is new, and deal out the events of new states."""
        outputs: list[Output] = []
        for fact in facts:
            if not self.ownership.learn(fact, author):
                continue
            outputs.append((STORE, fact))
            self._log.append((_light(fact), author))
            if isinstance(fact, Found):
                self._share(fact.state)
        return outputs

    def _share(self, state: str) -> None:
        """Note whom to tell that events of a state are its own."""
        roster, owners = self.ownership.roster_of(state), self.ownership.owners(state)
        for place, token in enumerate(roster):
            if token in owners and token in self._members:
                share = Share(state, place, len(roster))
                self._members[token].untold_shares.append(share)

    def _news(self, member: _Member) -> list[Output]:
        """Tell a node what it lacks, if anything."""
        lacking = tuple(
            fact
            for fact, author in self._log[member.told :]
            if author != member.token and (not author or self._is_passed_on(fact))
        )
        member.told = len(self._log)
        shares, member.untold_shares = tuple(member.untold_shares), []
        if not lacking and not shares:
            return []
        return self._send(member, States(lacking, shares))

    def _let_rest(self, member: _Member, heard: int) -> list[Output]:
        """Tell a node to stay; if it has heard all that it was sent, it is done."""
        if heard == member.sent:
            member.status = NodeStatus.DONE
        return self._send(member, Stay())

    def _is_passed_on(self, fact: Fact) -> bool:
        return self.settings.passes_all or self.ownership.is_discovery(fact)

    def _tell_idle(self) -> list[Output]:
        outputs: list[Output] = []
        for member in self._members.values():
            if member.is_done and member.untold_shares:
                outputs += self._news(member)
        return outputs

    def _send(self, member: _Member, message: Any) -> list[Output]:
        if member.is_lost:  # it would not understand; what is its own falls to others when it goes
            return []
        if not isinstance(message, Stay):
            member.status = NodeStatus.ACTIVE
        member.sent += 1
        return [(member.address, message)]

    def _remove(self, member: _Member) -> list[Output]:
        """Take a node out; what it has not told to be explored falls to the others."""
        del self._members[member.token]
        self.ownership.roster = tuple(self._members)
        self.ownership.release_all(member.token)
        return [(member.address, Expelled(member.token)), *self._deal_out()]

    def _deal_out(self) -> list[Output]:
        """Give events that nobody owns to nodes: the idle ones first, else in turn."""
        if not self._has_started or not self._members:
            return []
        idle = [member for member in self._members.values() if member.is_done]
        outputs: list[Output] = []
        dealt = self.ownership.deal([member.token for member in idle or self._members.values()])
        for token, pairs in dealt.items():
            member = self._members[token]
            outputs += self._news(member)
            outputs += self._send(member, Take(tuple(pairs)))
        return outputs

    def _look_around(self) -> list[Output]:
        """End the crawl if all is done; else let idle nodes take over events of busy ones."""
        members = list(self._members.values())
        idle = sum(member.is_done for member in members)
        if self.is_over or not idle or not self._has_started:
            return []
        outputs = self._tell_idle()
        if not outputs and idle == len(members) and self.ownership.left == 0:
            self.is_over = True
            return [(member.address, Terminated()) for member in members]
        still_idle = any(member.is_done for member in members)
        return outputs + (self._balance(members) if self.settings.balances and still_idle else [])

    def _balance(self, members: list[_Member]) -> list[Output]:
        """Ask nodes for what they have more than an even share."""
        even = -(-self.ownership.left // len(members))
        outputs: list[Output] = []
        for member in members:
            load = self.ownership.load(member.token)
            surplus = load - even
            is_free = not member.is_done and not member.is_asked and load != member.kept
            if surplus > 0 and is_free:
                member.is_asked = True
                outputs += self._news(member)  # it can't give away what it was not told of
                outputs += self._send(member, Release(surplus))
        return outputs


def _light(fact: Fact) -> Fact:
    """Return a fact without the content of pages, which nodes have no use for."""
    if isinstance(fact, Found):
        snapshot = fact.snapshot
        light = type(snapshot)("", snapshot.events, snapshot.url, snapshot.regions)
        return Found(fact.state, light, fact.events, fact.resets)
    return fact
