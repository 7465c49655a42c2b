"""Widgets without any ids or names: what is one of them can only be told by what it does."""

from statecrawl.sites.apps.app import App, Query
from statecrawl.sites.apps.prose import sentences
from statecrawl.sites.models.widgets import tab_names

_CHOSEN = ' class="chosen"'


def widgets(*, count: int, values: int) -> App:
    """Return a page of widgets; each asks for the text of the tab that is clicked."""
    names = tab_names(count, values)
    texts = {name: sentences(f"widget {name}", 2) for tabs in names for name in tabs}
    page = "\n".join(_widget(tabs, texts[tabs[0]]) for tabs in names)

    def text(query: Query) -> object:
        return {"text": f"{query['tab']}: {texts[query['tab']]}"}

    return App({"/text": text}, {"/": lambda _: {"widgets": page}})


def _widget(tabs: list[str], text: str) -> str:
    buttons = "".join(
        f'<button title="tab:{name}"{"" if i else _CHOSEN}>{name}</button>'
        for i, name in enumerate(tabs)
    )
    return f"<div><div>{buttons}</div><p>{tabs[0]}: {text}</p></div>"
