"""A crawler of the ring whose pages are resolved: near-duplicates of a state are that state."""

from typing import Any, Protocol

from statecrawl.coordination.machine import BROWSER, NEVER, Address, Output
from statecrawl.coordination.ring_crawler import RingCrawler, steps_of
from statecrawl.coordination.ring_messages import Resolve, Resolved
from statecrawl.core.plan import Execution, Halt, Plan
from statecrawl.core.snapshot import Snapshot


class ToldIdentity(Protocol):
    """Identity that has to be told which state a page is."""

    def __call__(self, snapshot: Snapshot) -> str:
        """Return the state that a page is; its own name while nobody has told."""
        ...

    def question(self, snapshot: Snapshot) -> tuple[str, tuple[int, ...], tuple[str, ...]] | None:
        """Return name, features and group of a page; None: it is known which state it is."""
        ...

    def tell(self, page: str, representative: str) -> None:
        """Hear which state a page is."""
        ...


class ResolvingCrawler:
    """Stands between a crawler and its browser.

    A tab stops at a page that it does not know for the state expected. The coordinator that
    resolves is asked; if it is that state, the rest of the plan is executed.
    """

    def __init__(
        self,
        crawler: RingCrawler,
        address: Address,
        coordinators: tuple[Address, ...],
        identity: ToldIdentity,
        answer_seconds: float = NEVER,
    ) -> None:
        self.crawler = crawler
        self._address = address
        self._coordinators = coordinators
        self._identity = identity
        self._answer_seconds = answer_seconds
        self._plan = Plan(None, None, ())
        self._seen = Execution(())
        self._question: Resolve | None = None
        self._ask_again_at = NEVER

    def begin(self, now: float) -> list[Output]:
        """Start the crawler."""
        return self._noted(self.crawler.begin(now))

    def on(self, sender: Address, message: Any, now: float) -> list[Output]:
        """Take in what the browser saw, which state a page is, or what is for the crawler."""
        if sender == BROWSER:
            self._seen = _joined(self._seen, message)
            return self._look(now)
        if isinstance(message, Resolved):
            self._identity.tell(message.page, message.representative)
            if self._question is None or message.page != self._question.page:
                return []
            self._question, self._ask_again_at = None, NEVER
            return self._go_on(now)
        return self._noted(self.crawler.on(sender, message, now))

    @property
    def alarm(self) -> float:
        """When the crawler wants to be woken, or a question is to be asked again."""
        return min(self.crawler.alarm, self._ask_again_at)

    def wake(self, now: float) -> list[Output]:
        """Ask through another coordinator: this one does not answer."""
        outputs: list[Output] = []
        if now >= self._ask_again_at and self._question is not None:
            self._coordinators = (*self._coordinators[1:], self._coordinators[0])
            outputs += self._ask(self._question, now)
        return outputs + self._noted(self.crawler.wake(now))

    def _noted(self, outputs: Any) -> list[Output]:
        """Note which plan is executed."""
        for to, message in outputs:
            if to == BROWSER:
                self._plan, self._seen = message, Execution(())
        return list(outputs)

    def _look(self, now: float) -> list[Output]:
        """Ask which state the page is that the browser shows, if nobody has told."""
        if self._seen.snapshots and self._seen.halt is not Halt.LOST:
            question = self._identity.question(self._seen.snapshots[-1])
            if question is not None:
                page, features, group = question
                return self._ask(Resolve(page, self._address, features, group), now)
        return self._go_on(now)

    def _ask(self, question: Resolve, now: float) -> list[Output]:
        self._question = question
        self._ask_again_at = now + self._answer_seconds
        return [(self._coordinators[0], question)]

    def _go_on(self, now: float) -> list[Output]:
        """Execute what is left of a plan that only seemed to lead elsewhere, or say what it did.

        Not when the lease ran out while the answer was waited for: others may have the job now.
        """
        seen, steps = self._seen, steps_of(self._plan)
        done = len(seen.snapshots)
        if seen.halt is Halt.DIVERGED and self._identity(seen.snapshots[-1]) == (
            steps[done - 1].expected
        ):
            is_due = done < len(steps)
            if is_due and now >= self.crawler.lease_until:
                return self._noted(self.crawler.on(BROWSER, seen, now))
            self._seen = seen._replace(halt=Halt.DONE)
            if is_due:
                return [(BROWSER, Plan(None, None, steps[done:]))]
        return self._noted(self.crawler.on(BROWSER, self._seen, now))


def _joined(one: Execution, other: Execution) -> Execution:
    """Return two executions, one after the other, as one."""
    return other._replace(
        snapshots=(*one.snapshots, *other.snapshots),
        effects=(*one.effects, *other.effects),
        opened=(*one.opened, *other.opened),
        moves=(*one.moves, *other.moves),
    )
