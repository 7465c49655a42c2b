"""The exporters, by name. A new one is one file, one line here, one entry in the docs.

An exporter is `(crawled, stream) -> None`; the stream is text in UTF-8.
"""

from collections.abc import Callable
from typing import TextIO

from statecrawl.core.crawled import Crawled
from statecrawl.exporters.dot import export_dot
from statecrawl.exporters.everything import export_json
from statecrawl.exporters.graphml import export_graphml
from statecrawl.exporters.model import export_model

Exporter = Callable[[Crawled, TextIO], None]

EXPORTERS: dict[str, Exporter] = {
    "model": export_model,
    "json": export_json,
    "graphml": export_graphml,
    "dot": export_dot,
}
