"""The exporters, by name. A new one is one file, one line here, one entry in the docs.

An exporter is `(crawled, stream) -> None`; the stream is binary, or text in UTF-8 for those that
are `written`.
"""

from collections.abc import Callable
from io import TextIOWrapper
from typing import BinaryIO, TextIO

from statecrawl.core.crawled import Crawled
from statecrawl.exporters.dot import export_dot
from statecrawl.exporters.everything import export_json
from statecrawl.exporters.graphml import export_graphml
from statecrawl.exporters.model import export_model
from statecrawl.exporters.playwright import export_playwright
from statecrawl.exporters.sitemap import export_sitemap
from statecrawl.exporters.table import export_csv
from statecrawl.exporters.warc import export_warc

Exporter = Callable[[Crawled, BinaryIO], None]


def written(export: Callable[[Crawled, TextIO], None]) -> Exporter:
    """Return an exporter of text as one to a binary stream."""

    def to_bytes(crawled: Crawled, stream: BinaryIO) -> None:
        text = TextIOWrapper(stream, encoding="utf-8", newline="")
        try:
            export(crawled, text)
            text.flush()
        finally:
            text.detach()  # or the stream is closed with it

    return to_bytes


EXPORTERS: dict[str, Exporter] = {
    "model": written(export_model),
    "json": written(export_json),
    "graphml": written(export_graphml),
    "dot": written(export_dot),
    "csv": written(export_csv),
    "playwright": written(export_playwright),
    "warc": export_warc,
    "sitemap": written(export_sitemap),
}
