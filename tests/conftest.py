"""Settings for all tests."""

import asyncio
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from statecrawl.browser import chromium
from tests.turns import TurnTaking

# The same examples in every run, and no verdict that depends on how busy the machine is.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")

# Whoever runs in the background is not interrupted, and that is handed on: not to our commands.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long: at the end others could not share the work."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def one_loop() -> Iterator[tuple[asyncio.Runner, TurnTaking]]:
    """The event loop of this worker, and the browser that belongs to it."""
    turns = TurnTaking()
    with asyncio.Runner() as runner:
        yield runner, turns
        runner.run(turns.end())


@pytest.fixture
def in_turns(monkeypatch: pytest.MonkeyPatch, one_loop: tuple[asyncio.Runner, TurnTaking]) -> None:
    """Have a test run in that loop, with that browser."""
    runner, turns = one_loop
    monkeypatch.setattr(asyncio, "run", runner.run)
    monkeypatch.setattr(chromium, "browser", turns.browser)
