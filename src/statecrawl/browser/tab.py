"""One tab: the browser port over a real page."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from statecrawl.browser.agent import AgentSettings
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.conversation import Message
from statecrawl.browser.loading import Loaded
from statecrawl.browser.losses import (
    NoAnswerError,
    OutOfBoundsError,
    PageLostError,
    as_the_agent_tells,
    text,
)
from statecrawl.browser.meter import Meter
from statecrawl.browser.page import Page
from statecrawl.browser.pages import Pages
from statecrawl.browser.redaction import REDACTED
from statecrawl.browser.sight import PageSight
from statecrawl.browser.sign_in import LoginError
from statecrawl.browser.warm import WarmPages
from statecrawl.core.login import SIGNED_OUT
from statecrawl.core.plan import NOT_A_PAGE, Execution, Halt, Move, Plan, Step, Trail
from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.snapshot import (
    NEW_DOCUMENT,
    Call,
    Change,
    Effect,
    Event,
    Filling,
    LeftAlone,
    Snapshot,
)
from statecrawl.errors import ApplicationError, BrowserError, StatecrawlError

NOTHING = Effect()
RETRACED = 50
"""How many moves of a trail are made in one round trip."""
PAGE_TYPES = ("text/html", "application/xhtml+xml", "image/svg+xml")


HANGING = ("hang", "endless", "endless_load", "endless_dialogs", "crash")
NOT_THE_EVENT = ("network", "application", "browser")
"""Reasons why a reset fails that nobody should blame on the entry: the server may be back."""


class _HaltError(Exception):
    """The plan ends here."""

    def __init__(self, halt: Halt) -> None:
        self.halt = halt


class Tab:
    """Executes plans in pages of a Chromium; each reset is a page in a new context.

    A whole plan is one round trip, as long as it stays in one document and needs no trusted
    input. What comes back are names of pages; content is asked for when a name is new.
    """

    def __init__(
        self,
        chromium: Chromium,
        pages: Pages,
        warm: WarmPages | None = None,
        settings: AgentSettings | None = None,
        cursor: int = 0,
    ) -> None:
        self._cursor = cursor
        self._chromium = chromium
        self._settings = settings
        self._pages = pages
        self._warm = warm
        self._page: Page | None = None
        self._at = ""
        self._snapshots: list[Snapshot] = []
        self._effects: list[Effect] = []
        self._moves: list[Move] = []

    @property
    def page(self) -> Page | None:
        """The page as it is now, if there is one."""
        return self._page

    async def execute(self, plan: Plan) -> Execution:
        """Execute the plan and return what was seen, step by step."""
        self._snapshots, self._effects, self._moves = [], [], []
        halt, reason, lost_to = Halt.DONE, "", None
        try:
            if plan.entry is not None:
                await self._reset(plan.entry, plan.expected_entry)
            await self._walk(list(plan.steps))
        except _HaltError as halted:
            halt = halted.halt
        except LoginError:
            raise
        except (PageLostError, BrowserError, ApplicationError, TimeoutError) as error:
            halt, reason = Halt.LOST, _kind(error)
            if reason in HANGING:
                lost_to = Problem(FindingKind.HANG, str(error))
            if not isinstance(error, OutOfBoundsError):  # the gate has counted that
                self._chromium.meter.failures[reason] += 1
        opened = await self._take_opened()
        if halt is Halt.LOST:
            reason = self._blame(plan, reason)  # while it is known in which session that was
            await self.blank()
        elif halt is Halt.DONE and self._chromium.admission is not None:
            explored = (step.event for step in plan.steps if step.expected is None)
            self._chromium.admission.went_well(self._page, explored)
        seen, effects, moves = tuple(self._snapshots), tuple(self._effects), tuple(self._moves)
        return Execution(seen, halt, effects, lost_to, reason, opened, moves)

    def _blame(self, plan: Plan, reason: str) -> str:
        """Return why a page was lost, "" where that says nothing about the event."""
        if reason == SIGNED_OUT:
            return self._signed_out(plan)
        is_reset = not self._snapshots and plan.entry is not None
        was_loaded = plan.expected_entry is not None and reason == "endless_load"
        return "" if is_reset and (was_loaded or reason in NOT_THE_EVENT) else reason

    async def retrace(self, trail: Trail) -> Snapshot | None:
        """Do what was done on the way to a state, wherever it leads; None when that can't be.

        Finds states again that depend on what a page does not show.
        """
        seen = await self.revisit(trail, [len(trail.moves)])
        return seen[-1] if seen else None

    async def revisit(self, trail: Trail, stops: Sequence[int]) -> list[Snapshot] | None:
        """Do what was done once, and return the pages after so many moves each, with content."""
        seen = []
        try:
            await self._reset(trail.entry, None)
            done = 0
            for stop in stops:
                await self._repeat(list(trail.moves[done:stop]))
                seen.append(await self.snapshot())
                done = stop
        except (_HaltError, PageLostError, StatecrawlError, TimeoutError):
            return None
        return seen

    async def _repeat(self, moves: list[Move]) -> None:
        """Fire events as they were fired before, in one go as far as that goes."""
        while moves:
            page = self._live_page()
            if moves[0].is_trusted:
                message = await page.click_trusted(moves[0].event)
            else:
                run = itertools.takewhile(lambda move: not move.is_trusted, moves[:RETRACED])
                message = await page.run([(move.event, None) for move in run])
            if message is None or message.get("halt") == "refused":
                raise _HaltError(Halt.REFUSED)
            seen = _seen(message)
            del moves[: len(seen)]
            self._at = seen[-1][0] if seen else self._at
            if "leaving" in message:
                self._at, _ = await self._next_document(page)
                del moves[:1]

    def _signed_out(self, plan: Plan) -> str:
        """Have somebody sign in again; return why the event lost the page if it is to blame."""
        admission = self._chromium.admission
        assert admission is not None  # noqa: S101 - without a login there is no door
        number = len(self._snapshots) - (plan.entry is not None)
        is_tried = 0 <= number < len(plan.steps) and plan.steps[number].expected is None
        event = plan.steps[number].event if is_tried else ""
        return SIGNED_OUT if admission.signed_out(self._page, event) else ""

    async def _take_opened(self) -> tuple[str, ...]:
        """Return the URLs, in bounds, of windows that were opened meanwhile."""
        urls = [] if self._page is None else self._page.take_opened()
        told = [url for url in urls if self._chromium.redact(url) == url]
        return tuple([url for url in told if not await self._chromium.refusal(url)])

    async def blank(self) -> None:
        """Give the page back."""
        if self._page is not None:
            page, self._page = self._page, None
            await self._chromium.release(page)

    async def close(self) -> None:
        """Give back the page, and those loaded in advance."""
        await self.blank()
        if self._warm is not None:
            await self._warm.close()

    async def rename(self) -> None:
        """Take over the browser's settings of now: with other masks the page has another name."""
        if self._page is not None and self._page.is_alive:
            try:
                self._at = await self._page.configure(self._chromium.settings)
            except (PageLostError, BrowserError, TimeoutError):
                await self.blank()

    async def snapshot(self) -> Snapshot:
        """Return the page as it is now, with its content."""
        return await self._content(self._at)

    async def screenshot(self) -> bytes:
        """Return a picture of the page as it is now; nothing when it shows a secret."""
        if self._at in self._pages.indiscreet:
            return b""
        return await self._live_page().screenshot()

    def sight(self) -> PageSight:
        """Return a way to look into the page as it is now."""
        if self._page is None or not self._page.is_alive:
            raise BrowserError("there is no page to look into")
        return PageSight(self._page, self.snapshot)

    def _live_page(self) -> Page:
        if self._page is None or not self._page.is_alive:
            known = None if self._page is None else self._page.loss
            raise known or PageLostError("there is no page")
        return self._page

    async def _reset(self, entry: str, expected: str | None) -> None:
        await self.blank()
        if self._warm is not None:
            self._page, loaded = await self._warm.take(entry)
        else:
            self._page, loaded = await self._chromium.load(entry, self._settings, self._cursor)
        if loaded.content_type not in PAGE_TYPES:
            raise PageLostError(f"{entry} is no page", NOT_A_PAGE)
        if loaded.is_unsettled:
            self._chromium.meter.failures["unsettled"] += 1
        await self._arrive(loaded.page, _effect(loaded.facts, self._chromium), expected)

    async def _walk(self, steps: list[Step]) -> None:
        """Execute steps, in one go as far as that goes."""
        while steps:
            page = self._live_page()
            if steps[0].event in self._pages.trusted:
                message = await page.click_trusted(steps[0].event)
                if message is None:
                    raise _HaltError(Halt.REFUSED)
            else:
                message = await page.run(self._batch(steps))
            done = await self._take_in(message, steps)
            del steps[:done]

    def _batch(self, steps: list[Step]) -> list[tuple[str, list[str] | None]]:
        """Return the steps that the agent can take by itself, with the pages they lead to.

        Nobody knows where the last one leads: its page may be new, and must still be there when
        its content is asked for.
        """
        batch: list[tuple[str, list[str] | None]] = []
        for event, expected in steps:
            if event in self._pages.trusted:
                break
            batch.append((event, None if expected is None else self._pages.names(expected)))
            if expected is None:
                break
        return batch

    async def _take_in(self, message: Message, steps: list[Step]) -> int:
        """Take in what the agent saw, and return how many steps that were."""
        seen = _seen(message)
        for number, (name, facts, is_unsettled) in enumerate(seen):
            step = steps[number]
            self._moves.append(self._move(step))
            effect = _effect(facts, self._chromium)
            if is_unsettled:
                self._chromium.meter.failures["unsettled"] += 1
            is_last = number == len(seen) - 1
            if name != self._at:
                self._pages.effective.add(step.event)
            if step.expected is None and name == self._at and is_last:
                await self._arrive(*await self._try_trusted(step.event, name, effect))
            else:
                await self._arrive(name, effect, step.expected)
        if "leaving" in message:
            step = steps[len(seen)]
            self._moves.append(self._move(step))
            effect = _effect(message["leaving"], self._chromium)
            await self._follow(step, effect)
            return len(seen) + 1
        if message.get("halt") == "refused":
            raise _HaltError(Halt.REFUSED)
        return len(seen)

    def _move(self, step: Step) -> Move:
        return Move(step.event, step.event in self._pages.trusted)

    async def _follow(self, step: Step, effect: Effect) -> None:
        """Go on in the document that a step led to, or in this one if it stays."""
        name, further = await self._next_document(self._live_page())
        calls, problems = effect.calls + further.calls, effect.problems + further.problems
        await self._arrive(name, Effect(further.changes, calls, problems), step.expected)

    async def _next_document(self, page: Page) -> tuple[str, Effect]:
        """Return the name of the document that a page is in at last, and how it came there."""
        meter = self._chromium.meter
        while (loaded := await page.arrival()) is None:
            message = await page.stay()
            if "leaving" not in message:
                name, facts, _ = _seen(message)[0]
                return name, _effect(facts, self._chromium)
        if loaded.content_type not in PAGE_TYPES:
            raise PageLostError(f"{loaded.url} is no page", NOT_A_PAGE)
        meter.requests += 1
        further = _effect(loaded.facts, self._chromium)
        return loaded.page, further._replace(changes=(NEW_DOCUMENT,))

    async def _try_trusted(self, event: str, name: str, effect: Effect) -> tuple[str, Effect]:
        """Try an event that never did anything once more, with input that the page can trust."""
        pages = self._pages
        if not event.startswith("click ") or event in pages.effective or event in pages.tried:
            return name, effect
        pages.tried.add(event)
        self._chromium.meter.probe_events += 1
        page = self._live_page()
        message = await page.click_trusted(event)
        if message is None:
            return name, effect
        self._moves.append(Move(event, is_trusted=True))
        if "leaving" in message:
            again, further = await self._next_document(page)
        else:
            again, facts, _ = _seen(message)[0]
            further = _effect(facts, self._chromium)
        if again == name and NEW_DOCUMENT not in further.changes:
            return name, effect
        pages.trusted.add(event)
        return again, further

    async def _arrive(self, name: str, effect: Effect, expected: str | None = None) -> None:
        """Record the page that a step led to; stop when it is not the state expected."""
        snapshot = self._pages.seen(name)
        if snapshot is None:
            snapshot = await self._content(name)
            self._pages.add(snapshot)
        self._at = name
        self._snapshots.append(snapshot)
        self._effects.append(effect)
        if expected is not None and self._pages.state(snapshot) != expected:
            raise _HaltError(Halt.DIVERGED)

    async def _content(self, name: str) -> Snapshot:
        told = await self._live_page().call("content()")
        with as_the_agent_tells():
            if told["isAtDoor"]:
                raise PageLostError("the login form is there again", SIGNED_OUT)
            content = self._chromium.redact(told)
            if content != told:
                self._pages.indiscreet.add(name)
            return self._snapshot(name, content)

    def _snapshot(self, name: str, content: Mapping[str, Any]) -> Snapshot:
        return Snapshot(
            dom=text(content["dom"]),
            events=tuple(_event(*told) for told in content["events"]),
            url=text(content["url"]),
            title=text(content["title"]),
            page=name,
            volatile=tuple((path, part) for path, part in content["ticking"]),
            made_up=tuple((path, part, value) for path, part, value in content["madeUp"]),
            left_alone=tuple(LeftAlone(*each) for each in content["leftAlone"]),
        )


def _event(
    identity: str,
    kind: str,
    group: str,
    label: str,
    locator: str,
    url: str,
    fillings: list[list[str]],
) -> Event:
    event = _plain_event(identity, kind, group, label, locator, url)
    if not fillings:
        return event
    return replace(event, fillings=tuple(Filling(*map(text, each)) for each in fillings))


@lru_cache(maxsize=8192)
def _plain_event(identity: str, kind: str, group: str, label: str, locator: str, url: str) -> Event:
    """Return an event without fillings; the pages of an application have most in common."""
    where = "" if REDACTED in url else url
    for each in (identity, group, kind, label, locator, where):
        text(each)
    return Event(identity, group, kind, label, locator, where)


def refuse_what_is_no_page(url: str, loaded: Loaded) -> None:
    """Say in one line why a document can't be crawled, if it can't."""
    if loaded.status >= 400:
        raise ApplicationError(f"{url} answers {loaded.status}: nothing to crawl")
    if loaded.content_type not in PAGE_TYPES:
        raise ApplicationError(f"{url} is {loaded.content_type}, not a page: nothing to crawl")


def _seen(message: Message) -> list[tuple[str, list[Any], bool]]:
    """Return the pages that an agent saw: the name, the facts, and whether it was at rest."""
    with as_the_agent_tells():
        return [(text(name), facts, bool(late)) for name, *facts, late in message["seen"]]


def _effect(facts: Any, chromium: Chromium) -> Effect:
    with as_the_agent_tells():
        return _told_effect(chromium.redact(facts), chromium.meter)


def _told_effect(facts: Any, meter: Meter) -> Effect:
    calls, changes, problems = facts
    if not calls and not changes and not problems:
        return NOTHING
    made = []
    for method, url, key, stack, is_cached in calls:
        asked = text(method), text(url), text(key)
        made.append(Call(*asked, tuple(map(text, stack)), bool(is_cached)))
        if is_cached:
            meter.requests_cached += 1
        else:
            meter.requests += 1
    return Effect(
        tuple(Change(text(target), text(action)) for target, action in changes),
        tuple(made),
        tuple(Problem(FindingKind(kind), text(what), text(at)) for kind, what, at in problems),
    )


def _kind(error: Exception) -> str:
    if isinstance(error, PageLostError | OutOfBoundsError | NoAnswerError):
        return error.kind
    return "browser" if isinstance(error, BrowserError) else "application"
