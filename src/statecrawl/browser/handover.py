"""A page that a person takes over: what it shows, and what the person does to it."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from statecrawl.browser.page import Page
from statecrawl.browser.sight import evaluate_apart
from statecrawl.core.sight import ScriptError
from statecrawl.errors import BrowserError

MAX_KEY = 40
_MOUSE = {"down": "mousePressed", "up": "mouseReleased", "move": "mouseMoved"}
_BUTTONS = {0: "left", 1: "middle", 2: "right"}


class Handover:
    """Shows a page in pictures and forwards clicks and keys; it ends with the page."""

    def __init__(self, page: Page | None, reached: bool, is_visible: bool) -> None:
        self.page = page
        self.reached = reached
        self.is_visible = is_visible

    @property
    def is_open(self) -> bool:
        """Tell whether the page is still there: a person may have closed its window."""
        return self.page is not None and self.page.is_alive

    async def begin(self) -> None:
        """Let time go by in the page as it does for people, and let it go where it leads."""
        if self.page is not None:
            await self.page.hand_over()

    async def mark(self, words: Sequence[str]) -> None:
        """Show where words stand in the page, which is not changed by that."""
        script = f"({_marking()})({json.dumps(list(words))})"
        try:
            await evaluate_apart(self._live(), script)
        except ScriptError:
            return  # the page is there all the same

    async def frame(self) -> bytes:
        """Return a picture of the page as it is now; BrowserError when it is gone."""
        return await self._live().screenshot()

    async def do(self, deed: Mapping[str, Any]) -> None:
        """Do what a person did; what can't be understood is left out."""
        page = self._live()
        kind = deed.get("kind")
        if kind in _MOUSE:
            await page.send("Input.dispatchMouseEvent", _mouse(deed))
        elif kind == "wheel":
            at = {"type": "mouseWheel", **_at(deed)}
            by = {"deltaX": _number(deed, "dx"), "deltaY": _number(deed, "dy")}
            await page.send("Input.dispatchMouseEvent", {**at, **by})
        elif kind in ("keydown", "keyup"):
            await page.send("Input.dispatchKeyEvent", _key(deed))

    def _live(self) -> Page:
        if self.page is None or not self.page.is_alive:
            raise BrowserError("the page is gone")
        return self.page


@cache
def _marking() -> str:
    return (files("statecrawl.browser") / "marking.js").read_text("utf-8")


def _number(deed: Mapping[str, Any], name: str) -> float:
    value = deed.get(name, 0)
    is_number = isinstance(value, int | float) and abs(value) < 100_000
    return float(value) if is_number else 0.0


def _at(deed: Mapping[str, Any]) -> dict[str, float]:
    return {"x": _number(deed, "x"), "y": _number(deed, "y")}


def _mouse(deed: Mapping[str, Any]) -> dict[str, Any]:
    what = _MOUSE[deed["kind"]]
    button = "none" if what == "mouseMoved" else _BUTTONS.get(int(_number(deed, "button")), "left")
    clicks = 0 if what == "mouseMoved" else max(1, min(3, int(_number(deed, "clicks"))))
    return {"type": what, **_at(deed), "button": button, "clickCount": clicks}


def _key(deed: Mapping[str, Any]) -> dict[str, Any]:
    key, code = str(deed.get("key", ""))[:MAX_KEY], str(deed.get("code", ""))[:MAX_KEY]
    pressed: dict[str, Any] = {
        "type": "keyDown" if deed["kind"] == "keydown" else "keyUp",
        "key": key,
        "code": code,
        "modifiers": int(_number(deed, "modifiers")) & 15,
        "windowsVirtualKeyCode": int(_number(deed, "number")) & 255,
    }
    text = "\r" if key == "Enter" else key if len(key) == 1 else ""
    if text and deed["kind"] == "keydown":
        pressed["text"] = text
    return pressed
