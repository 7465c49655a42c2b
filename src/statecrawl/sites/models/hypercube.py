"""Hypercube10D: the application that the hypercube metamodel describes (section 7.3)."""

from collections.abc import Iterator
from typing import Annotated

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.parameters import Range, ResetCost


def hypercube(
    *, dimensions: Annotated[int, Range(1, 16)] = 10, reset_cost: ResetCost = 3
) -> Application:
    """A page of buttons that each work once, in any order, and vanish."""
    return explore(_Hypercube(dimensions), reset_cost)


class _Hypercube:
    """A page is a text of bits: the i-th is 1 once the i-th button was pressed."""

    def __init__(self, dimensions: int) -> None:
        self.start = "0" * dimensions

    def name(self, page: str) -> str:
        return page

    def regions(self, page: str) -> dict[str, str]:
        return {f"button {i}": "gone" if bit == "1" else "there" for i, bit in enumerate(page, 1)}

    def controls(self, page: str) -> Iterator[Control[str]]:
        for i, bit in enumerate(page):
            if bit == "0":
                yield Control("button", f"e{i + 1}", f"{page[:i]}1{page[i + 1 :]}")
