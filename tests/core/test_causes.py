"""Why events are nondeterministic, guessed from pages, requests and options."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core import causes
from statecrawl.core.causes import MAX_EXPLAINED, explain
from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.gathering import Gathering
from statecrawl.core.guess import MOVED, MOVED_ANYWAY, Cause, Guess
from statecrawl.core.invocations import Invocation, InvocationGraph
from statecrawl.core.masks import TEXT, Mask, Masks
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.terminal.crawls import MAX_DOUBTFUL, print_crawl

LOAD = "load /"


def call(method: str, key: str, event: str = "go") -> Invocation:
    return Invocation(event, method, f"/{key}", key, ("f",), 1, 0)


def crawl_of(
    bodies: Sequence[str],
    *calls: Invocation,
    load: bool = False,
    kind: str = "click",
    about: Mapping[str, Any] | None = None,
    failures: Mapping[str, int] | None = None,
    masks: Masks | None = None,
    offered: Mapping[str, tuple[str, ...]] | None = None,
) -> tuple[Crawled, dict[str, Snapshot]]:
    """A crawl in which one event, or the load, led to these pages one after the other."""
    pages = {
        body: Snapshot(
            f"<html><body>{body}</body></html>",
            tuple(Event(each) for each in (offered or {}).get(body, ())),
            "/",
        )
        for body in dict.fromkeys(bodies)
    }
    facts: list[Fact] = []
    source, event = ("", LOAD) if load else ("home", "go")
    if not load:
        pages["home"] = Snapshot("<html></html>", (Event("go", kind=kind),), "/")
        facts += [Found("home", pages["home"], 0, 1), Executed("", LOAD, "home")]
    for number, body in enumerate(bodies):
        if body not in bodies[:number]:
            facts.append(Found(body, pages[body], 1, 1))
        facts.append(Executed(source, event, body))
    gathering = Gathering()
    for fact in facts:
        gathering.tell(fact)
    crawled = Crawled(
        {"url": "/", **(about or {})},
        Counts(failures=failures or {}),
        gathering.states,
        gathering.transitions,
        masks=masks or Masks(),
        calls=InvocationGraph(calls),
    )
    return crawled, pages


def guess(bodies: Sequence[str], *calls: Invocation, **more: Any) -> Guess:
    crawled, pages = crawl_of(bodies, *calls, **more)
    (found,) = explain(crawled, pages.get).values()
    return found


CLOCK = ("<p>It is 10:00</p>", "<p>It is 10:01</p>")
WORDS = ("<p>red</p>", "<p>blue</p>")
NUMBERS = ("<p>5 items</p>", "<p>6 items</p>")
JUMPING = ("<p>5 items</p>", "<p>2 items</p>")
ROWS = ("<ul><li>a</li><li>b</li></ul>", "<ul><li>a</li><li>b</li><li>c</li></ul>")
SHUFFLED = ("<ul><li>a</li><li>b</li><li>c</li></ul>", "<ul><li>c</li><li>a</li><li>b</li></ul>")
CLASSES = ("<b class='on'>a</b><p>b</p>", "<b class='on far'>a</b><p>b</p>")
WRAPPED = ("<p>a</p><p>b</p>", "<p>a</p><div><p>b</p></div>")
LATE = ("<p>a</p>", "<p>a</p><div>late</div>")
IDS = ("<p>x7f3kq9</p>", "<p>p01zzt4</p>")
GET, OTHER, POST = call("GET", "a"), call("GET", "b"), call("POST", "new", "add")
REAL_TIME, REAL_CHANCE = {"about": {"real_time": True}}, {"about": {"real_chance": True}}


@pytest.mark.parametrize(
    ("bodies", "calls", "more", "why"),
    [
        (CLOCK, [], {}, Cause.TIME),
        (CLOCK, [GET, POST], {}, Cause.TIME),
        (WORDS, [], {"kind": "timeout"}, Cause.TIME),
        (NUMBERS, [], REAL_TIME, Cause.TIME),
        (WORDS, [], REAL_TIME, Cause.TIME),
        (IDS, [], {}, Cause.RANDOMNESS),
        (SHUFFLED, [], {}, Cause.RANDOMNESS),
        (NUMBERS, [], REAL_CHANCE, Cause.RANDOMNESS),
        (JUMPING, [GET], {}, Cause.RANDOMNESS),
        (WORDS, [], REAL_CHANCE, Cause.RANDOMNESS),
        (NUMBERS, [GET], {}, Cause.SERVER_STATE),
        (NUMBERS, [], {"load": True}, Cause.SERVER_STATE),
        (NUMBERS, [GET, POST], REAL_CHANCE, Cause.SERVER_STATE),
        (JUMPING, [GET, POST], {}, Cause.SERVER_STATE),
        (ROWS, [GET], {}, Cause.SERVER_STATE),
        (ROWS, [], {"load": True}, Cause.SERVER_STATE),
        (ROWS, [GET, OTHER, POST], {}, Cause.SERVER_STATE),
        (WORDS, [GET, POST], {}, Cause.SERVER_STATE),
        (WORDS, [], {"load": True}, Cause.SERVER_STATE),
        (WORDS, [GET], {}, Cause.SERVER_STATE),
        (LATE, [GET, OTHER], {}, Cause.RACE),
        (LATE, [GET], {"failures": {"unsettled": 1}}, Cause.RACE),
        ((*LATE, LATE[0]), [GET], {}, Cause.RACE),
        ((*ROWS, ROWS[0]), [GET], {}, Cause.RACE),
        ((*LATE, LATE[0]), [], {"load": True}, Cause.RACE),
        (WORDS, [GET, OTHER], {}, Cause.RACE),
        (WORDS, [], {}, Cause.UNKNOWN),
        (CLASSES, [], {}, Cause.UNKNOWN),
        (WRAPPED, [], {}, Cause.UNKNOWN),
        (ROWS, [], {}, Cause.UNKNOWN),
        (LATE, [], {}, Cause.UNKNOWN),
        (JUMPING, [], {}, Cause.UNKNOWN),
        (WORDS, [POST], {}, Cause.UNKNOWN),
    ],
)
def test_each_cause_has_its_signs(
    bodies: Sequence[str], calls: list[Invocation], more: dict[str, Any], why: Cause
) -> None:
    found = guess(bodies, *calls, **more)
    assert (found.why, bool(found.evidence)) == (why, True), found


def test_the_evidence_quotes_the_pages() -> None:
    assert guess(CLOCK).evidence == '"It is 10:00" became "It is 10:01"'
    assert guess(ROWS, GET).evidence == 'rows more or fewer: li "c" came'
    assert guess(WORDS, GET, POST).evidence == "the application writes: POST /new"


def test_what_is_masked_is_no_evidence() -> None:
    """The clock is left out of identity; the number is what made two states."""
    bodies = ("<p>10:00</p><b>5</b>", "<p>10:01</p><b>6</b>")
    masks = Masks((Mask("html/body[1]/p[1]", TEXT),))
    assert guess(bodies, GET).why is not Cause.TIME
    assert guess(bodies, GET, masks=masks).evidence == 'counts that only grow: "5" became "6"'


def test_pages_that_differ_only_in_their_events() -> None:
    bodies = ("<p>a</p>", "<p>&#97;</p>")
    offers = {bodies[1]: ("timeout 6000 ms x",)}
    assert guess(bodies, offered=offers) == Guess(Cause.TIME, "some of the pages wait for a timer")
    found = guess(bodies, offered={bodies[1]: ("click b",)})
    assert found.why is Cause.UNKNOWN
    assert found.evidence.endswith("the pages look alike and offer other events")


def test_the_summary_says_where_each_event_led_and_why() -> None:
    crawled, pages = crawl_of((*CLOCK, CLOCK[1]))
    assert crawled.summary()["nondeterministic"][0]["why"] == "unknown"  # nobody has guessed
    crawled = crawled.with_guesses(explain(crawled, pages.get))
    assert crawled.summary()["nondeterministic"] == [
        {
            "state": "home",
            "event": "go",
            "outcomes": {CLOCK[0]: 1, CLOCK[1]: 2},
            "why": "time",
            "evidence": '"It is 10:00" became "It is 10:01"',
        }
    ]


@pytest.mark.parametrize(
    ("bodies", "more", "said"),
    [
        (NUMBERS, {"load": True}, (MOVED,)),
        (NUMBERS, {"load": True, "about": {"reset_command": "x"}}, (MOVED_ANYWAY,)),
        (CLOCK, {"load": True}, ()),
        (ROWS, {}, ()),
    ],
)
def test_data_on_the_server_that_moved_is_said(
    bodies: Sequence[str], more: dict[str, Any], said: tuple[str, ...]
) -> None:
    crawled, pages = crawl_of(bodies, **more)
    assert crawled.warnings == ()
    assert crawled.with_guesses(explain(crawled, pages.get)).warnings == said


bodies = st.lists(
    st.text(st.sampled_from('<p>div</ 1:"0a2\ud800 mayT-'), max_size=30), min_size=2, max_size=6
)


@given(bodies=bodies.filter(lambda each: len(set(each)) > 1), load=st.booleans())
def test_whatever_the_pages_are_there_is_a_guess(bodies: list[str], load: bool) -> None:
    found = guess(bodies, GET, load=load)
    assert found.why in Cause
    assert found.evidence


def test_a_page_that_is_not_there_is_empty() -> None:
    crawled, _ = crawl_of(WORDS)
    assert len(explain(crawled, lambda _: None)) == 1


def many(number: int) -> tuple[Crawled, dict[str, Snapshot]]:
    """A crawl with so many events that each lead to two states."""
    gathering = Gathering()
    home = Snapshot("", tuple(Event(f"e{n}") for n in range(number)))
    other = Snapshot("<html>other</html>", ())
    for fact in (Found("home", home, 0, 1), Executed("", LOAD, "home")):
        gathering.tell(fact)
    for n in range(number):
        gathering.tell(Executed("home", f"e{n}", "home"))
        gathering.tell(Found("other", other, 0, 1))
        gathering.tell(Executed("home", f"e{n}", "other"))
    crawled = Crawled({"url": "/"}, Counts(), gathering.states, gathering.transitions)
    assert len(crawled.nondeterministic) == number
    return crawled, {"home": home, "other": other}


def test_no_more_events_are_looked_into_than_anybody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    crawled, pages = many(MAX_EXPLAINED + 5)
    assert len(explain(crawled, pages.get)) == MAX_EXPLAINED
    monkeypatch.setattr(causes, "MAX_CHARACTERS", 10)
    assert len(explain(crawled, pages.get)) == 1


@pytest.mark.parametrize("number", [1, MAX_DOUBTFUL, MAX_DOUBTFUL + 3])
def test_some_of_the_events_are_shown_and_all_are_counted(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    crawled, pages = many(number)
    crawled = crawled.with_guesses(explain(crawled, pages.get))
    print_crawl(crawled, Path("out"))
    brief = capsys.readouterr().out
    assert f"\n{number} events nondeterministic: unknown {number}\n" in brief
    assert "led to" not in brief
    print_crawl(crawled, Path("out"), with_states=True)
    shown = capsys.readouterr().out
    assert "\n  in home e0 led to home 1, other 1 (unknown: hidden state" in shown
    assert shown.count(" led to ") == min(number, MAX_DOUBTFUL)
    assert ("  and 3 more (--json lists all)\n" in shown) is (number > MAX_DOUBTFUL)
