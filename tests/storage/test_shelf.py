"""A shelf on disk: a file that nobody sees, and that a full disk does not take silently."""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.core.shelf import InMemory, Shelf
from statecrawl.errors import InputError
from statecrawl.storage.shelf import FileShelf


@given(st.lists(st.binary(max_size=20), max_size=10), st.data())
def test_what_is_on_a_shelf_is_what_was_put_there_last(
    tmp_path_factory: pytest.TempPathFactory, put: list[bytes], data: st.DataObject
) -> None:
    for shelf in (InMemory(), FileShelf(tmp_path_factory.getbasetemp())):
        places = [shelf.put(each) for each in put]
        expected = list(put)
        for number in data.draw(st.lists(st.integers(0, len(put) - 1))) if put else ():
            expected[number] = os.urandom(len(put[number]))
            shelf.replace(places[number], expected[number])
        found = [shelf.get(at, len(each)) for at, each in zip(places, put, strict=True)]
        assert found == expected


def test_the_file_has_no_name_and_goes_with_the_shelf(tmp_path: Path) -> None:
    before = _open_files()
    shelf: Shelf | None = FileShelf(tmp_path / "made later")
    (tmp_path / "made later").mkdir()
    assert shelf is not None
    shelf.put(b"x")
    assert _open_files() == before + 1
    assert not list((tmp_path / "made later").iterdir())
    shelf = None
    gc.collect()
    assert _open_files() == before


def test_a_full_disk_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = FileShelf(tmp_path)
    shelf.put(b"there is room")
    full = os.open("/dev/full", os.O_RDWR)
    monkeypatch.setattr(shelf, "_file", full)
    with pytest.raises(InputError, match="make room there"):
        shelf.put(b"there is none")
    os.close(full)
    with pytest.raises(InputError, match="can't use"):
        shelf.get(0, 1)


def test_a_disk_that_takes_a_part_gets_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, data, at: write(file, data[:2], at))
    shelf = FileShelf(tmp_path)
    shelf.put(b"in several parts")
    assert shelf.get(0, 16) == b"in several parts"


def test_there_is_no_file_as_long_as_there_is_little(tmp_path: Path) -> None:
    FileShelf(tmp_path / "nowhere")
    with pytest.raises(InputError, match="nowhere"):
        FileShelf(tmp_path / "nowhere").put(b"x")


def _open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
