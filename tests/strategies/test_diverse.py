"""Unlike states first."""

import pytest

from statecrawl.core.stopping import StopReason
from statecrawl.simulation.run import shuffled, simulate
from statecrawl.sites.models import build_model
from statecrawl.sites.models.sections import SECTIONS
from statecrawl.strategies import STRATEGIES
from statecrawl.strategies.diverse import diverse


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_ten_sections_are_seen_before_five_hundred_pages_alike(strategy: str) -> None:
    application = build_model("sections:links=500,sections=10")
    crawl = simulate(shuffled(application, 1), diverse(STRATEGIES[strategy]))
    numbers = [crawl.model.state(section) for section in SECTIONS]
    assert all(crawl.discoveries[number - 1][0] <= 30 for number in numbers if number)
    assert None not in numbers
    assert crawl.stop_reason is StopReason.COMPLETE
    assert crawl.model.state_count == len(application.states)
