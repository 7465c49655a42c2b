"""Has each state checked, once, in the tab that stands there first."""

from collections import Counter
from collections.abc import Iterable, Sequence

from statecrawl.core.ports import Tab
from statecrawl.core.problems import MAX_PROBLEMS, FindingKind, Problem
from statecrawl.core.sight import Check, ScriptError
from statecrawl.errors import BrowserError


class Inspector:
    """Runs checks; what was told of one state is not told again of the next.

    Only invariants are: the user wants to know in which states they don't hold.
    """

    def __init__(self, checks: Sequence[Check]) -> None:
        self._checks = checks
        self._visited: set[str] = set()
        self._told: set[Problem] = set()
        self.failures: Counter[str] = Counter()

    @property
    def has_checks(self) -> bool:
        """Tell whether there is anything to look for."""
        return bool(self._checks)

    def recall(self, problems: Iterable[Problem]) -> None:
        """Take in what an earlier run told."""
        self._told.update(problems)

    async def look(self, tab: Tab, state: str) -> list[Problem]:
        """Return what is wrong with the state that a tab is in, if nobody looked before."""
        if state in self._visited:
            return []
        self._visited.add(state)
        found: list[Problem] = []
        for check in self._checks:
            try:
                found += self._news(await check(tab.sight()))
            except (BrowserError, ScriptError):
                self.failures["check"] += 1
        return found

    def _news(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return some problems that were not told yet."""
        short = dict.fromkeys(problem.shortened() for problem in problems)
        fresh = [problem for problem in short if problem not in self._told][:MAX_PROBLEMS]
        self._told.update(p for p in fresh if p.kind is not FindingKind.INVARIANT)
        return fresh
