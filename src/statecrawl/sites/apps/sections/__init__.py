"""A long list of links under which a few sections stand, each with a face of its own."""

from collections.abc import Callable
from html import escape

from statecrawl.sites.apps.app import App, Query
from statecrawl.sites.apps.prose import sentence, sentences
from statecrawl.sites.models.sections import SECTIONS
from statecrawl.sites.models.words import nth

_WARES = (
    "lamp chair kettle carpet mirror basket blanket candle clock drawer easel flask globe hammock "
    "inkwell jar ladle mug napkin oven pillow quilt rack shelf teapot umbrella vase wardrobe"
).split()
_BACK = '<p><a href="#" title="back">Back to the start</a></p>'


def sections(*, links: int, sections: int) -> App:
    """Return a page whose middle is asked for whenever something is clicked."""
    known = SECTIONS[:sections]
    start = _start(links, known)
    wares = {str(number): nth(_WARES, number - 1) for number in range(1, links + 1)}

    def item(query: Query) -> str:
        ware = wares[query["number"]]
        facts = f"<dl><dt>Price</dt><dd>{len(ware) * 7} €</dd><dt>Ware</dt><dd>{ware}</dd></dl>"
        return f"<h2>The {ware}</h2><p>{sentence(ware)}</p>{facts}{_BACK}"

    def section(query: Query) -> str:
        name = {name: name for name in known}[query["name"]]
        return f"<h2>{name.capitalize()}</h2>{_FACES[name](name)}{_BACK}"

    return App(
        {"/start": lambda _: start, "/item": item, "/section": section},
        {"/": lambda _: {"start": start}},
    )


def _start(links: int, sections: tuple[str, ...]) -> str:
    items = "".join(
        f'<li><a href="#" title="link:{number}">The {nth(_WARES, number - 1)}</a></li>'
        for number in range(1, links + 1)
    )
    others = " ".join(
        f'<a href="#" title="section:{name}">{name.capitalize()}</a>' for name in sections
    )
    return f"<ul>{items}</ul><nav>{others}</nav>"


def _lines(seed: str, count: int = 4) -> list[str]:
    return [escape(sentence(f"{seed} {i}")) for i in range(count)]


def _prices(seed: str) -> str:
    rows = (f"<tr><th>{words[4:12]}</th><td>{len(words)} €</td></tr>" for words in _lines(seed))
    return f"<table>{''.join(rows)}</table>"


_FACES: dict[str, Callable[[str], str]] = {
    "about": lambda seed: "".join(f"<p>{sentences(f'{seed} {i}', 4)}</p>" for i in range(3)),
    "prices": _prices,
    "questions": lambda seed: "".join(f"<h3>{line}?</h3><p>{line}</p>" for line in _lines(seed)),
    "glossary": lambda seed: (
        f"<dl>{''.join(f'<dt>{line[:9]}</dt><dd>{line}</dd>' for line in _lines(seed, 6))}</dl>"
    ),
    "map": lambda _: (
        '<svg viewBox="0 0 90 60" width="360"><rect width="90" height="60" fill="#dfd"></rect>'
        '<path d="M0 40 L90 10" stroke="#888"></path><circle cx="50" cy="23" r="4"></circle></svg>'
    ),
    "contact": lambda seed: f"<address>{'<br>'.join(_lines(seed, 3))}</address>",
    "recipe": lambda seed: f"<ol>{''.join(f'<li>{line}</li>' for line in _lines(seed, 7))}</ol>",
    "timetable": lambda seed: (
        f"<pre>{chr(10).join(f'9:{i}0 {x}' for i, x in enumerate(_lines(seed)))}</pre>"
    ),
    "quotes": lambda seed: "".join(f"<blockquote>{line}</blockquote>" for line in _lines(seed)),
    "changes": lambda seed: "".join(
        f"<div><b>{line[:6]}</b><hr>{line}</div>" for line in _lines(seed)
    ),
}
