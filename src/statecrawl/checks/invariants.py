"""Invariants of the user's own: what has to hold in every state."""

import re

from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.sight import Check, Invariant, ScriptError, Sight

_NAMED = re.compile(r"(\w[\w -]{0,60}):\s+(.+)", re.DOTALL)


def script_invariant(text: str) -> Check:
    """Return a check of a JavaScript expression, given as `EXPR` or `NAME: EXPR`."""
    named = _NAMED.fullmatch(text)
    name, expression = named.groups() if named else (text, text)

    async def check(sight: Sight) -> list[Problem]:
        try:
            holds = await sight.evaluate(f"(async () => Boolean(await (\n{expression}\n)))()")
        except ScriptError as error:
            return [Problem(FindingKind.INVARIANT, f"{name}: {error}")]
        return [] if holds else [Problem(FindingKind.INVARIANT, f"{name}: does not hold")]

    return check


def python_invariant(invariant: Invariant) -> Check:
    """Return a check of a function that says whether all is well, or what is not."""
    name = getattr(invariant, "__name__", type(invariant).__name__)

    async def check(sight: Sight) -> list[Problem]:
        snapshot = await sight.snapshot()
        try:
            verdict = invariant(snapshot)
        except Exception as error:  # whatever it is, the crawl goes on and it is told
            verdict = f"{type(error).__name__}: {error}"
        if verdict is True:
            return []
        reason = verdict if isinstance(verdict, str) else "does not hold"
        return [Problem(FindingKind.INVARIANT, f"{name}: {reason}")]

    return check
