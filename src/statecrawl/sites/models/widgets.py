"""A page of widgets that have nothing to do with each other, as dashboards have them."""

from collections.abc import Iterator
from typing import Annotated

from statecrawl.core.application import MAX_TRANSITIONS, Application
from statecrawl.errors import InputError
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.parameters import Range, ResetCost
from statecrawl.sites.models.words import nth

_NAMES = (
    "Apple Birch Cedar Daisy Elm Fern Ginger Hazel Iris Juniper Kale Lemon Maple Nettle Olive "
    "Poppy Quince Rose Sage Thyme Umber Vine Willow Yarrow Zinnia Almond Basil Clover Dill Fig"
).split()

_Page = tuple[int, ...]
"""The value that each widget shows."""


def widgets(
    *,
    count: Annotated[int, Range(1, 20)] = 3,
    values: Annotated[int, Range(2, 20)] = 5,
    reset_cost: ResetCost = 2,
) -> Application:
    """Widgets that look alike, each with tabs of its own; every combination is a state."""
    if values**count * count * values > MAX_TRANSITIONS:
        raise InputError(
            f"the model would have {values**count:,} states: give smaller parameters "
            "(the application can be served all the same)"
        )
    return explore(_Widgets(count, values), reset_cost)


def tab_names(count: int, values: int) -> list[list[str]]:
    """Return the names of the tabs of each widget; no two tabs share one."""
    return [[nth(_NAMES, widget * values + i) for i in range(values)] for widget in range(count)]


class _Widgets:
    """Clicking a tab shows its text, and changes nothing else."""

    def __init__(self, count: int, values: int) -> None:
        self.start: _Page = (0,) * count
        self._tabs = tab_names(count, values)

    def name(self, page: _Page) -> str:
        return ", ".join(self._shown(page))

    def _shown(self, page: _Page) -> list[str]:
        return [names[value] for names, value in zip(self._tabs, page, strict=True)]

    def regions(self, page: _Page) -> dict[str, str]:
        return {f"widget {i}": shown for i, shown in enumerate(self._shown(page), 1)}

    def controls(self, page: _Page) -> Iterator[Control[_Page]]:
        for widget, names in enumerate(self._tabs):
            for value, name in enumerate(names):
                yield Control("tab", f"tab:{name}", (*page[:widget], value, *page[widget + 1 :]))
