"""Valid HTML: each document as it was served, and a few rules for the page as it is shown.

What the browser made of a document, or a script of the page, is a tree and no text: it can't
have errors of parsing. So those are looked for in the text that the server gave, once for each
URL, and the tree is held to what a tree can break.
"""

from collections.abc import Iterator
from typing import Any

from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.sight import Check, Document, Sight
from statecrawl.errors import InputError

MAX_CHARACTERS = 1_000_000
"""Larger documents are not parsed: it would take seconds."""

_LOOK = """
(() => {
  const INSIDE = "a[href], button, input:not([type=hidden]), select, textarea, [tabindex]";
  const name = (element) => element.localName + (element.id ? "#" + element.id : "");
  const known = new Set(), twice = new Set();
  for (const {id} of document.querySelectorAll("[id]")) (known.has(id) ? twice : known).add(id);
  const nested = [];
  for (const outer of document.querySelectorAll("a[href], button")) {
    for (const inner of outer.querySelectorAll(INSIDE)) nested.push([name(outer), name(inner)]);
  }
  const forNobody = [...document.querySelectorAll("label[for]")]
    .map((label) => label.htmlFor).filter((id) => !known.has(id));
  return [[...twice], nested, forNobody].map((found) => found.slice(0, 10));
})()
"""


def html_check() -> Check:
    """Return a check that remembers which documents it has seen."""
    _html5lib()
    seen: set[str] = set()

    async def check(sight: Sight) -> list[Problem]:
        document = await sight.document()
        found: list[Problem] = []
        if document is not None and document.url not in seen:
            seen.add(document.url)
            found += parse_errors(document)
        ids, nested, for_nobody = await sight.evaluate_apart(_LOOK)
        found += [_problem(f"several elements have the id {id_!r}") for id_ in ids]
        found += [_problem(f"{inner} stands inside {outer}") for outer, inner in nested]
        found += [
            _problem(f"a label is for {id_!r}, and nothing has this id") for id_ in for_nobody
        ]
        return found

    return check


def parse_errors(document: Document) -> Iterator[Problem]:
    """Yield what a parser that keeps to the standard has to say about a document."""
    if len(document.body) > MAX_CHARACTERS:
        return
    html5lib = _html5lib()
    parser = html5lib.HTMLParser()
    parser.parse(document.body)
    meanings = html5lib.constants.E
    for (line, column), code, values in parser.errors:
        text = meanings.get(code, code) % values
        yield _problem(text, f"{document.url}:{line}:{column}")


def _html5lib() -> Any:
    """Return the parser, which only who asks for this check needs to have."""
    try:
        import html5lib  # noqa: PLC0415 - see above
    except ModuleNotFoundError:
        raise InputError("--check html needs html5lib: pip install 'statecrawl[checks]'") from None
    return html5lib


def _problem(text: str, where: str = "") -> Problem:
    return Problem(FindingKind.HTML, text, where)
