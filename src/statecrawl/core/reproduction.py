"""A finding as a short test for pytest-playwright, to copy: walks the path, and fails on it.

Whatever a page says is written as a literal in ASCII: it stays data.
"""

from collections.abc import Iterator

from statecrawl.core.crawled import Crawled
from statecrawl.core.findings import Finding
from statecrawl.core.problems import FindingKind

_LOAD = "load "
_LISTEN = {
    FindingKind.EXCEPTION: ('"pageerror"', "lambda error: problems.append(str(error))"),
    FindingKind.REJECTION: ('"pageerror"', "lambda error: problems.append(str(error))"),
    FindingKind.CONSOLE: (
        '"console"',
        'lambda said: problems.append(said.text) if said.type == "error" else None',
    ),
    FindingKind.REQUEST: ('"requestfailed"', "lambda request: problems.append(request.url)"),
    FindingKind.HTTP: (
        '"response"',
        "lambda answer: problems.append(answer.url) if answer.status >= 400 else None",
    ),
}
_BROKEN = "[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"
_POINTED = {
    "click": "click()",
    "dblclick": "dblclick()",
    "contextmenu": 'click(button="right")',
    "hover": "hover()",
    "submit": 'evaluate("form => form.requestSubmit()")',
    "scroll": 'evaluate("element => element.scrollTo(0, element.scrollHeight)")',
}


def reproduction(crawled: Crawled, finding: Finding) -> str:
    """Return a test that fails as long as the finding is there; "" when nobody can say how."""
    load, *events = finding.path or ("",)
    if not load.startswith(_LOAD):
        return ""
    lines = list(_walk(crawled, load, events))
    name = f"test_{finding.kind.value}"
    listened = _LISTEN.get(finding.kind)
    return "\n".join(
        [
            "from playwright.sync_api import Page",
            "",
            "",
            f"def {name}(page: Page) -> None:",
            f"    finding = {finding.text!a}",
            "    problems: list[str] = []",
            *([f"    page.on({', '.join(listened)})"] if listened else []),
            f"    page.goto({load.removeprefix(_LOAD)!a})",
            *(f"    {line}" for line in lines),
            *(f"    {line}" for line in _verdict(finding)),
            "",
        ]
    )


def _verdict(finding: Finding) -> Iterator[str]:
    if finding.kind in _LISTEN:
        yield 'page.wait_for_load_state("networkidle")'
    elif finding.kind is FindingKind.IMAGE:
        yield 'page.wait_for_load_state("networkidle")'
        yield f'problems += page.evaluate("{_BROKEN}")'
    else:
        yield "# The page is there: say here what has to hold, and the test is done."
        yield "problems.append(finding)"
    yield "assert not problems, (finding, problems)"


def _walk(crawled: Crawled, load: str, events: list[str]) -> Iterator[str]:
    at = crawled.transitions[("", load)].target if ("", load) in crawled.transitions else ""
    for identity in events:
        event = crawled.event(at, identity)
        yield from (_deed(*filling[:3]) for filling in event.fillings)
        yield _deed(event.locator, event.kind, event.value)
        found = crawled.transitions.get((at, identity))
        at = found.target if found else ""


def _deed(locator: str, kind: str, value: str) -> str:
    """Return one line that does what a user does."""
    if kind == "back":
        return "page.go_back()"
    if kind == "timeout":
        wait = value.partition(" ")[0]
        return f"page.wait_for_timeout({int(wait) if wait.isdecimal() else 0})"
    *frames, inner = locator.split(" |> ")
    scope = "page" + "".join(f".frame_locator({frame!a})" for frame in frames)
    target = f"{scope}.locator({inner!a})"
    if kind == "key":
        return f"{target}.press({value!a})"
    if kind == "change":
        return f"{target}.select_option(label={value!a})"
    if kind == "input":
        return f"{target}.fill({value!a})"
    return f"{target}.{_POINTED.get(kind, 'click()')}"
