"""What is kept in mind of open events, of which there may be more than memory has room for."""

from itertools import islice
from random import Random

import pytest

from statecrawl.core.session import Crawl
from statecrawl.core.strategy import Knowledge
from statecrawl.simulation.browser import SimulatedBrowser
from statecrawl.simulation.run import new_crawl, shuffled, simulate
from statecrawl.sites.models import build_model
from statecrawl.strategies import foresight
from statecrawl.strategies.adaptive import Adaptive
from statecrawl.strategies.effects import Effects
from statecrawl.strategies.foresight import Foresight
from tests.applications import explored_model

CAPACITY = 100


@pytest.fixture
def little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foresight, "CAPACITY", CAPACITY)
    monkeypatch.setattr(foresight, "WAKING", 3)


@pytest.mark.usefixtures("little_room")
@pytest.mark.parametrize("strategy", [Effects, Adaptive])
@pytest.mark.parametrize(
    "spec",
    ["bank", "company", "hypercube:dimensions=6", "files:folders=6,top=3,per_folder=3"],
)
def test_what_was_out_of_mind_is_explored_as_well(
    strategy: type[Effects | Adaptive], spec: str
) -> None:
    application = shuffled(build_model(spec), 1)
    crawl = simulate(application, strategy)
    assert explored_model(crawl) == application.states
    assert crawl.given_up == []


class Watched(Foresight):
    """Notes how much it keeps in mind of a page that is new, and how many events that has."""

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__(knowledge)
        self.kept: list[tuple[int, int]] = []

    def discovered(self, state: int) -> None:
        super().discovered(state)
        kept = sum(map(len, self.hopes.values())) + sum(map(len, self.ahead.values()))
        self.kept.append((kept, len(self._open[state])))


@pytest.mark.usefixtures("little_room")
def test_no_more_is_kept_in_mind_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Watched] = []

    def watched(knowledge: Knowledge) -> Watched:
        made.append(Watched(knowledge))
        return made[-1]

    monkeypatch.setattr("statecrawl.strategies.effects.Foresight", watched)
    application = build_model("hypercube:dimensions=10")
    crawl = new_crawl(application, Effects)
    walk(crawl, SimulatedBrowser(application, Random(1)), 200)
    assert crawl.model.state_count > CAPACITY
    assert all(kept <= CAPACITY or kept == events for kept, events in made[0].kept)
    assert crawl.frontier.total > 5 * CAPACITY


def walk(crawl: Crawl, browser: SimulatedBrowser, plans: int) -> None:
    for plan in islice(iter(crawl.plan, None), plans):
        crawl.observe(browser.run(plan))
