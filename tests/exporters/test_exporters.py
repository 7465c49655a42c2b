"""Every format keeps what it says about hostile pages, and says no more than that."""

import ast
import csv
import html
import inspect
import io
import json
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled, CrawledState
from statecrawl.core.exchange import NoContents
from statecrawl.core.facts import Assumed, Executed, Fact, GivenUp
from statecrawl.core.gathering import Gathering
from statecrawl.core.invocations import Invocation, InvocationGraph
from statecrawl.core.masks import Mask, Masks
from statecrawl.core.model_file import parse_model
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.errors import InputError
from statecrawl.exporters import EXPORTERS, playwright_walk
from statecrawl.exporters.dot import quoted
from statecrawl.exporters.graphml import escaped
from statecrawl.exporters.table import COLUMNS
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
    for name in ("json", "graphml", "dot", "csv", "playwright", "sitemap"):
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
    seen = [t for t in crawl.explored if not t.is_assumed for _ in t.targets]
    assert {each["event"] for each in document["effects"]} == {t.event for t in seen}
    assert sum(each["times"] for each in document["effects"]) == len(seen)


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


@given(facts=histories())
def test_csv_has_a_row_for_every_outcome_and_no_formula(facts: list[Fact]) -> None:
    crawl = crawled(facts)
    text = exported("csv", crawl)
    rows = list(csv.reader(io.StringIO(text, newline="")))
    every = [target for found in crawl.transitions.values() for target in found.targets]
    assert [row[COLUMNS.index("target")] for row in rows[1:]] == every
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert text.count("\n") == len(rows)
    assert not [cell for row in rows for cell in row if cell.lstrip()[:1] in tuple("=+-@|")]


@settings(max_examples=30)
@given(facts=histories(), texts=st.lists(texts | st.sampled_from(HOSTILE), max_size=3))
def test_the_tests_are_python_whatever_pages_say(facts: list[Fact], texts: list[str]) -> None:
    class Pages(NoContents):
        def snapshot(self, state: str) -> Snapshot:
            del state
            shown = "".join(f"<p>{html.escape(text)}</p>" for text in texts)
            return Snapshot(f"<html><body>{shown}</body></html>", ())

    crawl = crawled(facts).with_contents(Pages())
    written = ast.parse(exported("playwright", crawl))
    template = ast.parse(inspect.getsource(playwright_walk))
    code, original = (
        [ast.dump(node) for node in tree.body if not isinstance(node, ast.Assign | ast.AnnAssign)]
        for tree in (written, template)
    )
    assert code == original
    data = {
        ast.unparse(node.target): node.value
        for node in written.body
        if isinstance(node, ast.AnnAssign) and node.value is not None
    }
    shown = ast.literal_eval(data["SHOWN"])
    assert shown == {state: [text for text in texts if text] for state in crawl.states}
    calls = [node for node in ast.walk(data["PATHS"]) if isinstance(node, ast.Call)]
    assert {ast.unparse(call.func) for call in calls} <= {"Path", "Step"}


@pytest.mark.parametrize(
    ("identity", "kind", "value"),
    [
        ('click button "Save"', "click", ""),
        ('input "a \\"b\\"\\n" input text "Name"', "input", 'a "b"\n'),
        ('key "Enter" body', "key", "Enter"),
        ('change "', "change", ""),
        ("timeout 9000 ms 1a2b3c", "timeout", "9000 ms"),
    ],
)
def test_the_value_of_an_event_is_in_its_identity(identity: str, kind: str, value: str) -> None:
    assert Event(identity, kind=kind).value == value


@given(paths=st.lists(texts | st.sampled_from(HOSTILE), max_size=4))
def test_a_sitemap_names_pages_of_the_host_once(paths: list[str]) -> None:
    urls = [f"http://host/{path}" for path in paths] + ["http://other/", "javascript:alert(1)"]
    states = {url: CrawledState(url, url, "", (), {}, 0, 1, 0.0, 0) for url in urls}
    document = exported("sitemap", Crawled({"url": "http://host/"}, states=states))
    elements = ET.fromstring(document).iter()  # noqa: S314 - we wrote it
    found = [element.text or "" for element in elements if element.tag.endswith("}loc")]
    assert len(found) == len(set(found))
    assert all(re.fullmatch(r"http://host/[!-;=?-~]*", each) for each in found)
    assert bool(found) == bool(paths)


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
