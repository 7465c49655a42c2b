"""Events that do another thing on each page, told apart by the region that they hang on."""

from itertools import pairwise

from statecrawl.core.cases import told_apart
from statecrawl.core.effects import Outlook
from tests.core.test_effects import Toy

FOLDER, VIEW, SELECTION, CONTENT = range(4)


def change(folder: int, view: int, selected: int, file: int) -> tuple[dict[int, int], ...]:
    """Return what a page shows before and after a file is selected in a folder."""

    def shown(selection: int) -> dict[int, int]:
        content = 1000 * folder + selection
        return {FOLDER: folder, VIEW: view, SELECTION: selection, CONTENT: content}

    return shown(selected), shown(1000 * folder + file)


def test_the_region_that_an_event_hangs_on_is_found() -> None:
    changes = [change(1, 91, 0, 5), change(1, 90, 1007, 5), change(2, 90, 0, 5)]
    cases = told_apart([(before, after) for before, after in changes], {SELECTION})
    assert cases is not None
    assert cases.region == FOLDER
    assert cases.tangled == {SELECTION, CONTENT}


def test_what_does_the_same_everywhere_has_no_cases() -> None:
    shown = [{FOLDER: folder, SELECTION: folder + 10} for folder in range(4)]
    assert told_apart([(each, {**each, SELECTION: 0}) for each in shown], {SELECTION}) is None


def test_a_map_that_never_repeats_is_no_reason_for_cases() -> None:
    """Each page leads to the next: nothing shows yet that anything but the page decides."""
    pages = [{FOLDER: n, SELECTION: n + 10} for n in range(5)]
    steps = list(pairwise(pages))
    assert told_apart(steps, {SELECTION}) is None


def test_one_name_in_many_folders_is_predicted_in_each() -> None:
    """A file's name selects another file in each folder; seen once there, it is known there."""
    toy = Toy({"readme": "items"})

    def page(folder: str, view: str, selected: str = "") -> int:
        path = f"{folder}/{selected}" if selected else ""
        return toy.state(folder=folder, view=view, selection=path, content=f"{folder}:{selected}")

    for folder, view in (("a", "icons"), ("a", "list"), ("b", "icons"), ("c", "list")):
        toy.fire("readme", page(folder, view), page(folder, view, "readme"))
    toy.fire("readme", page("b", "icons", "notes"), page("b", "icons", "readme"))
    toy.fire("readme", page("c", "list", "notes"), page("c", "list", "readme"))
    assert toy.target("readme", page("a", "icons", "notes")) == page("a", "icons", "readme")
    assert toy.outlook("readme", page("c", "icons")) is Outlook.NEW
    assert toy.outlook("readme", page("d", "icons")) is Outlook.FRESH
