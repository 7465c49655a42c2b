"""The state graph for Graphviz."""

import re
from typing import TextIO

from statecrawl.core.crawled import Crawled

_SPECIAL = re.compile(r'[\\"&\n]')
_ESCAPES = {"\\": r"\\", '"': r"\"", "&": "&amp;", "\n": r"\n"}
_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_MAX_LABEL = 80


def export_dot(crawled: Crawled, stream: TextIO) -> None:
    """Write a directed graph; entries have a double frame, unreliable transitions are dashed."""
    entries = set(crawled.entries.values())
    labels = {
        (state.id, event.identity): event.label or event.identity
        for state in crawled.states.values()
        for event in state.events
    }
    stream.write("digraph statecrawl {\n  node [shape=box];\n")
    for state in crawled.states.values():
        name = f"{_short(state.title or state.id)}\n{_short(state.url)}".strip()
        frame = ", peripheries=2" if state.id in entries else ""
        stream.write(f"  {quoted(state.id)} [label={quoted(name)}{frame}];\n")
    for found in crawled.explored:
        label = _short(labels.get((found.source, found.event), found.event))
        for target, times in found.targets.items():
            text = quoted(f"{label} ({times})" if found.outcomes else label)
            style = ", style=dashed" if found.outcomes else ""
            ends = f"{quoted(found.source)} -> {quoted(target)}"
            stream.write(f"  {ends} [label={text}{style}];\n")
    stream.write("}\n")


def quoted(text: str) -> str:
    """Return a text as Graphviz reads it back: entities and escapes mean themselves."""
    return f'"{_SPECIAL.sub(lambda match: _ESCAPES[match[0]], _UNSEEN.sub(" ", text))}"'


def _short(text: str) -> str:
    return text if len(text) <= _MAX_LABEL else f"{text[: _MAX_LABEL - 1]}…"
