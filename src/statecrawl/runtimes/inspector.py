"""Has each state checked, once, in the tab that stands there first."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from statecrawl.core.problems import MAX_PROBLEMS, FindingKind, Problem
from statecrawl.core.sight import Check, ScriptError, Sight
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
        """Take in what was told, now or in an earlier run."""
        self._told.update(p for p in problems if p.kind is not FindingKind.INVARIANT)

    async def look(self, sight: Callable[[], Sight], state: str) -> list[Problem]:
        """Return what is wrong with the state that a tab shows, if nobody looked before."""
        if state in self._visited:
            return []
        self._visited.add(state)
        found: list[Problem] = []
        for check in self._checks:
            try:
                found += self._news(await check(sight()))
            except (BrowserError, ScriptError):
                self.failures["check"] += 1
        return found

    def _news(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return some problems that were not told yet."""
        short = dict.fromkeys(problem.shortened() for problem in problems)
        fresh = [problem for problem in short if problem not in self._told][:MAX_PROBLEMS]
        self.recall(fresh)
        return fresh
