"""Where events were seen to lead, and a way to every state: told by many, in any order."""

from collections import defaultdict

from statecrawl.core.plan import Step


class Ways:
    """Transitions by name, and by which of them each state was reached first.

    A transition whose source nobody has reached yet counts once somebody has, so no way goes round
    in circles, whoever told of it first.
    """

    def __init__(self) -> None:
        self._targets: dict[tuple[str, str], tuple[str, ...]] = {}
        self._came: dict[str, tuple[str, str]] = {}
        self._waiting: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)

    def learn(self, source: str, event: str, target: str) -> None:
        """Take in where an event led; the source of a load is ""."""
        known = self._targets.get((source, event), ())
        if target not in known:
            self._targets[source, event] = (*known, target)
        if source and source not in self._came:
            self._waiting[source].append((event, target))
            return
        due = [(source, event, target)]
        while due:
            at, by, to = due.pop()
            if to and to not in self._came:
                self._came[to] = at, by
                due += [(to, *left) for left in self._waiting.pop(to, ())]

    def outcomes(self, source: str, event: str) -> frozenset[str]:
        """Return all states that an event was seen to lead to."""
        return frozenset(self._targets.get((source, event), ()))

    def to(self, state: str) -> tuple[Step, ...] | None:
        """Return a way from a blank tab to a state; None while there is none."""
        if state and state not in self._came:
            return None
        steps = []
        while state:
            state, event, target = *self._came[state], state
            steps.append(Step(event, target))
        return tuple(reversed(steps))
