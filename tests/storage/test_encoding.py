"""Values are written in one way, however soon."""

from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.core.snapshot import Change
from statecrawl.storage.encoding import pack, pack_plain, unpack

brief = settings(max_examples=100)
numbers = st.integers(-(2**63), 2**64 - 1)
anything = st.recursive(
    st.none() | st.booleans() | numbers | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
)


@brief
@given(value=anything)
def test_what_is_written_soon_is_written_the_same(value: object) -> None:
    assert pack_plain(value) == pack(value)
    assert unpack(pack_plain(value)) == value


def test_what_only_the_slow_way_can_write_is_written_all_the_same() -> None:
    for value in ("\ud800", "\x7f", 2**70, [Change("p", "text")], {1: "a"}, "ü"):
        assert pack_plain(value) == pack(value)
