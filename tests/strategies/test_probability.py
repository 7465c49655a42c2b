from math import log

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.application import Application
from statecrawl.simulation.run import simulate
from statecrawl.strategies.probability import Probability

chances = st.floats(0.01, 0.9)


@given(
    states=st.lists(st.tuples(st.integers(0, 20), chances), min_size=1, max_size=6),
    average=chances,
)
def test_distance_plus_toll_is_the_published_rule(
    states: list[tuple[int, float]], average: float
) -> None:
    """The cheapest state is one to which no farther one is preferred, nor any nearer one."""
    scale = -log(1 - average)
    distance, chance = min(states, key=lambda state: state[0] + log(1 - state[1]) / scale)
    for other_distance, other_chance in states:
        if other_distance >= distance:
            threshold = 1 - (1 - chance) * (1 - average) ** (other_distance - distance)
            assert other_chance <= threshold + 1e-9
        else:
            threshold = 1 - (1 - other_chance) * (1 - average) ** (distance - other_distance)
            assert chance >= threshold - 1e-9


def test_what_found_states_before_is_fired_first() -> None:
    """A long list: "next" always finds a page, the ten buttons of a page never do anything."""
    pages = [f"page{number}" for number in range(30)]
    states: dict[str, dict[str, str | None]] = {}
    for number, page in enumerate(pages):
        states[page] = {f"button{button}": page for button in range(10)}
        if number + 1 < len(pages):
            states[page]["next"] = pages[number + 1]
    crawl = simulate(Application("page0", states, reset_cost=5), Probability)
    events, _ = crawl.discoveries[-1]
    assert events < 60
