"""The library as programs use it: the README's example, and every hook."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

import statecrawl
from statecrawl.core.counts import Counts
from statecrawl.core.session import Crawl
from tests.browser.helpers import served

ROOT = Path(__file__).parent.parent

PAGE = """<title>t</title><p id=at>0</p>
<button onclick="at.textContent = (Number(at.textContent) + 1) % 3">on</button>
<button onclick="at.textContent = 0">back</button>
<button onclick="this.remove(); document.body.append('gone')" id=once>once</button>"""


class Everything(statecrawl.Hooks):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, ...]] = []
        self.pages: dict[str, statecrawl.Snapshot] = {}
        self.stops_at = 0
        self.running: statecrawl.Running | None = None

    def begun(self, running: statecrawl.Running) -> None:
        self.running = running
        self.told.append(("begun",))

    def before_event(self, state: str, event: str) -> None:
        self.told.append(("before", state, event))

    def after_event(self, state: str, event: str, target: str) -> None:
        self.told.append(("after", state, event, target))

    def new_state(self, state: str, page: statecrawl.Snapshot) -> None:
        assert state not in self.pages
        self.pages[state] = page
        self.told.append(("new", state))
        if len(self.pages) == self.stops_at and self.running is not None:
            self.running.stop()

    def revisited(self, state: str) -> None:
        self.told.append(("revisited", state))

    def progressed(self, crawl: Crawl, counts: Counts) -> None:
        assert crawl.events == counts.events
        self.told.append(("progressed",))

    def finished(self, reason: statecrawl.StopReason) -> None:
        self.told.append(("finished", reason))


def followed(folder: Path, hooks: statecrawl.Hooks) -> statecrawl.Crawled:
    async def run() -> statecrawl.Crawled:
        async with served({"/": PAGE}) as url:
            running = statecrawl.RunOptions(out=folder, screenshots=False)
            return await statecrawl.crawl_async(url, running, hooks)

    return asyncio.run(run())


def test_hooks_hear_everything_that_happens(tmp_path: Path) -> None:
    hooks = Everything()
    found = followed(tmp_path / "crawl", hooks)
    assert set(hooks.pages) == set(found.states)
    assert all(page.dom for page in hooks.pages.values())
    assert hooks.told[0] == ("begun",)
    assert hooks.told[-1] == ("finished", "complete")
    told = [each[0] for each in hooks.told]
    executed = found.counts.events + found.counts.resets
    assert told.count("before") == told.count("after") == executed
    assert told.count("new") + told.count("revisited") == executed
    led = {(each[1], each[2]): each[3] for each in hooks.told if each[0] == "after"}
    assert led == {pair: each.target for pair, each in found.transitions.items()}


def test_a_hook_stops_the_crawl_and_the_rest_is_crawled_later(tmp_path: Path) -> None:
    hooks = Everything()
    hooks.stops_at = 2
    found = followed(tmp_path / "crawl", hooks)
    assert found.counts.stop_reason == statecrawl.StopReason.INTERRUPTED
    assert len(found.states) == 2
    assert statecrawl.read(tmp_path / "crawl").states == found.states


def test_an_error_in_a_hook_ends_the_crawl_and_what_was_found_is_kept(tmp_path: Path) -> None:
    class Broken(statecrawl.Hooks):
        def revisited(self, state: str) -> None:
            raise ZeroDivisionError(state)

    with pytest.raises(ZeroDivisionError):
        followed(tmp_path / "crawl", Broken())
    assert statecrawl.read(tmp_path / "crawl").states


def test_bad_input_is_an_error_of_the_library() -> None:
    with pytest.raises(statecrawl.InputError, match="not a URL"):
        statecrawl.crawl("ftp://host")


def test_the_example_of_the_readme_runs_as_it_stands(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("found ") == 10
    assert "ended: max_states" in done.stdout
    assert "Plan(entry=" in done.stdout
