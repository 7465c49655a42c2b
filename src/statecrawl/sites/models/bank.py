"""Altoro Mutual: a bank's public pages, and the accounts behind its sign-in."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import Control, explore
from statecrawl.sites.models.parameters import Range, ResetCost

_SECTIONS = {
    "personal": ("deposits", "checking", "loans", "cards", "investments", "other services"),
    "business": ("deposits", "lending", "cards", "insurance", "retirement", "other services"),
    "inside": ("about us", "contact", "locations", "investors", "press", "careers"),
}
_HEADER = ("home", "sign in", "feedback", "help")
_FOOTER = ("privacy", "security", "terms", "accessibility")
_FOLLOWING = {
    # Where a button in the middle of a page leads: page -> button -> page.
    "feedback": {"send": "feedback sent"},
    "sign in": {"wrong password": "sign-in failed"},
    "sign-in failed": {"wrong password": "sign-in failed"},
    "personal/loans": {"calculate": "loan calculator"},
    "loan calculator": {"apply": "loan application"},
    "loan application": {"submit": "loan received"},
    "inside/investors": {"annual report": "annual report"},
    "inside/careers": {"open position": "position"},
}


def bank(
    *,
    accounts: Annotated[int, Range(1, 1_000)] = 2,
    reset_cost: ResetCost = 2,
) -> Application:
    """A public site under one menu, and online banking with forms that must be confirmed."""
    return explore(_Bank(accounts), reset_cost)
