"""The annotation page as users get it: our own command, and a real browser."""

import json
import os
from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from PIL import Image
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from statecrawl.calibration.journal import JOURNAL
from statecrawl.calibration.labels import Answer, Basis, Labels
from statecrawl.calibration.layout import LabelledFolder, write_folder
from statecrawl.cli import main
from statecrawl.compose.calibration import labelled_set
from statecrawl.core.html import read_html
from statecrawl.core.resemblance import Page
from statecrawl.errors import ExitCode
from tests.web.crawls import ATTACKS
from tests.web.viewing import a_browser, viewed, watched

AXE = "async () => (await axe.run()).violations.map(v => [v.id, v.nodes[0].html.slice(0, 200)])"


def picture(colour: str) -> bytes:
    out = BytesIO()
    Image.new("RGB", (320, 200), colour).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three lists, two forms, and a page that attacks whoever shows its text."""
    bodies = {
        **{f"list{n}": f"<ul class=goods>{'<li>thing ' * n}</ul>" for n in (1, 2, 3)},
        **{
            f"form{n}": f"<form class=order><input name=f{n}><p>Order {n}</p></form>"
            for n in (1, 2)
        },
    }
    pages = {
        name: Page(read_html(f"<html><body>{body}"), picture=picture("navy"))
        for name, body in bodies.items()
    }
    attack = read_html("<html><body><pre></pre>")
    next(next(attack.elements).elements).children.append(" ".join(ATTACKS))
    pages["attack"] = Page(attack)
    write_folder(tmp_path / "set", pages, Labels())
    return tmp_path / "set"


@pytest.fixture
def tab(folder: Path) -> Iterator[Tab]:
    with (
        viewed(folder, "--by", "ann", command="label") as (address, _),
        a_browser() as browser,
        watched(browser) as seen,
    ):
        yield seen.open(address)


def press(tab: Tab, key: str, told: int) -> None:
    """Press a key, and wait until so many answers are told."""
    tab.keyboard.press(key)
    expect(tab.locator(".progress")).to_contain_text(f"{told} told")


TWICE = """() => { for (const _ of "12") document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key: "3", bubbles: true })) }"""


def test_a_key_pressed_twice_answers_one_pair(tab: Tab, folder: Path) -> None:
    before = tab.locator(".pair").inner_text()
    tab.evaluate(TWICE)
    expect(tab.locator(".progress")).to_contain_text("1 told")
    assert tab.locator(".pair").inner_text() != before
    press(tab, "3", 2)
    assert len((folder / JOURNAL).read_text().splitlines()) == 2


def test_people_answer_few_pairs_and_can_take_answers_back(tab: Tab, folder: Path) -> None:
    expect(tab.locator(".progress")).to_contain_text("0 of 15 pairs")
    expect(tab.get_by_label("You are")).to_have_value("ann")
    shown = tab.locator(".sheet")
    answers = 0
    while tab.locator(".pair").count():
        states = [shown.nth(n).get_attribute("aria-label") or "" for n in (0, 1)]
        alike = states[0][:-1] == states[1][:-1]
        answers += 1
        press(tab, "2" if alike else "3", answers)
    expect(tab.locator(".notice")).to_contain_text("Every pair has an answer")
    assert answers < 15
    found = labelled_set(folder).labels
    assert found.label("list1", "list3") is not None
    assert found.label("list1", "form2") is not None
    press(tab, "u", answers - 1)
    expect(tab.locator(".pair")).to_be_visible()
    press(tab, "3", answers)
    said = [json.loads(line) for line in (folder / JOURNAL).read_text().splitlines()]
    assert {each["by"] for each in said} == {"ann"}
    assert sum("undo" in each for each in said) == 1
    names = {
        (label.answer, label.basis) for _, label in found.all(list(labelled_set(folder).pages))
    }
    assert (Answer.DISTINCT, Basis.LIKELY) in names


def post(address: str, body: object, **headers: str) -> tuple[int, str]:
    """Send an answer as anybody could."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = Request(f"{address}api/answer", data, headers, method="POST")  # noqa: S310 - loopback
    try:
        with urlopen(request, timeout=60) as answer:  # noqa: S310 - likewise
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_what_can_not_be_taken_is_said_and_not_kept(folder: Path) -> None:
    def said(one: str, other: str, answer: str) -> dict[str, str]:
        return {"one": one, "other": other, "answer": answer, "by": "bob"}

    with viewed(folder, command="label") as (address, _):
        assert post(address, said("list1", "list2", "clone"))[0] == 200
        assert post(address, said("list2", "list3", "clone"))[0] == 200
        status, text = post(address, said("list1", "list3", "distinct"))
        assert (status, "bob said that list1 and list3 are distinct" in text) == (409, True)
        assert post(address, said("list1", "nobody", "clone"))[0] == 409
        assert post(address, said("list1", "form1", "alike"))[0] == 409
        assert post(address, said("list1", "list1", "clone"))[0] == 409
        assert post(address, b"{")[0] == 400
        assert post(address, {"one": 1})[0] == 400
        assert post(address, b"x" * 20_000)[0] == 413
        assert (
            post(address, said("list1", "form1", "near-duplicate"), Origin="http://a.test")[0]
            == 403
        )
        assert post(address, said("list1", "form1", "near-duplicate"), Host="a.test")[0] == 421
    assert len(labelled_set(folder).labels.judgements) == 2


def test_the_page_is_accessible_and_runs_nothing_of_the_pages(folder: Path) -> None:
    axe = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
    with viewed(folder, command="label") as (address, _), a_browser() as browser:
        with browser.new_context(bypass_csp=True) as context:
            page = context.new_page()
            page.goto(address)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.wait_for_selector(".pair")
                page.evaluate(f"{axe};0")
                assert page.evaluate(AXE) == []
        with watched(browser) as seen:
            tab = seen.open(address)
            for told in range(1, 15):
                if "attack" in (tab.locator(".two").text_content() or ""):
                    break
                press(tab, "3", told)
            assert "onerror" in (tab.locator("pre.text").text_content() or "")
            assert tab.evaluate("window.pwned") is None
            assert all(url.startswith(address) for url in seen.asked)


def test_answers_go_out_and_come_back_in_the_published_layout(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(*arguments: object) -> str:
        monkeypatch.setattr("sys.argv", ["statecrawl", "label", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code in (None, ExitCode.DONE, ExitCode.INPUT)
        return capsys.readouterr().err

    pairs = [{"state1": "list1", "state2": "list2", "response": 1}]
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"pairs": pairs}))
    assert "1 answers" in run(folder, "--import", file, "--by", "eve")
    run(folder, "--export", tmp_path / "out")
    (judgement,) = LabelledFolder(tmp_path / "out").judgements
    assert (judgement.answer, judgement.by) == (Answer.NEAR, "eve")
    file.write_text(json.dumps({"pairs": [{**pairs[0], "state1": "nobody"}]}))
    assert "error:" in run(folder, "--import", file)
    assert "neither a crawl" in run(os.devnull)
