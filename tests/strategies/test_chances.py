"""The chance of a new state, by how often such predictions came to one."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.effects import Outlook
from statecrawl.strategies.chances import FAIR, TRIES, Chances, chance_of, level_of
from statecrawl.strategies.effects import LEAST

OPEN, SELECT, LIST, TOOLBAR = 0, 1, "list", "toolbar"


def count(chances: Chances, event: int, group: str, outlook: Outlook, *outcomes: bool) -> None:
    for is_new in outcomes:
        chances.count(event, group, outlook, is_new=is_new)


def test_what_found_much_where_nothing_was_clear_is_not_given_up_for_others() -> None:
    """Else pages that one button alone leads to come last, whatever it found before."""
    chances = Chances()
    count(chances, SELECT, LIST, Outlook.GUESS, *[False] * 500)
    assert chances.of(OPEN, TOOLBAR, Outlook.GUESS) == FAIR
    count(chances, OPEN, TOOLBAR, Outlook.UNCLEAR, *[True, False] * 10)
    assert chances.of(OPEN, TOOLBAR, Outlook.GUESS) > 0.25


def test_every_event_gets_a_few_tries_however_vain_those_of_others_were() -> None:
    """Else one button, hidden behind a thousand vain guesses, hides half of the states."""
    chances = Chances()
    count(chances, SELECT, TOOLBAR, Outlook.GUESS, *[False] * 1_000)
    for _ in range(TRIES):
        assert chances.of(OPEN, TOOLBAR, Outlook.GUESS) == FAIR
        count(chances, OPEN, TOOLBAR, Outlook.GUESS, False)
    assert chances.of(OPEN, TOOLBAR, Outlook.GUESS) < LEAST < FAIR


def test_its_own_tests_have_the_last_word() -> None:
    chances = Chances()
    count(chances, OPEN, TOOLBAR, Outlook.UNCLEAR, *[True] * 20)
    count(chances, OPEN, TOOLBAR, Outlook.GUESS, *[False] * 50)
    assert chances.of(OPEN, TOOLBAR, Outlook.GUESS) < 0.05


PLACES = st.sampled_from([TOOLBAR, "a list of a page", None])
"""Where an event stands in one state or another, so that its group is not the same everywhere."""


@given(
    st.lists(st.tuples(st.sampled_from(Outlook), PLACES, st.booleans())),
    PLACES,
    st.sampled_from(Outlook),
)
def test_a_chance_is_one(
    counted: list[tuple[Outlook, object, bool]], group: object, outlook: Outlook
) -> None:
    chances = Chances()
    for seen, place, is_new in counted:
        chances.count(OPEN, place, seen, is_new=is_new)
    chance = chances.of(OPEN, group, outlook)
    assert 0 < chance < 1
    assert chance_of(level_of(chance)) <= chance * (1 + 1e-9)
