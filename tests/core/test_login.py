"""A login is a short text; it is read, written again, and never holds a secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.login import (
    Basic,
    Click,
    Expect,
    Fill,
    Login,
    Open,
    Value,
    format_login,
    is_secret,
    parse_login,
)
from statecrawl.errors import InputError

BANK = r"""
# How to get into the bank.
open /login?next=%2F#form   # the form
fill "User name" with $BANK_USER
fill css=#pin with $BANK_PASSWORD
  fill "Say \"friend\"" with "and enter # no comment"
fill Branch with 12
click "Sign in"

expect "Welcome"
basic guest $DOOR
"""


def test_every_step_is_read() -> None:
    login = parse_login(BANK)
    assert login.steps == (
        Open("/login?next=%2F#form"),
        Fill("User name", Value("BANK_USER", is_variable=True)),
        Fill("css=#pin", Value("BANK_PASSWORD", is_variable=True)),
        Fill('Say "friend"', Value("and enter # no comment")),
        Fill("Branch", Value("12")),
        Click("Sign in"),
        Expect("Welcome"),
    )
    assert login.basic == Basic(Value("guest"), Value("DOOR", is_variable=True))
    assert login.variables == ("BANK_USER", "BANK_PASSWORD", "DOOR")
    assert login.secret_variables() == {"BANK_PASSWORD", "DOOR"}
    assert login.door == ("User name", "css=#pin", 'Say "friend"', "Branch")
    assert login.sign == "Welcome"


def test_a_form_in_two_pages_is_known_by_the_first() -> None:
    login = parse_login('click "Members"\nfill Name with $N\nclick Next\nfill Code with $C\n')
    assert login.door == ("Name",)
    assert login.sign == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no steps"),
        ("# nothing\n\n", "no steps"),
        ("open", "line 1 of the login: write `open URL`"),
        ("open /a /b", "write `open URL`"),
        ('open ""', "write `open URL`"),
        ("open /\nfill User $NAME", r'line 2 .* write `fill "FIELD" with \$NAME`'),
        ('fill "User with $NAME', 'a " has no end'),
        ('fill "User"with $NAME', 'a " has no end'),
        ("fill User with $", "after [$] stands the name of a variable"),
        ("fill User with $A-B", "after [$] stands the name of a variable"),
        ("fill Password with hunter2", "a password comes from an environment variable"),
        ('fill "Ihr Passwort:" with "hunter2"', "a password comes from an environment variable"),
        ("basic ann hunter2", "a password comes from an environment variable"),
        ("basic $A $B\nbasic $A $B", "line 2 .* twice"),
        ('"open" /', "begin a step with one of open, fill, click, expect, basic"),
        ("sign in hunter2", "begin a step with one of"),
        ('expect " "', "write `expect"),
        ("open /\n" * 300, "is this the right file"),
        ("x" * 30_000, "is this the right file"),
    ],
)
def test_wrong_logins_are_told_in_one_line(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        parse_login(text)
    assert "\n" not in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_variables_that_are_not_set_are_named_together() -> None:
    login = parse_login("fill User with $ONE\nfill Code with $TWO\nfill Again with $ONE\n")
    assert login.values({"ONE": "1", "TWO": "2", "THREE": "3"}) == {"ONE": "1", "TWO": "2"}
    with pytest.raises(InputError, match="needs TWO: set it"):
        login.values({"ONE": "1", "TWO": ""})
    with pytest.raises(InputError, match="needs ONE and TWO: set them"):
        login.values({})


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
VARIABLES = st.builds(
    Value, st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}", fullmatch=True), st.just(True)
)
VALUES = VARIABLES | st.text(st.characters(codec="utf-8"), max_size=20).map(Value)
STEPS = st.one_of(
    st.builds(Open, TEXTS),
    st.builds(Fill, TEXTS, VALUES).filter(
        lambda step: step.value.is_variable or not is_secret(step.field)
    ),
    st.builds(Click, TEXTS),
    st.builds(Expect, TEXTS.filter(lambda text: bool(text.strip()))),
)
LOGINS = st.builds(
    Login,
    st.lists(STEPS, min_size=1, max_size=8).map(tuple),
    st.none() | st.builds(Basic, VALUES, VARIABLES),
)


@given(LOGINS)
def test_what_is_written_is_read_again(login: Login) -> None:
    assert parse_login(format_login(login)) == login


@given(st.lists(st.sampled_from('open fill with click expect " # $A \\ x=1'.split())))
def test_any_words_are_a_login_or_told_in_one_line(words: list[str]) -> None:
    text = " ".join(words)
    try:
        login = parse_login(text)
    except InputError as error:
        problem = str(error)
    else:
        assert parse_login(format_login(login)) == login
        return
    assert "\n" not in problem
