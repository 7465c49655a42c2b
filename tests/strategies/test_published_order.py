"""Table II's order of the strategies by the cost of finding all states, on our models."""

import asyncio
from random import Random

import pytest

from statecrawl.core.limits import Limits
from statecrawl.core.session import crawl_with
from statecrawl.simulation.browser import SimulatedBrowser
from statecrawl.simulation.run import new_crawl
from statecrawl.sites.models import build_model
from statecrawl.strategies import STRATEGIES

BIBLIOGRAPHY = "bibliography:publications=60,authors=12,years=8,topics=20,per_page=10"
PUBLISHED = ("depth_first", "breadth_first", "greedy", "hypercube", "menu", "probability")


def costs(model: str) -> dict[str, float]:
    """What each strategy spends until it has found all states; the rest is not explored."""
    application = build_model(model)
    found = {}
    for name in PUBLISHED:
        crawl = new_crawl(application, STRATEGIES[name])
        crawl.limits = Limits(max_states=len(application.states))
        asyncio.run(crawl_with(SimulatedBrowser(application, Random(0)), crawl))
        found[name] = crawl.cost(*crawl.discoveries[-1])
    return found


@pytest.mark.long
@pytest.mark.parametrize("model", [BIBLIOGRAPHY, "filetree", "bank", "company"])
def test_learning_beats_greed_and_greed_beats_strict_orders(model: str) -> None:
    cost = costs(model)
    assert max(cost["menu"], cost["probability"]) < min(cost["greedy"], cost["hypercube"])
    assert max(cost["greedy"], cost["hypercube"]) < min(cost["breadth_first"], cost["depth_first"])


def test_the_hypercube_strategy_is_first_on_the_hypercube() -> None:
    cost = costs("hypercube")
    assert min(cost, key=cost.__getitem__) == "hypercube"
