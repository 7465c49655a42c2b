"""The page over a crawl as users get it: our own command, and a real browser."""

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

ARGUMENTS = (
    "--no-sandbox --enable-unsafe-swiftshader --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
PATIENCE_MS = 60_000
"""How long anything may take on a machine that has other things to do."""

expect.set_options(timeout=PATIENCE_MS)


@contextmanager
def viewed(folder: Path, *options: str, command: str = "view") -> Iterator[tuple[str, int]]:
    """The address of the page over a crawl, and the process that serves it."""
    words = [sys.executable, "-m", "statecrawl", command, str(folder), "--port", "0", *options]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if found := re.search(r" at (http://\S+)", line):
                    yield found[1], process.pid
                    break
            else:
                raise AssertionError("the page was not served")
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


@contextmanager
def a_browser() -> Iterator[Browser]:
    """A real Chromium."""
    path = shutil.which("chromium")
    assert path, "Chromium is needed to look at the page: install it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


class Watched:
    """A page, and everything that it did which it should not."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.wrong: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._hear)
        page.on("dialog", lambda dialog: self.wrong.append(dialog.message))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.wrong.append(message.text)

    def open(self, address: str) -> Page:
        """Go somewhere, from nothing."""
        self.page.goto("about:blank")
        self.page.goto(address)
        self.page.wait_for_selector("#view > *")
        return self.page


@contextmanager
def watched(browser: Browser, *, width: int = 1280, is_dark: bool = False) -> Iterator[Watched]:
    """A page of a fresh context; it has to have done nothing wrong."""
    with browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme="dark" if is_dark else "light"
    ) as context:
        seen = Watched(context.new_page())
        yield seen
    assert seen.wrong == [], seen.wrong
