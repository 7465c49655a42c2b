"""How quick the page is over a large crawl: the first picture, panning, the threshold slider.

python -m benchmarks.page                                  # 5,000 states, 100,000 transitions
python -m benchmarks.page --states 1000 --links 6

The crawl is generated; the browser is a real Chromium, without a graphics card unless there is one.
The first picture is measured from asking for the page to the first drawn frame of the graph, with
`statecrawl view` running already; reading is what `view` does before it answers. Beside seconds
stands how long the browser's processes were on processors, which other programs hardly change.
"""

import argparse
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import psutil
from playwright.sync_api import Browser, Page

from tests.web.crawls import generate
from tests.web.viewing import PATIENCE_MS, a_browser, viewed

FRAMES = 90

_DRAWN = "() => document.querySelector('.stage canvas') && window.performance.now()"
_FRAMES = """
async (most) => {
  const stage = document.querySelector(".sigma-mouse");
  const {left, top, width, height} = stage.getBoundingClientRect();
  const at = (x, y) => ({clientX: left + x, clientY: top + y, bubbles: true, buttons: 1});
  const middle = [width / 2, height / 2];
  stage.dispatchEvent(new MouseEvent("mousedown", at(...middle)));
  const began = performance.now();
  let longest = 0, last = began;
  for (let frame = 0; frame < most; frame++) {
    const turn = frame / 15;
    const move = at(middle[0] + 150 * Math.sin(turn), middle[1] + 150 * Math.cos(turn));
    document.dispatchEvent(new MouseEvent("mousemove", move));
    await new Promise(requestAnimationFrame);
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  document.dispatchEvent(new MouseEvent("mouseup", at(...middle)));
  return [last - began, longest];
}
"""


_MOVED = """
async (thresholds) => {
  const slider = document.querySelector(".threshold input");
  const began = performance.now();
  for (const threshold of thresholds) {
    slider.value = threshold;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  }
  return (performance.now() - began) / thresholds.length;
}
"""


def measure(browser: Browser, address: str) -> None:
    """Print how long the first picture takes, and how many frames a second there are."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.set_default_timeout(2 * PATIENCE_MS)
        began, before = perf_counter(), processor_seconds()
        page.goto(address)
        page.wait_for_function(_DRAWN)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        busy = processor_seconds() - before
        print(f"first picture after {perf_counter() - began:.2f} s ({busy:.2f} s of processors)")
        page.evaluate(_FRAMES, 2)  # whatever the first picture left to do is done by now
        before = processor_seconds()
        took, longest = page.evaluate(_FRAMES, FRAMES)
        busy = 1000 * (processor_seconds() - before) / FRAMES
        print(
            f"panning: {1000 * FRAMES / took:.0f} frames/s, the longest took {longest:.0f} ms "
            f"(a frame takes {busy:.0f} ms of processors)"
        )
        slide(page)


def slide(page: Page) -> None:
    """Print how long the table of thresholds takes, and how long a move of the slider."""
    began = perf_counter()
    page.get_by_text("Near-duplicates").click()
    page.get_by_role("slider").wait_for()
    print(f"thresholds compared after {perf_counter() - began:.2f} s")
    before = processor_seconds()
    thresholds = [0, 0.02, 0.05, 0.1, 0.2, 0.5]
    took = page.evaluate(_MOVED, thresholds)
    busy = 1000 * (processor_seconds() - before) / len(thresholds)
    print(f"a move of the slider with two frames: {took:.0f} ms ({busy:.0f} ms of processors)")


def processor_seconds() -> float:
    """Return how long the browser's processes have been on processors so far."""
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "chrom" in process.name():
                times = process.cpu_times()
                total += times.user + times.system
    return total


def main() -> None:
    """Generate a crawl, serve it and look at it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--states", type=int, default=5_000)
    parser.add_argument("--links", type=int, default=6, help="of each state, across the tree")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        crawl = generate(Path(folder) / "crawl", given.states, links=given.links)
        began = perf_counter()
        with viewed(crawl) as (address, _), a_browser() as browser:
            print(f"{given.states:,} states read after {perf_counter() - began:.2f} s")
            measure(browser, address)


if __name__ == "__main__":
    main()
