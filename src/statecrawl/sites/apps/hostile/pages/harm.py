"""Pages with controls that a careful crawler leaves alone; the server counts who does not."""

from statecrawl.sites.apps.hostile.page import Page, button, link


def _posting(label: str, path: str) -> str:
    return button(label, f"fetch('{path}', {{ method: 'POST' }}).then(() => say('done'))")


HARM = (
    Page(
        "deleting",
        "Things that can be deleted.",
        _posting("Delete", "/delete")
        + _posting("Remove all entries", "/delete?all")
        + '<form action="/delete" method="post"><button>Delete my account</button></form>'
        + link("Delete entry", "/delete?id=1"),
    ),
    Page(
        "logging-out",
        "Ways to end the session.",
        _posting("Log out", "/logout") + link("Sign off", "/logout?by=link"),
    ),
    Page(
        "paying", "Ways to spend money.", _posting("Pay now", "/pay") + _posting("Buy", "/pay?buy")
    ),
    Page(
        "harm-in-german",
        "The same in another language.",
        _posting("Löschen", "/delete?de")
        + _posting("Abmelden", "/logout?de")
        + _posting("Jetzt kaufen", "/pay?de"),
    ),
    Page(
        "harm-by-icon",
        "The same behind signs, told by a label only.",
        "<button aria-label=\"Delete\" onclick=\"fetch('/delete?icon', {method: 'POST'})\">✕"
        "</button><button title=\"Log out\" onclick=\"fetch('/logout?icon', {method: 'POST'})\">⏻"
        "</button>",
    ),
)
