"""What the pure rooms need of the outside, as protocols; the edges implement them."""

from typing import Protocol

from statecrawl.core.plan import Execution, Plan
from statecrawl.core.snapshot import Snapshot


class Browser(Protocol):
    """One tab: it executes plans and stops at the first step that led elsewhere."""

    async def execute(self, plan: Plan) -> Execution:
        """Execute the plan and return what was seen, step by step."""
        ...


class Identity(Protocol):
    """The one place where "the same state" is decided."""

    def __call__(self, snapshot: Snapshot) -> str:
        """Return the public id of the state that this snapshot shows."""
        ...
