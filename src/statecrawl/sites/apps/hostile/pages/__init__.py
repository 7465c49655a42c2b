"""Every hostile page, by name, in the order of the index."""

from statecrawl.sites.apps.hostile.page import Page
from statecrawl.sites.apps.hostile.pages.answers import ANSWERS
from statecrawl.sites.apps.hostile.pages.busy import BUSY
from statecrawl.sites.apps.hostile.pages.content import CONTENT
from statecrawl.sites.apps.hostile.pages.dialogs import DIALOGS
from statecrawl.sites.apps.hostile.pages.endless import ENDLESS
from statecrawl.sites.apps.hostile.pages.harm import HARM
from statecrawl.sites.apps.hostile.pages.leaving import LEAVING
from statecrawl.sites.apps.hostile.pages.windows import WINDOWS

GROUPS: dict[str, tuple[Page, ...]] = {
    "dialogs and permissions": DIALOGS,
    "windows and downloads": WINDOWS,
    "ways out": LEAVING,
    "answers of the server": ANSWERS,
    "no end to it": ENDLESS,
    "busy scripts": BUSY,
    "strange content": CONTENT,
    "harm": HARM,
}

PAGES: dict[str, Page] = {page.name: page for pages in GROUPS.values() for page in pages}
