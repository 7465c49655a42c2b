"""The hostile pages do in a real browser what they say they do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Dialog, Page

from statecrawl.sites.apps.hostile.pages import PAGES
from statecrawl.sites.server import serve
from tests.sites.test_hostile import Client
from tests.sites.walk import tab

BOUND_S = 120

# Every script of a document, in elements and in attributes, that is none.
BROKEN = """html => {
  const { getAttribute, getAttributeNames } = Element.prototype;
  const page = new DOMParser().parseFromString(html, "text/html");
  const codes = [...page.querySelectorAll("script:not([src], [type])")].map((e) => e.textContent);
  for (const element of page.querySelectorAll("*")) {
    const names = getAttributeNames.call(element).filter((name) => name.startsWith("on"));
    codes.push(...names.map((name) => getAttribute.call(element, name)));
  }
  return codes.filter((code) => { try { new Function(code) } catch { return true } });
}"""


@asynccontextmanager
async def hostile() -> AsyncIterator[tuple[Page, str, Client]]:
    async with asyncio.timeout(BOUND_S), serve("hostile") as url, tab() as page:

        async def accept(dialog: Dialog) -> None:
            await dialog.accept()

        page.on("dialog", accept)
        yield page, url, Client(url)


def test_scripts_are_scripts() -> None:
    async def check() -> None:
        async with hostile() as (page, _, client):
            for name in PAGES.keys() - {"huge-text", "long-attributes"}:
                broken = await page.evaluate(BROKEN, (await client.get(f"/{name}"))[2])
                assert broken == (["this is no script"] if name == "errors" else []), name

    asyncio.run(check())


# Pages, what is clicked there if anything, and what is then asked for outside.
WAYS_OUT = {
    "link-outside": ("Elsewhere", {"link"}),
    "script-outside": ("Later", {"later"}),
    "click-outside": ("Innocent", {"mousedown"}),
    "form-outside": ("Post", {"form-post"}),
    "refresh-outside": (None, {"refresh"}),
    "refresh-header-outside": (None, {"refresh-header"}),
    "redirect-outside": ("Over three others", {"redirect"}),
    "load-outside": (None, {"load"}),
    "prefetch": (None, {"prefetch", "preload", "modulepreload.js"}),
    "early-hints": (None, {"link-header", "preload-header.js"}),
    "speculation": (None, {"speculated-prefetch"}),
    "frame-outside": (None, {"frame"}),
    "image-outside": (None, {"image.png", "style.css", "script.js"}),
    "ping": ("Beacon elsewhere", {"beacon"}),
    "popup-outside": ("Open elsewhere", {"popup"}),
    "popup-outside-noopener": ("Open elsewhere, apart", {"popup-noopener"}),
    "popup-steals": ("Open a thief", {"opener"}),
    "blank-link-outside": ("Elsewhere in a new tab", {"blank-link"}),
}


def test_ways_out_lead_out_and_are_counted() -> None:
    async def check() -> None:
        async with hostile() as (page, url, client):
            browser = page.context.browser
            assert browser is not None
            expected: set[str] = set()
            for name, (label, asked) in WAYS_OUT.items():
                way = await browser.new_page()  # closes with all the windows that it opened
                await way.goto(f"{url}{name}", wait_until="commit")
                if label is not None:
                    await way.get_by_text(label, exact=True).click(no_wait_after=True)
                expected |= {f"/outside/{path}" for path in asked}
                while not expected <= set((await client.counts())["outside_paths"]):
                    await asyncio.sleep(0.01)
                await way.close()

    asyncio.run(check())


SAID = {
    ("alert", "Alert"): "after the alert",
    ("alert-loop", "Twenty alerts"): "over",
    ("confirm", "Ask"): "yes",
    ("print", "Print"): "printed",
    ("geolocation", "Where am I"): "refused",
    ("push-state", "Onward"): "step 1",
    ("hash-routes", "Next"): "route 1",
    ("back-trap", "Back"): "trapped",
    ("cookies", "Fill"): "QuotaExceededError",
    ("shadow", "In the open one"): "open",
    ("policy", "By a script of its own"): "by its own script",
    ("debugger", "Stop"): "went on",
    ("deleting", "Delete"): "done",
}


def test_controls_do_what_their_pages_say() -> None:
    async def check() -> None:
        async with hostile() as (page, url, client):
            for (name, label), said in SAID.items():
                await page.goto(f"{url}{name}")
                await page.locator("main").get_by_text(label, exact=True).click()
                await page.locator("#out").get_by_text(said, exact=True).wait_for()
            assert (await client.counts())["deleted"] == 1

    asyncio.run(check())
