"""What a crawl and its browser ask of hosts that are none of their business: nothing."""

import asyncio
from pathlib import Path

from statecrawl.config import RunOptions
from tests.browser.helpers import crawl, served
from tests.browser.outside import outside

FORM = """<form><label>Name <input name=name autocomplete=name></label>
<label>Mail <input type=email name=email></label><input type=password name=password>
<label>Card <input autocomplete=cc-number></label><button>Send</button></form>
<a href="http://elsewhere.test/">elsewhere</a>
<button onclick="location = 'http://elsewhere.test/page'">away</button>
<button onclick="open('http://elsewhere.test/window', '', 'noopener')">window</button>
<button onclick="document.title = 'done'; this.remove()">done</button>"""


def test_neither_a_crawl_nor_its_browser_asks_anybody_else(tmp_path: Path) -> None:
    async def run() -> tuple[int, int]:
        async with outside() as elsewhere, served({"/": FORM}) as url:
            options = RunOptions(
                out=tmp_path / "crawl", screenshots=False, launch=elsewhere.launch, browsers=2
            )
            found = await crawl(url, tmp_path / "crawl", options)
            return len(found.states), elsewhere.requests

    states, requests = asyncio.run(run())
    assert states > 1
    assert requests == 0
