"""Where a crawl may go: its scope, and what the site's robots.txt says."""

from statecrawl.browser.robots import Robots
from statecrawl.core.scope import Scope

OUT_OF_SCOPE = "out_of_scope"
ROBOTS = "robots"


class Bounds:
    """Says why a URL may not be opened.

    Until the scope is fixed the start of the crawl may lead to another origin: what it is
    redirected to belongs to it.
    """

    def __init__(self, scope: Scope, robots: Robots | None = None) -> None:
        self.scope = scope
        self._robots = robots
        self._is_fixed = False

    async def refusal(self, url: str, is_page: bool) -> str:
        """Say in a word why a URL may not be opened, as a page or part of one; "" if it may."""
        is_start = is_page and not self._is_fixed and url.startswith(("http://", "https://"))
        if not is_start and url not in self.scope:
            return OUT_OF_SCOPE
        if self._robots is not None and not await self._robots.allow(url):
            return ROBOTS
        return ""

    def fix(self, scope: Scope) -> None:
        """Let nobody leave this scope from now on."""
        self.scope = scope
        self._is_fixed = True
