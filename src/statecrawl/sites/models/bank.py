"""Altoro Mutual: a bank's public pages, and the accounts behind its sign-in."""

from typing import Annotated

from statecrawl.core.application import Application
from statecrawl.sites.models.explore import explore
from statecrawl.sites.models.linked import Linked, Links
from statecrawl.sites.models.parameters import Range, ResetCost
from statecrawl.sites.models.words import nth

_HEADER = ("home", "sign in", "feedback", "search", "help")
_SECTIONS = {
    "personal": ("deposits", "checking", "loans", "cards", "investments", "services"),
    "business": ("deposits", "lending", "cards", "insurance", "retirement", "services"),
    "inside": ("about us", "contact", "locations", "investors", "press", "careers"),
}
_FOOTER = ("privacy", "security", "terms", "accessibility", "site map")
_ACCOUNTS = ("checking", "savings", "joint", "business")


def bank(
    *,
    accounts: Annotated[int, Range(1, 1_000)] = 2,
    login: Annotated[int, Range(0, 1)] = 0,
    session: Annotated[int, Range(0, 1_000_000)] = 0,
    reset_cost: ResetCost = 2,
) -> Application:
    """A public site under one menu, and online banking with forms that must be confirmed.

    Behind a login it is the same for those who pass.
    """
    del login, session
    menus = {"public": _public_menu(), "banking": _banking_menu(account_names(accounts))}
    return explore(Linked("public/welcome", menus, _links()), reset_cost)


def account_names(accounts: int) -> list[str]:
    """Return the names of the customer's accounts."""
    return [nth(_ACCOUNTS, i) for i in range(accounts)]


def _public_menu() -> Links:
    """Return the links of every page that needs no sign-in; none leads back to the welcome."""
    return {
        **{f"header:{page}": f"public/{page}" for page in _HEADER},
        **{f"section:{section}": f"public/{section}" for section in _SECTIONS},
        **{
            f"menu:{section} {page}": f"public/{section} {page}"
            for section, pages in _SECTIONS.items()
            for page in pages
        },
        **{f"footer:{page}": f"public/{page}" for page in _FOOTER},
    }


def _banking_menu(accounts: list[str]) -> Links:
    """Return the links of online banking; those to the sections and of the footer leave it."""
    return {
        "banking:summary": "banking/summary",
        **{f"account:{name}": f"banking/account {name}" for name in accounts},
        "banking:transfer": "banking/transfer",
        "banking:history": "banking/history",
        "banking:profile": "banking/profile",
        "banking:leave": "public/home",
        **{f"section:{section}": f"public/{section}" for section in _SECTIONS},
        **{f"footer:{page}": f"public/{page}" for page in _FOOTER},
    }


def _links() -> dict[str, Links]:
    """Return what can be clicked in the middle of a page; what is printed is a dead end."""
    sign_in = {
        "form:sign in": "banking/summary",
        "form:wrong password": "public/sign in/failed",
    }
    return {
        "public/sign in": sign_in,
        "public/sign in/failed": sign_in,
        "public/feedback": {"form:send feedback": "public/feedback/sent"},
        "public/inside investors": {"print:annual report": "paper/annual report"},
        "banking/transfer": {"form:transfer": "banking/transfer/preview"},
        "banking/transfer/preview": {
            "form:confirm": "banking/transfer/done",
            "form:change": "banking/transfer",
        },
        "banking/transfer/done": {"print:receipt": "paper/receipt"},
        "banking/history": {"print:statement": "paper/statement"},
    }
