"""Messages as JSON: what is written is read again, and nothing else is."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.coordination.ring_messages import ToRingCoordinator, ToRingCrawler
from statecrawl.coordination.star_messages import Released, ToStarCoordinator, ToStarNode
from statecrawl.coordination.wire import SCHEMA, MessageError, dump, load

UNIONS = [ToStarCoordinator, ToStarNode, ToRingCoordinator, ToRingCrawler]
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False) | st.just(1e400))
TEXT = st.text(max_size=5)


@pytest.mark.parametrize(
    ("kind", "union"),
    [(kind, union) for union in UNIONS for kind in get_args(union)],
    ids=lambda value: getattr(value, "__name__", ""),
)
@settings(max_examples=8)
@given(data=st.data())
def test_every_message_survives_its_journey(kind: Any, union: Any, data: st.DataObject) -> None:
    message = data.draw(st.from_type(kind))
    raw = dump(message, union)
    assert load(raw, union) == message
    assert json.loads(raw)["schema"] == SCHEMA


@given(raw=st.binary() | st.from_type(dict[str, int | str]).map(lambda d: json.dumps(d).encode()))
def test_what_is_no_message_is_refused(raw: bytes) -> None:
    with pytest.raises(MessageError):
        load(raw, ToStarCoordinator)


@pytest.mark.parametrize(
    "change",
    [
        {"schema": SCHEMA + 1},
        {"kind": "Credentials"},
        {"kind": ["Released"]},
        {"token": "1"},
        {"token": True},
        {"token": None},
        {"pairs": [["only one"]]},
        {"pairs": {}},
        {"pairs": [[1, 2]]},
        {"more": 1},
    ],
)
def test_a_forged_message_is_refused(change: dict[str, Any]) -> None:
    document = json.loads(dump(Released(1, (("state", "event"),)), ToStarCoordinator))
    with pytest.raises(MessageError) as refusal:
        load(json.dumps({**document, **change}).encode(), ToStarCoordinator)
    assert "\n" not in str(refusal.value)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(MessageError):
        load(b"[" * 100_000, ToStarCoordinator)
