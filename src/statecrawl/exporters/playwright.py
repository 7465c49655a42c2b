"""A test for each state, for pytest-playwright: walks there, and asserts what the page shows.

The file is `playwright_walk.py` with the crawl's data in it, as literals in ASCII: whatever a page
says, it stays data.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from typing import TextIO

from statecrawl.core.crawled import Crawled
from statecrawl.core.dom import HIDDEN, IGNORED, Element, parse
from statecrawl.core.inputs import Inputs
from statecrawl.core.login import Click, Expect, Fill, Login, Open, Value, parse_login
from statecrawl.core.plan import Plan
from statecrawl.core.snapshot import Event

_DATA = re.compile(r"# <data>\n.*?# </data>\n", re.DOTALL)
_REDACTED = "***"
_UNKNOWN = "a form is filled on the way with values that were not recorded"
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
    login = parse_login(options["login"]) if options.get("login") else Login()
    basic = [_said(each) for each in login.basic or ()]
    yield f"BASIC: list[Value] = [{', '.join(basic)}]"
    yield "SIGN_IN: list[list[Value]] = ["
    yield from (f"    [{', '.join(words)}]," for words in _sign_in(login))
    yield "]"
    yield "SHOWN: dict[str, list[str]] = {"
    for state in crawled.states:
        yield f"    {state!a}: ["
        yield from (f"        {line!a}," for line in _lines(crawled, state))
        yield "    ],"
    yield "}"
    yield "PATHS: dict[str, Path] = {"
    repeatable = _repeatable(crawled)
    secrets = Inputs.from_json(options.get("inputs", {})).secrets
    for state in crawled.states:
        plan = repeatable.path(state)
        why = _UNKNOWN if plan is None and crawled.path(state) else _NO_WAY
        yield f"    {state!a}: {_path(plan, crawled, secrets, why)},"
    yield "}"


def _path(plan: Plan | None, crawled: Crawled, secrets: Mapping[str, str], why: str) -> str:
    """Return a way as an expression, or why there is none."""
    if plan is None or plan.entry is None:
        return f"Path('', '', [], {why!a})"
    at, steps = plan.expected_entry or "", []
    for step in plan.steps:
        event = crawled.event(at, step.event)
        at = step.expected or ""
        steps.append(f"            {_step(event, at, secrets)},\n")
    shown = f"[\n{''.join(steps)}        ]" if steps else "[]"
    return f"Path({plan.entry!a}, {plan.expected_entry!a}, {shown})"


def _step(event: Event, state: str, secrets: Mapping[str, str]) -> str:
    def typed(value: str) -> str:
        return _said(Value(secrets.get(value, value), value in secrets))

    words = [
        f"{event.kind!a}, {event.locator!a}, {typed(_value(event))}, {event.label!a}, {state!a}"
    ]
    if event.fillings:
        put = (f"({f.locator!a}, {f.kind!a}, {typed(f.value)})" for f in event.fillings)
        words.append(f"({', '.join(put)},)")
    return f"Step({', '.join(words)})"


def _said(value: Value) -> str:
    """Return a value as an expression; a secret is named by its variable."""
    return f"Variable({value.text!a})" if value.is_variable else f"{value.text!a}"


def _repeatable(crawled: Crawled) -> Crawled:
    """Return the crawl without the events that nobody can repeat who does not know the values."""
    kept = {
        pair: found
        for pair, found in crawled.transitions.items()
        if not found.event.startswith("submit ") or _is_told(crawled.event(*pair))
    }
    return replace(crawled, transitions=kept)


def _is_told(event: Event) -> bool:
    """Tell whether it is known what is put into the fields of a form that is filled."""
    values = [filling.value for filling in event.fillings]
    return not event.value or (bool(values) and not any(_REDACTED in each for each in values))


def _value(event: Event) -> str:
    return event.value.removesuffix(" ms") if event.kind == "timeout" else event.value


def _sign_in(login: Login) -> Iterator[list[str]]:
    """Yield the steps that sign in, as expressions."""
    for step in login.steps:
        match step:
            case Open(url):
                yield [ascii("open"), ascii(url)]
            case Fill(field, value):
                yield [ascii("fill"), ascii(field), _said(value)]
            case Click(control):
                yield [ascii("click"), ascii(control)]
            case Expect(text):
                yield [ascii("expect"), ascii(text)]


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
