"""Classes of states as they are found, and read again from the store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from statecrawl.compose.near import classes_of, features_of, stored_classes
from statecrawl.core.classes import classes
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Executed, Fact, Found
from statecrawl.core.masks import Mask, Masks
from statecrawl.core.ports import WEIGHTS
from statecrawl.core.snapshot import Event, Snapshot
from statecrawl.equivalences import DEFAULT_CLASSES, near_equivalence
from statecrawl.runtimes.classifier import Classifier
from statecrawl.storage import SqliteStore

PAGES = {
    "s1": "<p>one two three</p>",
    "s2": "<p>one two four</p>",
    "s3": "<h1>quite another page</h1>",
    "s4": "<h1>quite another page again</h1>",
}
MASKS = Masks((Mask("html/body[1]/p[1]", "text"), Mask("html/body[1]/h1[1]", "text")))


def facts(*states: str) -> list[Fact]:
    found: list[Fact] = []
    for state in states:
        page = Snapshot(f"<html><body>{PAGES[state]}</body></html>", (Event("go"),), "http://a/")
        found += [Found(state, page, 0, 1), Executed("", f"load http://a/{state}", state)]
    return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore.create(tmp_path / "crawl", {}) as made:
        yield made


def told(store: SqliteStore, classifier: Classifier, *states: str) -> None:
    store.append(facts(*states), Counts())
    classifier.hear(facts(*states))
    classifier.work(Masks())


def test_every_state_is_decided_about_and_a_crawl_that_goes_on_knows(store: SqliteStore) -> None:
    near = near_equivalence("broder:size=1,threshold=0.5")
    told(store, Classifier(store, near), "s1", "s2")
    told(store, Classifier(store, near), "s3", "s4")
    decided = store.decisions(near.name)
    assert [(each.state, each.representative) for each in decided] == [
        ("s1", "s1"),
        ("s2", "s1"),
        ("s3", "s3"),
        ("s4", "s3"),
    ]
    found = classes_of(store, near)
    assert list(found.decisions.values()) == decided
    assert len(classes_of(store, near.at(0)).members) == 4
    assert len(classes_of(store, near.at(1)).members) == 1


def test_what_a_killed_crawl_had_not_decided_about_is_decided_at_the_end(
    store: SqliteStore,
) -> None:
    near = near_equivalence("broder:size=1,threshold=0.5")
    told(store, Classifier(store, near), "s1", "s2")
    store.append(facts("s3"), Counts())
    again = Classifier(store, near)
    told(store, again, "s4")
    again.finish(Masks())
    again.finish(Masks())
    assert [each.state for each in store.decisions(near.name)] == ["s1", "s2", "s4", "s3"]


def test_other_masks_decide_anew(store: SqliteStore) -> None:
    near = near_equivalence("broder:size=1,threshold=0")
    classifier = Classifier(store, near)
    told(store, classifier, *PAGES)
    classifier.begin_anew(MASKS)
    assert {each.representative for each in store.decisions(near.name)[len(PAGES) :]} == {"s1"}


def test_what_was_not_stored_is_taken_from_the_pages(store: SqliteStore) -> None:
    store.append(facts(*PAGES), Counts())
    crawled = store.crawled()
    found = stored_classes(store, crawled)
    _, features = features_of(store, near_equivalence(DEFAULT_CLASSES).resemblance)
    assert found == classes(near_equivalence(DEFAULT_CLASSES), features)
    assert [len(states) for states in found.members.values()] == [2, 2]


def test_a_crawl_without_classes_has_none(store: SqliteStore) -> None:
    store.note({"classes": "none"})
    store.append(facts(*PAGES), Counts())
    assert stored_classes(store, store.crawled()).members == {}


def test_weights_are_learned_at_the_end_and_frozen(store: SqliteStore) -> None:
    near = near_equivalence("broder:size=1,threshold=0.5,weights=idf")
    name = near.resemblance.name
    classifier = Classifier(store, near)
    told(store, classifier, "s1", "s2", "s3")
    assert store.features(name) == {}
    classifier.finish(Masks())
    weights = store.features(name)[WEIGHTS].tolist()
    again = Classifier(store, near)
    told(store, again, "s4")
    again.finish(Masks())
    assert store.features(name)[WEIGHTS].tolist() == weights
    assert set(store.features(name)) == {WEIGHTS, *PAGES}
    assert classes_of(store, near).decisions["s4"] == store.decisions(near.name)[-1]
