"""Many small maps, against dictionaries."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.small_maps import SmallLists, SmallMaps

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


@given(st.dictionaries(keys, st.integers(0, 9)), st.lists(st.dictionaries(keys, st.integers(0, 9))))
def test_what_is_merged_is_set_where_nothing_was(
    before: dict[int, int], told: list[dict[int, int]]
) -> None:
    maps = SmallMaps()
    maps.append()
    for key, value in before.items():
        maps.put(0, key, value)
    expected = dict(before)
    for entries in told:
        fresh = [key for key in entries if key not in expected]
        expected |= {key: entries[key] for key in fresh}
        assert list(maps.merge(0, dict(entries))) == fresh
    assert list(maps.items(0)) == list(expected.items())


@given(st.lists(st.tuples(st.integers(0, SIZE - 1), st.integers(0, 5))))
def test_lists_keep_the_order_of_what_is_put_in(done: list[tuple[int, int]]) -> None:
    lists, expected = SmallLists(), [list[int]() for _ in range(SIZE)]
    for _ in range(SIZE):
        lists.append()
    for number, value in done:
        if value in expected[number]:
            expected[number].remove(value)
            lists.remove(number, value)
        else:
            expected[number].append(value)
            lists.add((number,), value)
        assert list(map(list, map(lists.__getitem__, range(len(lists))))) == expected
