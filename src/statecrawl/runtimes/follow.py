"""Tells hooks what single events did."""

from collections.abc import Sequence

from statecrawl.core.facts import Fact, Found
from statecrawl.core.findings import Passage
from statecrawl.core.hooks import Hooks
from statecrawl.core.plan import Execution, Halt, Plan


def tell_plan(hooks: Hooks, plan: Plan, start: str) -> None:
    """Tell what is about to be fired."""
    at = start
    if plan.entry is not None:
        hooks.before_event("", f"load {plan.entry}")
        at = plan.expected_entry or ""
    for step in plan.steps:
        hooks.before_event(at, step.event)
        at = step.expected or ""


def tell_execution(
    hooks: Hooks, plan: Plan, execution: Execution, passed: Sequence[Passage], facts: Sequence[Fact]
) -> None:
    """Tell what was fired, and what came of it."""
    fresh = {fact.state: fact.snapshot for fact in facts if isinstance(fact, Found)}
    for passage in passed:
        hooks.after_event(*passage)
        page = fresh.pop(passage.state, None)
        if page is not None:
            hooks.new_state(passage.state, page)
        else:
            hooks.revisited(passage.state)
    if execution.halt in (Halt.REFUSED, Halt.LOST):
        events = [step.event for step in plan.steps]
        if plan.entry is not None:
            events.insert(0, f"load {plan.entry}")
        at = passed[-1].state if passed else ""
        hooks.failed(execution.reason or execution.halt, at, events[len(passed)])
