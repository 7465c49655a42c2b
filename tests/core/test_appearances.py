"""What is counted of pages is what there is; and no more is kept than is asked for."""

import tracemalloc
from itertools import product
from random import Random

from statecrawl.core.appearances import Appearances

REGIONS = ("one", "two", "three")
NUMBERS = (1, 2, 3)  # those of the regions: 0 tells states apart that look the same


def discovered(pages: Appearances, *values: str) -> None:
    pages.discover(dict(zip(REGIONS, values, strict=True)))


def test_what_fits_is_counted_right_however_seldom_it_is_asked_for() -> None:
    random = Random(1)
    pages = Appearances()
    awaited: dict[int, dict[int, int]] = {}
    looks = list(product("abcdef", repeat=3))
    random.shuffle(looks)
    for round_, look in enumerate(looks):
        discovered(pages, *look)
        signature = random.getrandbits(64)
        state = random.randrange(len(pages.signatures))
        region, value = random.choice(NUMBERS), random.randrange(len(pages.weights))
        pages.anticipate(signature, state, ((region, value),))
        awaited[signature] = {**pages.shown[state], region: value}
        if round_ % 3 == 0:
            gone = random.choice(list(awaited))
            del awaited[gone]
            pages.dismiss(gone)
        if round_ % 60 == 59:
            for asked in NUMBERS[: 1 + round_ % 3]:
                check(pages, asked, awaited)


def check(pages: Appearances, region: int, awaited: dict[int, dict[int, int]]) -> None:
    """Compare with what comes of looking at every page."""
    states = [pages.without(state, region) for state in range(len(pages.signatures))]
    pairs = ((signature, shown.get(region, -1)) for signature, shown in awaited.items())
    waiting = [s ^ (pages.weights[value] if value >= 0 else 0) for s, value in pairs]
    for rest in {*states, *waiting}:
        assert pages.known_to_fit(region, rest) == states.count(rest)
        assert pages.awaited_to_fit(region, rest) == waiting.count(rest)


def grown_by(asks: bool) -> int:
    """How many bytes pages take of which each is anticipated before it is found."""
    pages = Appearances()
    discovered(pages, "0", "0", "0")
    for region in NUMBERS if asks else ():
        pages.known_to_fit(region, 0)
    tracemalloc.start()
    for number in range(2000):
        pages.anticipate(-number, 0, ((1, 0),))
        discovered(pages, str(number % 7), str(number // 7), "x")
        pages.dismiss(-number)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size


def test_what_was_asked_once_is_not_counted_for_ever() -> None:
    assert grown_by(asks=True) < 1.05 * grown_by(asks=False)
