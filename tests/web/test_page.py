"""Every view of the page, in a real browser, from a server and from disk."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from statecrawl.cli.page import write_report
from statecrawl.compose.near import merges_of
from statecrawl.storage import SqliteStore
from tests.web.crawls import TYPING, attacking, generate, identity
from tests.web.viewing import PATIENCE_MS, a_browser, viewed, watched

STATES = 2_000
SEEN = identity(9)
VIEWS = {
    "graph": ("graph", "canvas"),
    "selected": (f"graph?state={SEEN}", "aside h2"),
    "unexplored": ("graph?only=unexplored", ".shown"),
    "threshold": ("graph?near=0.5", ".shown"),
    "merged": ("states?near=0.5", ".bar button"),
    "states": ("states", ".gallery .tile"),
    "list": ("states?as=list&order=in", ".rows .row"),
    "state": (f"state/{SEEN}", ".events li"),
    "incoming": (f"state/{SEEN}/incoming", ".events li"),
    "text": (f"state/{SEEN}/text", "pre.text"),
    "dom": (f"state/{SEEN}/dom", ".code .line"),
    "difference": (f"state/{SEEN}/difference", ".difference .come"),
    "alike": (f"state/{SEEN}/alike", ".gallery, p.muted"),
    "transition": (f"transition/{SEEN}/0", "table code"),
    "search": ("search?q=item%20st", ".found li, .notice"),
    "findings": ("findings", ".rows .row"),
    "finding": ("findings/0", "pre.text"),
    "calls": ("calls", "svg.calls .hot"),
    "figures": ("figures", ".curve .line"),
    "compare": ("compare", ".figures"),
    "nothing": ("state/none", ".notice"),
}
AXE = "async () => (await axe.run()).violations.map(v => [v.id, v.nodes[0].html.slice(0, 200)])"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with a_browser() as started:
        yield started


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("crawls")
    older = generate(folder / "older", STATES - 10, version=2, pictures=0)
    return generate(folder / "crawl", STATES), older


@pytest.fixture(scope="module")
def served(crawls: tuple[Path, Path]) -> Iterator[str]:
    with viewed(crawls[0], "--before", str(crawls[1])) as (address, _):
        yield address


@pytest.fixture(scope="module")
def report(crawls: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report(crawls[0], tmp_path_factory.mktemp("report") / "r", crawls[1]).as_uri()


@pytest.mark.long
def test_every_view_of_a_large_crawl_is_there_and_accessible(
    chromium: Browser, served: str
) -> None:
    axe = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
    with chromium.new_context(bypass_csp=True, viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(served)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for name, (address, sign) in VIEWS.items():
                page.goto(f"{served}#/{address}")
                page.wait_for_selector(sign)
                if not page.evaluate("typeof axe === 'object'"):
                    page.evaluate(f"{axe};0")
                assert page.evaluate(AXE) == [], (name, scheme)


def test_every_view_fits_on_a_small_screen(chromium: Browser, served: str) -> None:
    with watched(chromium, width=360, is_dark=True) as seen:
        for name, (address, sign) in VIEWS.items():
            page = seen.open(f"{served}#/{address}")
            page.wait_for_selector(sign)
            wide = "document.getElementById('view').scrollWidth, document.body.scrollWidth"
            assert page.evaluate(f"Math.max({wide})") <= 360, name
        assert {url for url in seen.asked if not url.startswith((served, "about:"))} == set()


def test_the_report_opens_from_disk(chromium: Browser, report: str) -> None:
    folder = report.removesuffix("index.html")
    with watched(chromium) as seen:
        for address, sign in VIEWS.values():
            seen.open(f"{report}#/{address}").wait_for_selector(sign)
        marked = seen.open(f"{report}#/transition/{identity(1)}/2")
        marked.wait_for_selector(".mark")
        strange = [url for url in seen.asked if not url.startswith((folder, "data:", "about:"))]
        assert strange == []


def test_one_finds_a_way_through_a_crawl_by_keyboard(chromium: Browser, served: str) -> None:
    with watched(chromium) as seen:
        page = seen.open(served)
        page.wait_for_selector("canvas")
        page.keyboard.press("s")
        expect(page.get_by_role("heading", name="2,000 states")).to_be_visible()
        page.keyboard.press("/")
        page.keyboard.type("shop: 1998")
        expect(page.get_by_role("heading", name="1 state")).to_be_visible()
        page.locator(".tile").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Shop: 1998")
        page.keyboard.press("k")
        expect(page.locator("h1 code")).to_have_text(identity(1997))
        page.get_by_role("link", name="In the graph").click()
        expect(page.get_by_label("The state that is selected")).to_contain_text("Do open 1997")
        page.get_by_label("Show").select_option("unexplored")
        expect(page.locator(".shown")).to_have_text("40 states of 2,000")
        assert re.search(r"only=unexplored", page.url)


LOSE = """canvases => {
  const contexts = canvases.map((canvas) => canvas.getContext("webgl2")).filter((gl) => gl);
  contexts.forEach((gl) => gl.getExtension("WEBGL_lose_context").loseContext());
  return contexts.length;
}"""


def test_a_graph_that_the_browser_takes_away_is_drawn_anew(chromium: Browser, served: str) -> None:
    with watched(chromium) as seen:
        page = seen.open(f"{served}#/graph?state={SEEN}")
        for _ in range(4):
            lost = page.wait_for_selector("canvas")
            assert lost is not None
            assert page.locator("canvas").evaluate_all(LOSE) > 0
            page.wait_for_function("canvas => !canvas.isConnected", arg=lost)
            expect(page.locator("canvas").first).to_be_visible()
            expect(page.get_by_label("The state that is selected")).to_be_visible()
        page.locator("canvas").evaluate_all(LOSE)
        expect(page.locator(".notice")).to_contain_text("WebGL")


def test_what_is_typed_is_told(chromium: Browser, served: str) -> None:
    with watched(chromium) as seen:
        told = seen.open(f"{served}#/state/{identity(TYPING)}").locator(".events")
        expect(told).to_contain_text("Type “red” into “Search”")
        expect(told).to_contain_text("Fill in “Order” (Name: “Ann”, OK) and send it")


def test_the_slider_shows_what_is_left_at_every_threshold(
    chromium: Browser, crawls: tuple[Path, Path], served: str, report: str
) -> None:
    with SqliteStore.open(crawls[0], read_only=True) as store:
        table = merges_of(store)
    with watched(chromium) as seen:
        for address in (served, report):
            page = seen.open(f"{address}#/graph")
            page.get_by_text("Near-duplicates").click()
            slider = page.get_by_role("slider")
            for threshold in (0.0, 0.01, 0.3, 1.0):
                slider.fill(str(threshold))
                step = [step for step in table.steps if step.threshold <= threshold][-1]
                left = f"{step.states:,} {'state' if step.states == 1 else 'states'} of 2,000"
                expect(page.locator(".threshold [role=status]")).to_contain_text(left)
                if step.states < STATES:
                    expect(page.locator(".shown")).to_have_text(left)
            page.get_by_role("button", name="All states").click()
            expect(page.locator(".shown")).to_have_count(0)
            slider.press("ArrowRight")
            expect(page).to_have_url(re.compile(r"near=0.01"))


@pytest.mark.long
def test_what_an_application_says_is_only_ever_text(chromium: Browser, tmp_path: Path) -> None:
    folder = generate(tmp_path / "crawl", 30, said=attacking, pictures=3)
    older = generate(tmp_path / "older", 28, said=attacking, version=2, pictures=3)
    report = write_report(folder, tmp_path / "report", older).as_uri()
    with viewed(folder, "--before", str(older)) as (served, _), watched(chromium) as seen:
        for page_at in (served, report):
            for address, _ in VIEWS.values():
                page = seen.open(f"{page_at}#/{address}")
                page.wait_for_load_state("networkidle")
                assert page.evaluate("window.pwned") is None
                assert page.evaluate("document.querySelectorAll('iframe, base, style').length") == 0
            page.wait_for_selector(".notice")
        ours = (served, f"{(tmp_path / 'report').as_uri()}/", "data:", "about:")
        assert [url for url in seen.asked if not url.startswith(ours)] == []
