import json

import pytest
from hypothesis import given

from statecrawl.core import application as module
from statecrawl.core import model_file
from statecrawl.core.application import Application
from statecrawl.core.model_file import parse_model
from statecrawl.errors import InputError
from tests.applications import applications

GOOD = {"initial": "a", "reset_cost": 2, "states": {"a": {"go": "b"}, "b": {}}}


def parse(**changes: object) -> Application:
    return parse_model(json.dumps({**GOOD, **changes}).encode())


@given(application=applications())
def test_what_is_written_is_read_back(application: Application) -> None:
    read = parse_model(json.dumps(application.to_json()).encode())
    assert read.states == application.states
    assert read.all_entries == application.all_entries
    assert read.reset_cost == application.reset_cost


def test_optional_parts_are_read_and_written() -> None:
    parts = {
        "entries": ["a", "b"],
        "outcomes": {"a": {"go": {"a": 1, "b": 3}}},
        "regions": {"a": {"list": "1"}},
        "groups": {"go": "link"},
        "earlier_regions": [{"until": 3, "regions": {"a": {"page": "2"}}}],
        "documents": {
            "given": ["/a"],
            "loads": {"/a": "a", "/b": "b"},
            "links": {"go": {"url": "/b", "loads": True}},
            "opened": {"show": ["/c"]},
        },
    }
    application = parse(**parts)
    assert application.all_entries == ("a", "b")
    assert application.to_json() == {**GOOD, **parts}


def test_an_unexplored_event_leads_to_null() -> None:
    assert parse(states={"a": {"go": None}}).states == {"a": {"go": None}}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "must be a JSON object"),
        (b"{}", "no initial state"),
        (b'{"initial": "a"}', "no states"),
        (b'{"initial": "a", "states": []}', "must be a JSON object"),
        (b'{"initial": 3, "states": {"a": {}}}', "must be a text"),
    ],
)
def test_what_is_no_model_is_refused(raw: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        parse_model(raw)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"initial": "z"}, 'initial state "z" is not among'),
        ({"states": {"a": {"go": "z"}}}, 'leads to "z", which is not among'),
        ({"states": {"a": {"go": 3}}}, "must lead to a state's name or null"),
        ({"states": {"a": [], "b": {}}}, "must be a JSON object"),
        ({"states": {"a": {}, "lost": {}}}, 'no entry reaches state "lost"'),
        ({"reset_cost": -1}, "must be 0 or more"),
        ({"reset_cost": float("nan")}, "must be 0 or more"),
        ({"reset_cost": True}, "must be a number"),
        ({"reset_cost": "2"}, "must be a number"),
        ({"entries": ["z"]}, 'entry "z" is not among'),
        ({"entries": "a"}, "must be a JSON list"),
        ({"outcomes": {"a": {"no": {"b": 1}}}}, "no such event"),
        ({"outcomes": {"a": {"go": {"z": 1}}}}, 'leads to "z"'),
        ({"outcomes": {"a": {"go": {"b": 0}}}}, "counts of 1 or more"),
        ({"outcomes": {"a": {"go": {}}}}, "counts of 1 or more"),
        ({"regions": {"z": {}}}, "regions name state"),
        ({"groups": {"go": 1}}, "must be a text"),
        ({"earlier_regions": [{"until": "3"}]}, "must be a whole number"),
        ({"earlier_regions": [{"until": 3, "regions": {"z": {}}}]}, "regions name state"),
        ({"documents": {"given": ["/a"]}}, 'not among "loads"'),
        ({"documents": {"loads": {"/b": "b"}}}, "which is not among the entries"),
        ({"documents": {"links": {"go": {"loads": True}}}}, "must be a text"),
        ({"documents": {"links": {"go": {"url": "/b", "loads": 1}}}}, "must be true or false"),
        ({"initial": "x" * 1000 + "\n\x1b[31m"}, r"\.\.\.\" is not among"),
    ],
)
def test_what_can_not_be_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        parse(**changes)
    assert len(str(error.value)) < 200
    assert str(error.value).isprintable()


def test_too_many_transitions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_TRANSITIONS", 1)
    with pytest.raises(InputError, match="2 transitions; at most 1"):
        parse(states={"a": {"go": "b", "to": "b"}, "b": {}})


def test_too_large_a_file_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_file, "MAX_FILE_BYTES", 10)
    with pytest.raises(InputError, match="more than 0 MB"):
        parse()
