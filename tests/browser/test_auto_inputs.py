"""Which of the proposed values are kept, told by an application that is a function."""

import asyncio
from collections.abc import Callable

import pytest

from statecrawl.browser.auto_inputs import MAX_MISSES, AutoInputs, Proposal, Way
from statecrawl.errors import ApplicationError

HOME = Way("http://a/", ("open",))
PETS = ("cat", "dog", "cow", "cat and dog")


class Shop:
    """Shows a page for what is typed, and remembers what was."""

    def __init__(self, page: Callable[[str], str]) -> None:
        self._page = page
        self.typed: list[str] = []

    async def __call__(self, way: Way, field: str, value: str) -> tuple[str, str] | None:
        assert (way, field) == (HOME, "q")
        self.typed.append(value)
        await asyncio.sleep(0)
        return "home", f'<input value="{value}">{self._page(value)}'


def found(value: str) -> str:
    hits = [pet for pet in PETS if value.lower() in pet]
    return f"<p>Results for {value}</p><ul>{hits}</ul>"


def chosen(shop: Shop | None, values: list[str]) -> list[str]:
    inputs = AutoInputs({}, shop)
    asyncio.run(inputs.choose(HOME, [Proposal("q", values, "test")]))
    return list(inputs.known["q"])


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        (["Cat", "horse", "dog"], ["Cat", "dog", "test"]),  # nothing is found as for "test"
        (["test", "cow"], ["cow", "test"]),
        (["sheep", "goat"], ["test"]),
        ([], ["test"]),
    ],
)
def test_what_shows_something_new_is_kept(values: list[str], kept: list[str]) -> None:
    assert chosen(Shop(found), values) == kept


def test_the_same_results_are_shown_by_one_value() -> None:
    shop = Shop(lambda value: str([pet for pet in PETS if value[0] == pet[0]]))
    assert chosen(shop, ["cat", "cow", "dog"]) == ["cat", "dog", "test"]


def test_after_some_that_show_nothing_new_no_more_are_tried() -> None:
    shop = Shop(found)
    assert chosen(shop, ["cat", "ox", "emu", "elk", "dog"]) == ["cat", "test"]
    assert shop.typed == ["test", "cat", "ox", "emu", "elk"]
    assert MAX_MISSES == 3


def test_what_cannot_be_tried_is_kept() -> None:
    async def fails(*_: object) -> None:
        return None

    async def breaks(*_: object) -> None:
        raise ApplicationError("nobody answers there")

    for trial in (None, fails, breaks):
        inputs = AutoInputs({}, trial)
        asyncio.run(inputs.choose(HOME, [Proposal("q", ["cat", "dog"], "test")]))
        assert inputs.known == {"q": ["cat", "dog", "test"]}


def test_the_first_who_asks_decides_for_all() -> None:
    async def run() -> None:
        shop = Shop(found)
        inputs = AutoInputs({"known": ["old"]}, shop)
        first, second, third = await asyncio.gather(
            inputs.choose(HOME, [Proposal("q", ["cat"], "test")]),
            inputs.choose(HOME, [Proposal("known", ["new"], "test")]),
            inputs.choose(HOME, [Proposal("q", ["dog"], "test")]),
        )
        assert first == third == [("q", ["cat", "test"])]
        assert second == [("known", ["old"])]
        assert shop.typed == ["test", "cat"]

    asyncio.run(run())
