"""A browser context of its own with one page in it: made, cleaned for each load, drawn, closed."""

import asyncio
from base64 import b64decode

from statecrawl.browser.agent import BINDING, AgentSettings
from statecrawl.browser.keepsake import Keepsake
from statecrawl.browser.launch import Launched
from statecrawl.browser.protocol import COMMAND_SECONDS, Handler, Params

_BROOM = "try { sessionStorage.clear(); window.name = ''; } catch {}"
"""What the protocol can't clear, cleared by the new document before any script of its own."""


class Context:
    """What a page has to itself: cookies, storage, a window, the agent put into its documents."""

    def __init__(self, browser: Launched, user_agent: str) -> None:
        self.frame = ""
        self.name = ""
        self.settings = AgentSettings()
        self._browser = browser
        self._user_agent = user_agent
        self._session = ""
        self._attached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._window = 0
        self._script = ""
        self._for_one_load: list[str] = []
        self._has_history = False

    @property
    def is_open(self) -> bool:
        """Tell whether there is a page."""
        return bool(self._session)

    def post(self, method: str, params: Params | None = None) -> asyncio.Future[Params]:
        """Send a command to the page, and return where its result will be."""
        return self._browser.connection.post(method, params, self._session)

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Send a command to the page and return its result."""
        return await self._browser.connection.send(method, params, self._session)

    async def make(self) -> str:
        """Make the context, and return its name."""
        made = await self._browser.connection.send(
            "Target.createBrowserContext", {"disposeOnDetach": True}
        )
        self.name = made["browserContextId"]
        return self.name

    def attached(self, target: str, session: str) -> None:
        """Hear that the page is there."""
        self.frame, self._session = target, session
        if not self._attached.done():
            self._attached.set_result(None)

    async def open(self, settings: AgentSettings, handler: Handler) -> None:
        """Put a blank page into the context, and the agent into it; its events go to a handler."""
        connection = self._browser.connection
        blank: Params = {"url": "about:blank", "browserContextId": self.name}
        if self._browser.hides_windows:
            blank["windowState"] = "minimized"
        created = connection.post("Target.createTarget", blank)
        async with asyncio.timeout(COMMAND_SECONDS):
            await self._attached
            connection.subscribe(self._session, handler)
            self.post("Runtime.runIfWaitingForDebugger")
            await created
        # All of it answered before a document is asked for: it must be there by then.
        self.settings = settings
        script = self.post("Page.addScriptToEvaluateOnNewDocument", {"source": settings.script()})
        await asyncio.gather(
            self.send("Page.enable"),
            self.send("Runtime.enable"),  # or the binding is not there in new documents
            self.send("Runtime.addBinding", {"name": BINDING}),
            self.send("Inspector.enable"),
            self.send("Page.setInterceptFileChooserDialog", {"enabled": True}),
            self.send("Emulation.setUserAgentOverride", {"userAgent": self._user_agent}),
            self._find_window(),
            connection.send(
                "Browser.setDownloadBehavior",
                {"behavior": "deny", "browserContextId": self.name, "eventsEnabled": True},
            ),
        )
        self._script = (await script)["identifier"]

    async def clean(self, origin: str, settings: AgentSettings) -> None:
        """Remove every trace of a visit to an origin."""
        await asyncio.gather(
            self._once(_BROOM),
            self._browser.connection.send("Storage.clearCookies", {"browserContextId": self.name}),
            self.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}),
            self.send("Network.clearBrowserCache"),
        )
        self._has_history = True
        if settings is not self.settings:
            await self.install(settings)

    async def install(self, settings: AgentSettings) -> None:
        """Put an agent with other settings into documents to come."""
        self.settings = settings
        self.post("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self._script})
        script = await self.send(
            "Page.addScriptToEvaluateOnNewDocument", {"source": settings.script()}
        )
        self._script = script["identifier"]

    async def cookies(self) -> list[Params]:
        """Return all cookies."""
        told = await self._browser.connection.send(
            "Storage.getCookies", {"browserContextId": self.name}
        )
        return list(told["cookies"])

    async def put_back(self, kept: Keepsake) -> None:
        """Take a session over that was kept; the next document does its part of that."""
        cookies = {"browserContextId": self.name, "cookies": kept.cookies_to_set()}
        await asyncio.gather(
            self._once(kept.script()),
            self._browser.connection.send("Storage.setCookies", cookies),
        )

    async def _once(self, source: str) -> None:
        """Run a script in the documents of the next load."""
        script = await self.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        self._for_one_load.append(script["identifier"])

    def loaded(self) -> None:
        """Hear that a load is over: what was for it alone goes, and the history before it."""
        scripts, self._for_one_load = self._for_one_load, []
        for script in scripts:
            self.post("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        if self._has_history:
            self.post("Page.resetNavigationHistory")
            self._has_history = False

    async def _find_window(self) -> None:
        """Show the page, or find out how to do so when something needs to be drawn."""
        if self._browser.hides_windows:
            found = await self._browser.connection.send(
                "Browser.getWindowForTarget", {"targetId": self.frame}
            )
            self._window = found["windowId"]
        else:
            await self.send("Emulation.setFocusEmulationEnabled", {"enabled": True})

    def show(self) -> None:
        """Have the page drawn."""
        self._browser.connection.post("Browser.setWindowBounds", self._as("normal"))

    async def hide(self) -> None:
        """Have the page drawn no more; it keeps the focus, or its elements would hear of none."""
        await self._browser.connection.send("Browser.setWindowBounds", self._as("minimized"))
        await self.send("Page.bringToFront")

    def _as(self, window_state: str) -> Params:
        return {"windowId": self._window, "bounds": {"windowState": window_state}}

    async def picture(self) -> bytes:
        """Return a picture of the page as JPEG: half the time of WebP here."""
        params = {"format": "jpeg", "quality": 60, "optimizeForSpeed": True}
        result = await self.send("Page.captureScreenshot", params)
        return b64decode(result["data"])

    def close(self) -> None:
        """Throw the context away, with its cookies and everything."""
        connection = self._browser.connection
        if self.is_open:  # or it would be the browser's own events that nobody hears any more
            connection.unsubscribe(self._session)
        if self.name and not connection.is_lost:
            connection.post("Target.disposeBrowserContext", {"browserContextId": self.name})
