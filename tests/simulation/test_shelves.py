"""Where a crawl keeps what it knows makes no difference to what it does."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from statecrawl.core import appearances, column, roll, showing, signatures
from statecrawl.core.facts import Fact
from statecrawl.core.session import Crawl, crawl_with
from statecrawl.core.shelf import Shelf
from statecrawl.simulation.browser import SimulatedBrowser, identity
from statecrawl.sites.models import build_model
from statecrawl.storage.shelf import FileShelf
from statecrawl.strategies import STRATEGIES

APPLICATION = build_model("bibliography:publications=8")


def learned(strategy: str, shelf: Shelf | None) -> tuple[list[Fact], list[tuple[int, int]]]:
    """Crawl, and return what was learned in which order, and when states were found."""
    crawl = Crawl(
        list(APPLICATION.all_entries),
        STRATEGIES[strategy],
        identity,
        APPLICATION.reset_cost,
        shelf=shelf,
    )
    facts: list[Fact] = []
    crawl.journal = facts.append
    asyncio.run(crawl_with(SimulatedBrowser(APPLICATION, Random(0)), crawl, until=1_500))
    return facts, crawl.discoveries


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_crawl_does_the_same_when_nearly_all_is_on_a_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: str
) -> None:
    expected = learned(strategy, None)
    for module, name in (
        (roll, "UNPACKED"),
        (appearances, "UNPACKED"),
        (signatures, "QUICK"),
        (column, "CHUNK"),
        (column, "LATEST"),
        (showing, "BLOCK"),
    ):
        monkeypatch.setattr(module, name, 2)
    shelf = FileShelf(tmp_path)
    assert learned(strategy, shelf) == expected
    assert shelf.put(b"") > 1_000
