"""Altoro Mutual, written with forms and links that one listener per part looks after."""

from functools import partial

from statecrawl.sites.apps.app import App, Query
from statecrawl.sites.apps.prose import sentence, sentences
from statecrawl.sites.apps.wall import Wall
from statecrawl.sites.models.bank import account_names


def bank(*, accounts: int, login: int, session: int) -> App:
    """Return a bank that asks for the text of each page, and for the accounts at sign-in.

    All of it may stand behind a login, which ends after so many requests unless that is 0.
    """
    names = account_names(accounts)
    balances = {name: 100 + i * 7_919 % 9_000 for i, name in enumerate(names)}

    def sign_in(query: Query) -> object:
        if query["user"] != "jsmith":
            return {"error": "The user name or password is wrong."}
        return {"accounts": names}

    return App(
        {
            "/text": lambda query: {"text": sentences(query["page"], 3)},
            "/session": sign_in,
            "/account": lambda query: {"balance": balances[query["name"]]},
            "/send": lambda query: {"receipt": sentence(query["form"])},
        },
        guard=partial(Wall, session_requests=session) if login else None,
    )
