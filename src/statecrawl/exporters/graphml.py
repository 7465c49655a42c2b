"""The state graph as GraphML, for Gephi, yEd, networkx and others."""

import re
from collections.abc import Mapping
from typing import TextIO
from xml.sax.saxutils import escape

from statecrawl.core.crawled import Crawled

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NODE = {"url": "string", "title": "string", "depth": "int", "entry": "string"}
_EDGE = {"event": "string", "kind": "string", "label": "string", "times": "int"}


def export_graphml(crawled: Crawled, stream: TextIO) -> None:
    """Write a directed graph: states, and an edge for each place that an event led to."""
    urls: dict[str, list[str]] = {}
    for url, state in crawled.entries.items():
        urls.setdefault(state, []).append(url)
    events = {(state.id, e.identity): e for state in crawled.states.values() for e in state.events}
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for place, keys in (("node", _NODE), ("edge", _EDGE)):
        for name, kind in keys.items():
            stream.write(
                f' <key id="{place}_{name}" for="{place}" attr.name="{name}" attr.type="{kind}"/>\n'
            )
    stream.write(' <graph id="statecrawl" edgedefault="directed">\n')
    for node in crawled.states.values():
        entry = "\n".join(urls.get(node.id, ()))
        about = {"url": node.url, "title": node.title, "depth": node.depth, "entry": entry}
        data = _data("node", about)
        stream.write(f'  <node id="{escaped(node.id)}">{data}</node>\n')
    for found in crawled.explored:
        event = events.get((found.source, found.event))
        kind, label = (event.kind, event.label) if event else ("", "")
        for target, times in found.targets.items():
            ends = f'source="{escaped(found.source)}" target="{escaped(target)}"'
            data = _data(
                "edge", {"event": found.event, "kind": kind, "label": label, "times": times}
            )
            stream.write(f"  <edge {ends}>{data}</edge>\n")
    stream.write(" </graph>\n</graphml>\n")


def _data(place: str, values: Mapping[str, object]) -> str:
    return "".join(
        f'<data key="{place}_{name}">{escaped(str(value))}</data>'
        for name, value in values.items()
        if value != ""
    )


def escaped(text: str) -> str:
    """Return a text that XML may contain, in ASCII; what it may not becomes U+FFFD."""
    legal = escape(_ILLEGAL.sub("\ufffd", text), {'"': "&quot;", "\n": "&#10;", "\r": "&#13;"})
    return legal.replace("\t", "&#9;").encode("ascii", "xmlcharrefreplace").decode("ascii")
