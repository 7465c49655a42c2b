"""Many small maps, against dictionaries."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.small_maps import SmallMaps

SIZE = 3
keys = st.integers(0, 3)
steps = st.tuples(
    st.sampled_from(["put", "setdefault", "remove"]), st.integers(0, SIZE - 1), keys, st.integers()
)


@given(st.lists(steps, max_size=30))
def test_they_are_what_dictionaries_are(done: list[tuple[str, int, int, int]]) -> None:
    maps, dictionaries = SmallMaps(), [dict[int, int]() for _ in range(SIZE)]
    for _ in range(SIZE):
        maps.append()
    for what, number, key, any_value in done:
        value, dictionary = any_value % 2**60, dictionaries[number]
        if what == "put":
            maps.put(number, key, value)
            dictionary[key] = value
        elif what == "setdefault":
            assert maps.setdefault(number, key, value) == dictionary.get(key)
            dictionary.setdefault(key, value)
        elif key in dictionary:
            maps.remove(number, key)
            del dictionary[key]
    assert len(maps) == SIZE
    for number, dictionary in enumerate(dictionaries):
        assert list(maps[number]) == list(dictionary)
        assert list(maps.items(number)) == list(dictionary.items())
        assert all(maps.get(number, key) == dictionary.get(key) for key in range(4))
