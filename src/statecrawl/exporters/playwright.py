"""A test for each state, for pytest-playwright: walks there, and asserts what the page shows.

The file is `playwright_walk.py` with the crawl's data in it, as literals in ASCII: whatever a page
says, it stays data.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from typing import TextIO

from statecrawl.core.crawled import Crawled
from statecrawl.core.dom import HIDDEN, IGNORED, Element, parse
from statecrawl.core.login import Click, Expect, Fill, Open, parse_login
from statecrawl.core.plan import Plan
from statecrawl.core.snapshot import Event

_DATA = re.compile(r"# <data>\n.*?# </data>\n", re.DOTALL)
_FILLED = "a form is filled on the way with values that only a crawl can choose"
_NO_WAY = "no way is known"


def export_playwright(crawled: Crawled, stream: TextIO) -> None:
    """Write a Python file that pytest runs as it is."""
    source = files("statecrawl.exporters").joinpath("playwright_walk.py").read_text("utf-8")
    data = "".join(f"{line}\n" for line in _data(crawled))
    stream.write(_DATA.sub(lambda _: data, source))


def _data(crawled: Crawled) -> Iterator[str]:
    options = crawled.about.get("options", {})
    yield f"URL = {str(crawled.about.get('url', ''))!a}"
    yield f"CLOCK = {int(crawled.about.get('clock', 0))}"
    yield f"MASKS: list[list[str]] = {[list(mask.place) for mask in crawled.masks.masks]!a}"
    yield f"IGNORED = {', '.join(options.get('ignore', ()))!a}"
    yield f"SIGN_IN: list[list[str]] = {list(_sign_in(str(options.get('login', ''))))!a}"
    yield "SHOWN: dict[str, list[str]] = {"
    for state in crawled.states:
        yield f"    {state!a}: ["
        yield from (f"        {line!a}," for line in _lines(crawled, state))
        yield "    ],"
    yield "}"
    yield "PATHS: dict[str, Path] = {"
    repeatable = _repeatable(crawled)
    for state in crawled.states:
        yield f"    {state!a}: {_path(repeatable.path(state), crawled, state)},"
    yield "}"


def _path(plan: Plan | None, crawled: Crawled, state: str) -> str:
    """Return the way to a state as an expression."""
    if plan is None or plan.entry is None:
        why = _NO_WAY if crawled.path(state) is None else _FILLED
        return f"Path('', '', [], {why!a})"
    at, steps = plan.expected_entry or "", []
    for step in plan.steps:
        event = crawled.event(at, step.event)
        at = step.expected or ""
        values = (event.kind, event.locator, _value(event), event.label, at)
        steps.append(f"            Step({', '.join(map(ascii, values))}),\n")
    shown = f"[\n{''.join(steps)}        ]" if steps else "[]"
    return f"Path({plan.entry!a}, {plan.expected_entry!a}, {shown})"


def _repeatable(crawled: Crawled) -> Crawled:
    """Return the crawl without the events that nobody can repeat who does not know the values."""
    kept = {
        pair: found
        for pair, found in crawled.transitions.items()
        if not (found.event.startswith("submit ") and crawled.event(*pair).value)
    }
    return replace(crawled, transitions=kept)


def _value(event: Event) -> str:
    return event.value.removesuffix(" ms") if event.kind == "timeout" else event.value


def _sign_in(login: str) -> Iterator[list[str]]:
    """Yield the steps that sign in; secrets are named by their variables."""
    for step in parse_login(login).steps if login else ():
        match step:
            case Open(url):
                yield ["open", url]
            case Fill(field, value):
                yield ["fill", field, value.text, "variable" if value.is_variable else ""]
            case Click(control):
                yield ["click", control]
            case Expect(text):
                yield ["expect", text]


def _lines(crawled: Crawled, state: str) -> list[str]:
    page = crawled.contents.snapshot(state)
    if page is None:
        return []
    return [line for line in _shown(crawled.masks.apply(parse(page.dom))) if line]


def _shown(element: Element) -> Iterator[str]:
    """Yield what a state shows, as the script in `playwright_walk.py` reads it."""
    if HIDDEN in element.attributes or IGNORED in element.attributes:
        return
    attributes, tag = element.attributes, element.tag
    kind = attributes.get("type", "").lower() if tag == "input" else ""
    if kind in ("checkbox", "radio"):
        yield "(checked)" if "checked" in attributes else ""
    elif tag == "input" and kind not in ("password", "file", "hidden"):
        yield " ".join(attributes.get("value", "").split())
    if tag == "option" and "selected" in attributes:
        yield "(selected)"
    for child in element.children:
        if isinstance(child, str):
            yield child
        else:
            yield from _shown(child)
