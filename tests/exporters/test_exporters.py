"""Every format keeps what it says about hostile pages, and says no more than that."""

import html
import io
import json
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.application import parse_model
from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled, Gathering
from statecrawl.core.facts import Assumed, Executed, Fact, GivenUp
from statecrawl.core.invocations import Invocation, InvocationGraph
from statecrawl.core.masks import Mask, Masks
from statecrawl.errors import InputError
from statecrawl.exporters import EXPORTERS
from statecrawl.exporters.dot import quoted
from statecrawl.exporters.graphml import escaped
from tests.storage.recording import histories, texts

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
HOSTILE = [
    '"quotes"\\',
    "two\nlines\r\nand\ttabs",
    "\0\x01\x1b[31m\x7f\x85\ud800\ufffe",
    "</data><script>alert(1)</script>]]>",
    "&lt;&amp;&#10;\\N\\G\\l",
    "日本 \U0001f600",
]


def crawled(facts: list[Fact]) -> Crawled:
    gathering = Gathering()
    for fact in facts:
        gathering.tell(fact)
    return Crawled(
        {"url": "/"},
        Counts(events=7),
        gathering.states,
        gathering.transitions,
        gathering.refused,
        tuple(gathering.given_up),
        Masks((Mask("html/p", "text", "clock"),)),
        InvocationGraph((Invocation("go", "GET", "/a", "a", ("f", "g"), 3, 1),)),
        {"old": "new"},
    )


def exported(name: str, crawl: Crawled) -> str:
    stream = io.BytesIO()
    EXPORTERS[name](crawl, stream)
    return stream.getvalue().decode()


@given(facts=histories())
def test_the_model_is_one_that_can_be_read(facts: list[Fact]) -> None:
    crawl = crawled(facts)
    application = crawl.application()
    assert application is not None
    assert parse_model(exported("model", crawl).encode()).to_json() == application.to_json()


def test_a_crawl_without_states_has_no_model() -> None:
    with pytest.raises(InputError, match="no state yet"):
        exported("model", crawled([]))
    for name in ("json", "graphml", "dot"):
        assert exported(name, crawled([]))


@given(facts=histories())
def test_the_json_document_has_everything(facts: list[Fact]) -> None:
    crawl = crawled(facts)
    document = json.loads(exported("json", crawl))
    assert [state["id"] for state in document["states"]] == list(crawl.states)
    for state, found in zip(document["states"], crawl.states.values(), strict=True):
        assert [event["label"] for event in state["events"]] == [e.label for e in found.events]
    taken = [fact for fact in facts if isinstance(fact, Executed | Assumed)]
    executed = {(fact.source, fact.event) for fact in taken}
    assert {(row["source"], row["event"]) for row in document["transitions"]} == executed
    assert {(row["source"], row["event"]) for row in document["given_up"]} == {
        tuple(fact) for fact in facts if isinstance(fact, GivenUp)
    }
    assert document["summary"]["events"] == 7
    assert document["masks"] == [{"path": "html/p", "part": "text", "reason": "clock"}]
    assert document["calls"]["edges"] == [{"caller": "g", "callee": "f", "times": 3}]
    assert document["calls"]["requests"][0]["hot_nodes"] == ["f"]
    assert document["aliases"] == {"old": "new"}


@given(facts=histories())
def test_graphml_is_a_graph_of_all_states_and_outcomes(facts: list[Fact]) -> None:
    crawl = crawled(facts)
    document = ET.fromstring(exported("graphml", crawl))  # noqa: S314 - we wrote it
    graph = document.find(f"{GRAPHML}graph")
    assert graph is not None
    assert [node.get("id") for node in graph.iter(f"{GRAPHML}node")] == list(crawl.states)
    assert [(e.get("source"), e.get("target")) for e in graph.iter(f"{GRAPHML}edge")] == outcomes(
        crawl
    )


def outcomes(crawl: Crawled) -> list[tuple[str, str]]:
    return [(found.source, target) for found in crawl.explored for target in found.targets]


QUOTED = r'"(?:[^"\\\n\x00]|\\.)*"'
STATEMENT = re.compile(rf"  ({QUOTED})(?: -> ({QUOTED}))? \[label=({QUOTED})([a-z0-9=, ]*)\];")


@given(facts=histories())
def test_dot_is_a_graph_of_all_states_and_outcomes(facts: list[Fact]) -> None:
    crawl = crawled(facts)
    first, style, *lines, last = exported("dot", crawl).removesuffix("\n").split("\n")
    assert (first, style, last) == ("digraph statecrawl {", "  node [shape=box];", "}")
    read = [STATEMENT.fullmatch(line) for line in lines]
    assert all(read)
    ends = [(match[1][1:-1], match[2] and match[2][1:-1]) for match in read if match]
    assert ends == [*((state, None) for state in crawl.states), *outcomes(crawl)]


def as_graphviz_reads(text: str) -> str:
    """Read a quoted label: its escapes, then its entities."""
    assert re.fullmatch(QUOTED, text)
    unescaped = re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text[1:-1])
    return html.unescape(unescaped)


@given(text=texts | st.sampled_from(HOSTILE) | st.text('\\"n&;lt#\n<>', max_size=12))
def test_what_can_be_shown_survives_every_escape(text: str) -> None:
    shown = re.sub(
        "[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", text
    )
    assert as_graphviz_reads(quoted(text)) == shown
    legal = re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)
    document = f'<a b="{escaped(text)}">{escaped(text)}</a>'
    element = ET.fromstring(document)  # noqa: S314 - we wrote it
    assert (element.get("b"), element.text or "") == (legal, legal)
