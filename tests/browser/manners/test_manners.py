"""Each small application is what its true model says, in all its transitions."""

import asyncio

import pytest

from statecrawl.core.application import Application, checked
from tests.browser.manners.manners import MANNERS, serve_manner
from tests.sites.walk import Walk, tab


@pytest.mark.parametrize("name", MANNERS)
def test_is_as_its_model_says(name: str) -> None:
    manner = MANNERS[name]
    model = checked(Application(manner.initial, manner.states))
    assert 8 <= len(model.states) <= 30

    async def walk() -> int:
        async with tab() as page, serve_manner(name) as url:
            walk = Walk(page, url, model, noise=manner.noise, calls_per_click=2)
            return await walk.check_all()

    assert asyncio.run(walk()) == model.transition_count
