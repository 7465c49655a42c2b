"""What is said about events is what they did."""

from collections import defaultdict
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.learned import (
    EventEffects,
    GroupEffect,
    Kind,
    RegionEffect,
    by_group,
    learned_effects,
)

Outcomes = dict[tuple[str | None, ...], str | None]

PAGES = [
    {"tab": tab, "lamp": lamp, "count": count}
    for tab, lamp, count in product(("news", "about"), ("off", "on"), "012")
]
GROUPS = {"news": "tabs", "about": "tabs"}


def name(page: dict[str, str]) -> str:
    return " ".join(page.values())


REGIONS = {name(page): page for page in PAGES}


def after(event: str, page: dict[str, str]) -> dict[str, str]:
    """An application whose every event is known: tabs, a switch, a counter, and a dial."""
    lamp, count = page["lamp"], page["count"]
    changed = {
        "news": {"tab": "news"},
        "about": {"tab": "about"},
        "switch": {"lamp": "on" if lamp == "off" else "off"},
        "next": {"count": str((int(count) + 1) % 3)},
        "dial": {"count": "2" if lamp == "on" else "0"},
        "mute": {},
    }
    return {**page, **changed[event]}


def learned() -> dict[str, EventEffects]:
    executions = [
        (name(page), event, name(after(event, page)))
        for page in PAGES
        for event in ("news", "about", "switch", "next", "dial", "mute")
    ]
    executions += [(name(page), "roll", name({**page, "count": c})) for page in PAGES for c in "02"]
    return {each.event: each for each in learned_effects(REGIONS, GROUPS, executions)}


def test_events_keep_set_and_map_regions_or_nobody_can_tell() -> None:
    found = learned()
    assert {event: effects.times for event, effects in found.items()} == {
        **dict.fromkeys(("news", "about", "switch", "next", "dial", "mute"), 12),
        "roll": 24,
    }
    changed = {
        event: {
            region: effect for region, effect in each.regions.items() if effect.kind != Kind.KEEPS
        }
        for event, each in found.items()
    }
    to_news: Outcomes = {("news",): "news", ("about",): "news"}
    assert changed["news"] == {"tab": RegionEffect(Kind.SETS, ("tab",), to_news)}
    turned: Outcomes = {("off",): "on", ("on",): "off"}
    assert changed["switch"] == {"lamp": RegionEffect(Kind.MAPS, ("lamp",), turned)}
    counted: Outcomes = {("0",): "1", ("1",): "2", ("2",): "0"}
    assert changed["next"] == {"count": RegionEffect(Kind.MAPS, ("count",), counted)}
    dialled: Outcomes = {
        (count, lamp): "2" if lamp == "on" else "0" for lamp in ("off", "on") for count in "012"
    }
    assert changed["dial"] == {"count": RegionEffect(Kind.MAPS, ("count", "lamp"), dialled)}
    assert changed["mute"] == {}
    assert changed["roll"] == {"count": RegionEffect(Kind.UNCLEAR)}


def test_effects_are_told_by_kind_and_summed_up_by_group() -> None:
    found = learned()
    assert found["about"].to_json() == {
        "event": "about",
        "group": "tabs",
        "times": 12,
        "keeps": ["lamp", "count"],
        "sets": {"tab": "about"},
        "maps": {},
        "unclear": [],
    }
    assert found["switch"].to_json()["maps"]["lamp"]["by"] == ("lamp",)
    assert found["roll"].to_json()["unclear"] == ["count"]
    assert by_group(found.values()) == [
        GroupEffect("tabs", 2, 24, "tab", {Kind.SETS: 2}, 2),
        GroupEffect("switch", 1, 12, "lamp", {Kind.MAPS: 1}, 2),
        GroupEffect("next", 1, 12, "count", {Kind.MAPS: 1}, 3),
        GroupEffect("dial", 1, 12, "count", {Kind.MAPS: 1}, 2),
        GroupEffect("roll", 1, 24, "count", {Kind.UNCLEAR: 1}, 0),
    ]


def test_a_region_that_is_not_on_the_page_shows_nothing() -> None:
    regions = {"closed": {"list": "a"}, "open": {"list": "a", "dialog": "b"}}
    executions = [("closed", "open", "open"), ("open", "close", "closed")]
    opened, closed = learned_effects(regions, {}, executions)
    assert opened.to_json()["sets"] == {"dialog": "b"}
    assert closed.to_json()["sets"] == {"dialog": None}


states = st.sampled_from(sorted(REGIONS))


@given(executions=st.lists(st.tuples(states, st.sampled_from("abc"), states), max_size=40))
def test_what_is_said_was_never_seen_otherwise(executions: list[tuple[str, str, str]]) -> None:
    pairs: defaultdict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for source, event, target in executions:
        for region, old in REGIONS[source].items():
            pairs[event, region].add((old, REGIONS[target][region]))
    for effects in learned_effects(REGIONS, GROUPS, executions):
        for region, effect in effects.regions.items():
            seen = pairs[effects.event, region]
            if effect.kind is Kind.KEEPS:
                assert all(old == new for old, new in seen)
            elif effect.kind is Kind.SETS:
                assert {new for _, new in seen} == set(effect.after.values())
            elif effect.by == (region,):
                assert {(old, new) for (old,), new in effect.after.items()} == seen
            elif effect.kind is Kind.UNCLEAR:
                assert len({old for old, _ in seen}) < len(seen)
