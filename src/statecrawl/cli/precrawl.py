"""`statecrawl precrawl`: the pages of a site, for crawlers that share them out."""

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.browser.chromium import OUR_NAME
from statecrawl.browser.precrawl import PreCrawl
from statecrawl.browser.robots import Robots
from statecrawl.cli.app import AsJson, app, print_json
from statecrawl.cli.options import Exclude, Include, RespectRobots, Sitemap, check_positive
from statecrawl.config import checked_url
from statecrawl.core.scope import Scope
from statecrawl.core.site import Site, parse_site
from statecrawl.errors import InputError
from statecrawl.terminal.lines import say
from statecrawl.terminal.progress import Progress

MAX_FILE_BYTES = 200_000_000


@app.command("precrawl")
def precrawl_command(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the site starts.")],
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write the list of pages.")
    ] = None,
    max_urls: Annotated[int, typer.Option(metavar="N", help="So many pages at most.")] = 100_000,
    include: Include = None,
    exclude: Exclude = None,
    respect_robots: RespectRobots = False,
    sitemap: Sitemap = False,
    user_agent: Annotated[
        str, typer.Option(metavar="TEXT", help="Who we say that we are (default: statecrawl).")
    ] = OUR_NAME,
    as_json: AsJson = False,
) -> None:
    """Find the pages of a site by its links, without a browser, and rank them (PageRank).

    The list is for crawlers that share the pages out, each of which finds the states of its own:

    - `statecrawl precrawl http://localhost:3000 --output pages.json`
    - `statecrawl crawl --pages pages.json --part 1/4 --out part-1` (and 2/4 ... elsewhere)
    - `statecrawl search part-1 part-2 part-3 part-4 QUERY`

    """
    start = checked_url(url)
    check_positive({"max_urls": max_urls})
    scope = Scope.of([start], include or (), exclude or ())
    robots = Robots(user_agent) if respect_robots else None
    with Progress(f"links of {start}") as progress:

        def told(done: int, of: int) -> None:
            progress.tell(f"{done:,} of {of:,} pages read")

        crawl = PreCrawl(scope, user_agent, robots, max_urls)
        site = asyncio.run(crawl.run(start, with_sitemap=sitemap, told=told))
    if output is not None:
        try:
            output.write_text(json.dumps(site.to_json()), "utf-8")
        except OSError as error:
            raise InputError(f"can't write {str(output)!r}: {error.strerror}") from None
    if as_json:
        print_json(site.to_json())
    else:
        links = sum(map(len, site.links.values()))
        where = f", written to {output}" if output is not None else ""
        say(f"{len(site.links):,} pages and {links:,} links between them{where}")


def read_site(file: Path) -> Site:
    """Return the list of pages in a file."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(MAX_FILE_BYTES)
    except OSError as error:
        raise InputError(f"can't read {str(file)[:200]!r}: {error.strerror}") from None
    return parse_site(raw.decode("utf-8", "replace"))
