"""A file of values for fields is read as it is meant, or refused in one line."""

import json
from contextlib import suppress
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.inputs import TABLES, Inputs, parse_inputs
from statecrawl.errors import InputError

TOML = """
[name]
q = ["cat", "dog", "cat"]
amount = 2
subscribe = true
[label]
"E-mail" = "me@example.org"
[type]
date = 2024-02-29
datetime-local = 2024-02-29T08:30:15
time = 08:30:00
range = 0.5
"""


def test_values_of_every_sort_are_texts_as_typed() -> None:
    assert parse_inputs(TOML, is_json=False) == Inputs(
        name={"q": ("cat", "dog"), "amount": ("2",), "subscribe": ("true",)},
        label={"E-mail": ("me@example.org",)},
        type={
            "date": ("2024-02-29",),
            "datetime-local": ("2024-02-29T08:30",),
            "time": ("08:30",),
            "range": ("0.5",),
        },
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("q = 1", "'q'"),
        ("[name]\nq = []", "'q'"),
        ("[name]\nq = {a = 1}", "'q'"),
        ("[name]\nq = [['cat']]", "'q'"),
        ("[field]\nq = 1", "'field'"),
        ("[name\n", "TOML"),
        (f"[name]\nq = '{'x' * 10_001}'", "10,000"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as refused:
        parse_inputs(text, is_json=False)
    assert "\n" not in str(refused.value)


names = st.text(min_size=1, max_size=20)
values = st.dictionaries(names, st.lists(names, min_size=1, max_size=5, unique=True), max_size=4)


@given(st.fixed_dictionaries(dict.fromkeys(TABLES, values)))
def test_what_is_stored_is_what_was_given(tables: dict[str, dict[str, list[str]]]) -> None:
    inputs = parse_inputs(json.dumps(tables), is_json=True)
    assert Inputs.from_json(json.loads(json.dumps(asdict(inputs)))) == inputs
    assert {key: list(one) for key, one in inputs.label.items()} == tables["label"]


def test_passwords_are_named_by_variables() -> None:
    inputs = Inputs(
        name={"user": ("ann",), "password": ("one", "two")},
        label={"Your password:": ("three", "one")},
        type={"password": ("four",)},
    )
    assert inputs.secrets == {
        "one": "STATECRAWL_PASSWORD",
        "two": "STATECRAWL_PASSWORD_2",
        "three": "STATECRAWL_YOUR_PASSWORD",
        "four": "STATECRAWL_PASSWORD_3",
    }


@given(st.text(max_size=40), st.booleans())
def test_whatever_is_in_the_file_nothing_worse_happens(text: str, is_json: bool) -> None:
    with suppress(InputError):
        assert isinstance(parse_inputs(text, is_json), Inputs)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["name", "type", "q"]), inner, max_size=3)
        ),
    )
)
def test_json_of_any_shape_is_taken_or_refused(document: object) -> None:
    try:
        inputs = parse_inputs(json.dumps(document), is_json=True)
    except InputError:
        return
    assert isinstance(document, dict)
    assert set(document) <= set(TABLES)
    assert all(values for table in asdict(inputs).values() for values in table.values())
