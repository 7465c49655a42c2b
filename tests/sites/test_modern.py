"""The modern shop does what its true model says, as a browser sees it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Dialog, Locator, Page

from statecrawl.core.application import Application
from statecrawl.sites.models import build_model
from statecrawl.sites.models.modern import SEARCHES
from statecrawl.sites.server import serve
from tests.sites.test_server import get
from tests.sites.walk import Look, Walk, tab

WATCH = Path(__file__).with_name("watch_modern.js")
FILLED = {
    "text": "Ada",
    "email": "ada@example.org",
    "number": "3",
    "date": "2024-01-15",
    "password": "secret-1",
    "textarea": "A note",
}
LEADING = {
    "go:home": "",
    "go:moved": "catalogue",
    "go:refreshed": "guide",
    "search:deal": "deal",
    "fill order": "ordered*",
}
"""Events that lead to another document than their names say."""
BOUND_S = 240


class ModernWalk(Walk):
    """Does what the shop's controls ask for besides clicks, and looks into its frame and shadow."""

    async def visit(self, url: str, state: str) -> None:
        """Load a document, and check that it shows a state."""
        await self._page.goto(url)
        await self._settle()
        await self._recognise(state, f"at {url}")

    async def _reset(self) -> str:
        await self._page.goto(self._url)
        await self._settle()
        return self._model.initial

    async def _settle(self) -> int:
        return int(await self._page.evaluate("watch.settleAll()"))

    async def _click(self, event: str) -> int:
        document = LEADING.get(event, event.partition("go:")[2])
        if event in LEADING or document:
            async with self._page.expect_navigation(url=self._url + document):
                await self._do(event)
            return await self._settle()
        calls = int(await self._page.evaluate("watch.calls"))
        await self._do(event)
        return await self._settle() - calls

    async def _do(self, event: str) -> None:
        """Do what an event stands for, as a visitor would."""
        title, _, value = event.partition("=")
        control = self._page.locator(f'[title="{title}"]')
        if event.startswith("timeout "):
            await self._page.evaluate("name => watch.runLongTimer(name)", event)
        elif event.startswith("fill "):
            await fill(self._page.locator(f'form[title="{event.removeprefix("fill ")}"]'))
        elif event == "feed:scroll":
            await control.evaluate("list => { list.scrollTop = list.scrollHeight }")
            await self._page.evaluate("new Promise(requestAnimationFrame)")
        elif event == "parts:frame":
            await self._page.frame_locator("iframe").locator(f'[title="{title}"]').click()
        elif event == "home:terms":
            async with self._page.expect_popup() as opened:
                await control.click()
            popup = await opened.value
            assert popup.url == f"{self._url}terms"
            await popup.close()
        elif value:
            await control.fill(value)
        else:
            await control.click()

    async def _look(self) -> Look:
        look = await super()._look()
        events: list[str] = await self._page.evaluate("watch.longTimers()")
        for offer in await self._page.evaluate("watch.offers()"):
            title = offer["title"]
            if offer["localName"] == "form":
                events.append(f"fill {title}")
            elif offer["localName"] == "input":
                events += [f"{title}={word}" for word in SEARCHES if word != offer["value"]]
            else:
                events.append(title)
        strays = [
            html for html in look.strays if "Price list" not in html and "Partner" not in html
        ]
        return look._replace(events=events, strays=strays)


async def fill(form: Locator) -> None:
    """Fill every field with something that makes sense, and send the form."""
    for field in await form.locator("input, textarea, select, [contenteditable]").all():
        kind: str = await field.evaluate("({ type, localName }) => type ?? localName")
        if kind == "checkbox":
            await field.check()
        elif kind == "radio":
            if not await form.locator("input[type=radio]:checked").count():
                await field.check()
        elif kind == "select-one":
            await field.select_option(index=1)
        else:
            await field.fill(FILLED.get(kind, FILLED["text"]))
    await form.locator("button").click()


@asynccontextmanager
async def shop(spec: str) -> AsyncIterator[tuple[Page, str, Application]]:
    async with asyncio.timeout(BOUND_S), tab() as page, serve(spec) as url:
        await page.add_init_script(path=WATCH)

        async def accept(dialog: Dialog) -> None:
            await dialog.accept()

        page.on("dialog", accept)
        yield page, url, build_model(spec)


def test_every_control_and_every_entry() -> None:
    """Every event of every state but the menu, which is the same everywhere, and that once."""

    async def check() -> None:
        async with shop("modern") as (page, url, model):
            walk = ModernWalk(page, url, model)
            left = {
                state: [e for e in events if state == model.initial or not e.startswith("go:")]
                for state, events in model.states.items()
            }
            await walk.check_all(left)
            for state in model.entries:
                await walk.visit(url + state.removeprefix("shop/"), state)

    asyncio.run(check())


def test_the_feed_is_as_long_as_asked_for() -> None:
    for batches in (1, 5):
        states = build_model(f"modern:batches={batches}").states
        assert sum(state.startswith("shop/feed") for state in states) == batches


def test_only_a_popup_and_a_search_lead_to_some_documents() -> None:
    model = build_model("modern")
    leading = {
        target: {event for events in model.states.values() for event in events
                 if events[event] == target}
        for target in ("shop/terms", "shop/deal")
    }  # fmt: skip
    assert leading == {"shop/terms": set(), "shop/deal": {"search:deal"}}


def test_what_leads_nowhere_is_there_but_not_in_the_model() -> None:
    async def check() -> None:
        async with serve("modern") as url:
            home = (await get(url))[2].decode()
            assert "download>Price list" in home
            assert 'href="http://shop.invalid/"' in home
            _, headers, _ = await get(f"{url}price-list.csv")
            assert headers["content-disposition"] == "attachment"

    asyncio.run(check())


def test_only_a_sensible_order_is_taken() -> None:
    async def check() -> None:
        async with serve("modern") as url:
            assert (await get(f"{url}ordered?article=x&count=1&wrapping=box"))[0] == 200
            for query in ("", "?article=x&count=many&wrapping=box", "?article=x&count=1"):
                assert (await get(f"{url}ordered{query}"))[0] == 404
            assert (await get(f"{url}api/batch?number=4"))[0] == 404
            assert (await get(f"{url}api/product?name=no-such"))[0] == 404

    asyncio.run(check())
