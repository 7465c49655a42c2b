"""A page to check that is no page: what it shows is given."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from statecrawl.core.sight import Cookie, Document
from statecrawl.core.snapshot import Snapshot


@dataclass
class FakeSight:
    page: Snapshot = field(default_factory=lambda: Snapshot("<p>Hello</p>", ()))
    served: Document | None = None
    crumbs: Sequence[Cookie] = ()
    value: Any = None

    async def snapshot(self) -> Snapshot:
        return self.page

    async def document(self) -> Document | None:
        return self.served

    async def cookies(self) -> Sequence[Cookie]:
        return self.crumbs

    async def evaluate(self, expression: str) -> Any:
        if isinstance(self.value, Exception):
            raise self.value
        return self.value if expression else None

    async def evaluate_apart(self, expression: str) -> Any:
        return await self.evaluate(expression)
