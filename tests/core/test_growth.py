"""Pages that only grow."""

from collections.abc import Iterable

import pytest

from statecrawl.core.facts import Executed, Found
from statecrawl.core.growth import Grown, Growth
from statecrawl.core.masks import Masks
from statecrawl.core.model import BLANK, Model
from statecrawl.core.snapshot import Event, Snapshot

MOST = 5
Step = tuple[str, str, str]
"""A page, an event, and the new page that it led to."""


def watch(steps: Iterable[Step], most: int | None = MOST) -> list[Grown]:
    """What is said of a crawl that finds these pages, named by their bodies."""
    pages: dict[str, Snapshot] = {}
    model, said = Model(["/"]), []
    growth = Growth(most, model)
    for source, event, body in steps:
        events = tuple(
            Event(f"click {name}", label=name) for name in ("more", "other", *links(body))
        )
        pages[body] = Snapshot(f"<html><body>{body}</body></html>", events, "/")
        way = model.state(source) or BLANK, model.number(Event(f"click {event}"))
        model.add_state(body, events, {}, way)
        facts = (Found(body, pages[body], 0, 0), Executed(source, f"click {event}", body))
        assert tuple(growth.hear(facts)) == facts
        said += growth.look(pages.get, Masks())
    return said


def links(body: str) -> list[str]:
    return [part.partition("<")[0] for part in body.split("<a>")[1:]]


def chain(bodies: Iterable[str], event: str = "more") -> list[Step]:
    found, before = [], ""
    for body in bodies:
        found.append((before, event if before else "load", body))
        before = body
    return found


def rows(count: int, tag: str = "p") -> str:
    return "<h1>List</h1><div>" + "".join(f"<{tag}>{n}</{tag}>" for n in range(count)) + "</div>"


def test_an_event_that_only_adds_rows_is_told_after_so_many_times() -> None:
    found = watch(chain(map(rows, range(MOST + 1))))
    assert found == [Grown(rows(MOST), "click more", "more", ("p",), MOST)]
    assert watch(chain(map(rows, range(MOST)))) == []
    assert watch(chain(map(rows, range(MOST + 1))), most=None) == []
    assert "--max-additions" in found[0].warning


@pytest.mark.parametrize(
    "body",
    [
        lambda n: f"<b>{n}</b>",  # a counter: another value
        lambda n: "".join(f"<p>{n} {row}</p>" for row in range(n)),  # others each time
        lambda n: rows(n, "a"),  # each row offers something
        lambda n: rows(20 - n),  # fewer
        lambda n: rows(n) if n != 3 else rows(n) + "<i>three</i>",  # something else, once
    ],
    ids=["counter", "other rows", "links", "fewer", "else"],
)
def test_what_may_lead_to_something_else_is_not(body: object) -> None:
    assert callable(body)
    assert watch(chain(map(body, range(MOST + 1)))) == []


def test_a_panel_that_other_events_close_is_no_growth() -> None:
    def page(item: int, panel: str = "") -> str:
        return f"<h1>{item}</h1>{panel}"

    steps = [("", "load", page(0))]
    for item in range(MOST + 2):
        steps.append((page(item), "more", page(item, "<p>Legend</p>")))
        steps.append((page(item, "<p>Legend</p>"), "other", page(item + 1)))
    assert watch(steps) == []


def test_other_events_between_do_not_count() -> None:
    def both(one: int, two: int) -> str:
        return rows(one) + "<ul>" + "<li>x</li>" * two + "</ul>"

    steps = [("", "load", both(0, 0))]
    for count in range(MOST):
        steps.append((both(count, count), "more", both(count + 1, count)))
        steps.append((both(count + 1, count), "other", both(count + 1, count + 1)))
    assert [(each.event, each.tags) for each in watch(steps)] == [
        ("click more", ("p",)),
        ("click other", ("li",)),
    ]
