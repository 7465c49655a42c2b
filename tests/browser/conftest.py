"""All tests here share browsers, but for those that are about browsers themselves."""

import pytest


@pytest.fixture(autouse=True)
def _taking_turns(request: pytest.FixtureRequest) -> None:
    if "own_browser" not in request.keywords:
        request.getfixturevalue("in_turns")
