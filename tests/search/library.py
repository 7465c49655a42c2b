"""Documents to search, and indexes of them in memory."""

from collections.abc import Iterable
from pathlib import Path

import tantivy

from statecrawl.core.lines import Line
from statecrawl.search.documents import Content, Hop, Outline
from statecrawl.search.index import Index
from statecrawl.search.schema import document, schema

Document = tuple[Outline, Content]


def made(
    state: str,
    *texts: str,
    url: str = "",
    title: str = "",
    prior: float = 1.2,
    label: str = "",
    near: str = "",
) -> Document:
    """Return a state that shows these texts, each in an element of its own."""
    url = url or f"http://site/{state}"
    labels = (label,) if label else ()
    outline = Outline(state, url, title, labels, 0, prior, Hop("", f"load {url}"), near)
    return outline, Content(
        [Line(f"html/body[1]/p[{i}]", "p", text) for i, text in enumerate(texts, 1)]
    )


def in_memory(documents: Iterable[Document], name: str = "crawl") -> Index:
    index = tantivy.Index(schema())
    writer = index.writer(15_000_000, 1)
    for outline, content in documents:
        writer.add_document(document(outline, content))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return Index(Path(name), {"stamp": 0}, index)
