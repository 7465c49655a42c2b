"""The transitions as CSV, for spreadsheets and data frames: a row for each outcome."""

import csv
import re
from typing import TextIO

from statecrawl.core.crawled import Crawled, CrawledState
from statecrawl.core.snapshot import Event

COLUMNS = (
    "source", "source_url", "source_title", "event", "kind", "label", "locator", "target",
    "target_url", "target_title", "times", "assumed", "changes",
)  # fmt: skip
_FORMULA = re.compile(r"^\s*[=+\-@|]")
_BLANK = re.compile("[\t\n\r\v\f\x85\u2028\u2029]")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def export_csv(crawled: Crawled, stream: TextIO) -> None:
    """Write every outcome of every transition; loads of entries have no source.

    A state is in the table at least once, as the target of what first led to it.
    """
    rows = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    for found in crawled.transitions.values():
        event = crawled.event(found.source, found.event) if found.source else Event("", kind="load")
        source = crawled.states.get(found.source)
        changes = "; ".join(f"{change.action} {change.target}" for change in found.changes)
        for target, times in found.targets.items():
            cells = [
                *(found.source, *_page(source)),
                *(found.event, event.kind, event.label, event.locator),
                *(target, *_page(crawled.states.get(target))),
                *(str(times), "yes" if found.is_assumed else "", changes),
            ]
            rows.writerow(map(harmless, cells))


def _page(state: CrawledState | None) -> tuple[str, str]:
    return ("", "") if state is None else (state.url, state.title)


def harmless(text: str) -> str:
    """Return a text in one line that no spreadsheet takes for a formula: those get a `'`."""
    line = _UNSEEN.sub("\ufffd", _BLANK.sub(" ", text))
    return f"'{line}" if _FORMULA.match(line) else line
