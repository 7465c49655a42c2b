"""The index of a crawl on disk: brought up to date, never lost, not believed when broken."""

import json
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.errors import InputError
from statecrawl.search.documents import Content
from statecrawl.search.index import INDEX, Index, Updated, update_index
from statecrawl.search.schema import VERSION
from statecrawl.search.searching import search
from tests.search.library import Document, in_memory, made

LIBRARY = [made(f"s{n}", f"word number{n}", "everywhere " * (n % 3 + 1)) for n in range(12)]


def update(folder: Path, library: Iterable[Document], stamp: object = 0) -> Updated:
    contents = {outline.state: content for outline, content in library}
    outlines = [outline for outline, _ in library]

    def read(states: Container[str]) -> Iterator[tuple[str, Content]]:
        return ((state, content) for state, content in contents.items() if state in states)

    return update_index(folder, stamp, outlines, read, lambda _done, _of: None)


def opened(folder: Path) -> Index:
    index = Index.open(folder)
    assert index is not None
    return index


def answers(index: Index) -> list[tuple[str, float]]:
    queries = ("word", "everywhere OR number3", "number5 word")
    found = [result for query in queries for result in search([index], query, 20).best]
    return [(result.state, result.score) for result in found]


def test_only_what_changed_is_indexed_again(tmp_path: Path) -> None:
    assert update(tmp_path, LIBRARY[:8]) == Updated(8, 0, 0, 0)
    assert update(tmp_path, LIBRARY[:8], 1) == Updated(0, 0, 0, 8)
    assert opened(tmp_path).stamp == 1
    moved = [(replace(outline, prior=1.4), content) for outline, content in LIBRARY[:2]]
    after = [*moved, *LIBRARY[3:]]
    assert update(tmp_path, after) == Updated(4, 2, 1, 5)
    assert opened(tmp_path).states == 11
    assert search([opened(tmp_path)], "number2", 10).total == 0
    assert answers(opened(tmp_path)) == answers(in_memory(after))


def test_an_index_that_was_being_written_is_as_it_was_before(tmp_path: Path) -> None:
    update(tmp_path, LIBRARY[:5])
    before = answers(opened(tmp_path))

    def fail(states: Container[str]) -> Iterator[tuple[str, Content]]:
        raise RuntimeError(states)

    with pytest.raises(RuntimeError):
        update_index(tmp_path, 1, [LIBRARY[9][0]], fail, lambda _done, _of: None)
    assert answers(opened(tmp_path)) == before
    assert opened(tmp_path).stamp == 0
    assert update(tmp_path, LIBRARY) == Updated(7, 0, 0, 5)


def test_a_new_index_that_was_never_finished_is_no_index(tmp_path: Path) -> None:
    def fail(states: Container[str]) -> Iterator[tuple[str, Content]]:
        raise RuntimeError(states)

    with pytest.raises(RuntimeError):
        update_index(tmp_path, 1, [LIBRARY[9][0]], fail, lambda _done, _of: None)
    assert Index.open(tmp_path) is None
    assert update(tmp_path, LIBRARY).added == 12


@pytest.mark.parametrize("damage", ["no about", "torn about", "older", "torn meta", "no segments"])
def test_an_index_that_can_not_be_used_is_made_anew(tmp_path: Path, damage: str) -> None:
    update(tmp_path, LIBRARY)
    folder = tmp_path / INDEX
    if damage == "no about":
        (folder / "about.json").unlink()
    elif damage == "torn about":
        (folder / "about.json").write_text('{"version"')
    elif damage == "older":
        (folder / "about.json").write_text(json.dumps({"version": VERSION - 1, "stamp": 0}))
    elif damage == "torn meta":
        (folder / "meta.json").write_bytes((folder / "meta.json").read_bytes()[:40])
    else:
        for file in folder.glob("*.idx"):
            file.unlink()
    assert Index.open(tmp_path) is None
    assert update(tmp_path, LIBRARY).added == 12
    assert answers(opened(tmp_path)) == answers(in_memory(LIBRARY))
    assert sorted(file.name for file in tmp_path.iterdir()) == [".index.lock", INDEX]


def test_an_index_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    update(tmp_path, LIBRARY)
    about = tmp_path / INDEX / "about.json"
    about.write_text(json.dumps({"version": VERSION + 1, "stamp": 0}))
    for use in (Index.open, lambda folder: update(folder, LIBRARY)):
        with pytest.raises(InputError, match="newer statecrawl"):
            use(tmp_path)
    assert about.exists()


def test_torn_segments_give_one_line_or_a_new_index(tmp_path: Path) -> None:
    update(tmp_path, LIBRARY)
    for file in (tmp_path / INDEX).iterdir():
        if file.suffix in (".idx", ".term", ".pos", ".store", ".fast"):
            data = file.read_bytes()
            file.write_bytes(data[: len(data) // 2])
    index = Index.open(tmp_path)
    if index is not None:
        with pytest.raises(InputError, match="can't be read"):
            search([index], "word", 10)


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    def meanwhile(_states: Container[str]) -> Iterator[tuple[str, Content]]:
        with pytest.raises(InputError, match="another process is indexing"):
            update(tmp_path, LIBRARY)
        return iter(())

    outlines = [LIBRARY[0][0]]
    update_index(tmp_path, 0, outlines, meanwhile, lambda _done, _of: None)


def test_a_folder_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't write an index"):
        update(tmp_path / "nowhere", LIBRARY)
