"""Pages that each try to break a crawler in one way, and a server that counts who asked for what.

`/` has a link to every page, and every page one back. The same server under another host name
(`localhost` instead of `127.0.0.1`, or the reverse) is the outside, which a crawl has no business
to ask for anything. `/counts`, which nothing links to, tells.
"""

from statecrawl.sites.apps.hostile.counts import Counted
from statecrawl.sites.apps.hostile.routes import ROUTES

__all__ = ["Counted", "hostile"]


def hostile() -> Counted:
    """Return the application; it remembers nothing but its counts."""
    return Counted(ROUTES)
