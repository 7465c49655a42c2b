"""Which states are checked when, and what of that is told."""

import asyncio

from statecrawl.core.problems import MAX_PROBLEMS, MAX_TEXT, FindingKind, Problem
from statecrawl.core.sight import Check, ScriptError, Sight
from statecrawl.errors import BrowserError
from statecrawl.runtimes.inspector import Inspector
from tests.checks.fake import FakeSight

DULL = Problem(FindingKind.HTML, "dull")
BROKEN = Problem(FindingKind.INVARIANT, "broken")


def saying(*problems: Problem) -> Check:
    async def check(_: Sight) -> tuple[Problem, ...]:
        return problems

    return check


def failing(error: Exception) -> Check:
    async def check(_: Sight) -> tuple[Problem, ...]:
        raise error

    return check


def told(inspector: Inspector, *states: str) -> list[list[Problem]]:
    async def run() -> list[list[Problem]]:
        return [await inspector.look(FakeSight, state) for state in states]

    return asyncio.run(run())


def test_a_state_is_looked_at_once_and_a_problem_is_told_once_but_for_invariants() -> None:
    inspector = Inspector([saying(DULL), saying(BROKEN, BROKEN)])
    assert told(inspector, "a", "b", "a") == [[DULL, BROKEN], [BROKEN], []]


def test_what_an_earlier_run_told_is_not_told_again_but_for_invariants() -> None:
    inspector = Inspector([saying(DULL, BROKEN, Problem(FindingKind.HTML, "new"))])
    inspector.recall([DULL, BROKEN])
    [found] = told(inspector, "a")
    assert [problem.text for problem in found] == ["broken", "new"]


def test_what_is_told_of_one_state_has_a_bound() -> None:
    many = [Problem(FindingKind.SECURITY, f"{n} {'x' * 999}") for n in range(MAX_PROBLEMS + 9)]
    [found] = told(Inspector([saying(*many)]), "a")
    assert len(found) == MAX_PROBLEMS
    assert {len(problem.text) for problem in found} == {MAX_TEXT}


def test_a_check_that_can_not_be_carried_out_is_counted_and_the_others_are() -> None:
    inspector = Inspector([failing(ScriptError("no")), failing(BrowserError("gone")), saying(DULL)])
    assert told(inspector, "a") == [[DULL]]
    assert inspector.failures == {"check": 2}


def test_a_page_that_is_gone_is_not_looked_into() -> None:
    def gone() -> Sight:
        raise BrowserError("there is no page to look into")

    inspector = Inspector([saying(DULL)])
    assert asyncio.run(inspector.look(gone, "a")) == []
    assert inspector.failures == {"check": 1}
    assert not Inspector(()).has_checks
