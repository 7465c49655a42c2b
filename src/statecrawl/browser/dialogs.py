"""What a page is told that asks in dialogs: yes, then no, and in the end nothing any more."""

from statecrawl.browser.protocol import Params

MAX_YES = 25
"""So many dialogs in one step are agreed to; to those after them the answer is no."""
MAX_DIALOGS = 50
"""A page that asks more often than this in one step never stops."""


class Dialogs:
    """Answers the dialogs of one page."""

    def __init__(self) -> None:
        self._asked = 0
        self.total = 0
        """How many there were: each is a sign of life."""

    def begin(self) -> None:
        """Hear that another step begins."""
        self._asked = 0

    def answer(self, asked: Params) -> Params | None:
        """Return what to answer; None: there would be no end to it."""
        self._asked += 1
        self.total += 1
        if self._asked > MAX_DIALOGS:
            return None
        text = asked.get("defaultPrompt") or "test"
        return {"accept": self._asked <= MAX_YES, "promptText": text}
