"""Periodic Table, written with a listener on each element and small changes of the page."""

from html import escape
from json import dumps

from statecrawl.sites.apps.app import App, Query
from statecrawl.sites.apps.prose import sentence, sentences
from statecrawl.sites.models.periodic import COMPOUNDS, PANELS, symbols

_COLUMNS = 18
_GAPS = {2: 16, 5: 10, 13: 10}
"""Before these elements the table has so many empty places."""


def periodic(*, elements: int, panels: int, compounds: int) -> App:
    """Return a table that asks for the details of what is clicked."""
    known = symbols(elements)
    names = {f"{one} {two}": name for one, two, name in COMPOUNDS[:compounds]}
    kinds = {symbol: f"Element {number}" for number, symbol in enumerate(known, 1)}
    kinds |= dict.fromkeys(names.values(), "Compound")
    texts = {panel: sentences(panel, 3) for panel in PANELS[:panels]}

    def detail(query: Query) -> object:
        shown = query["of"]
        return {"name": shown, "kind": kinds[shown], "text": sentence(shown)}

    filled = {
        "table": _table(known),
        "panels": "\n".join(
            f'<button title="panel:{name}">{name.capitalize()}</button>' for name in texts
        ),
        "compounds": escape(dumps(names)),
    }
    return App(
        {"/detail": detail, "/panel": lambda query: {"text": texts[query["name"]]}},
        {"/": lambda _: filled},
    )


def _table(known: list[str]) -> str:
    cells = []
    for number, symbol in enumerate(known, 1):
        cells += ["<td></td>"] * _GAPS.get(number, 0)
        cells.append(f'<td title="element:{symbol}">{symbol}</td>')
    rows = (cells[i : i + _COLUMNS] for i in range(0, len(cells), _COLUMNS))
    return "\n".join(f"<tr>{''.join(row)}</tr>" for row in rows)
