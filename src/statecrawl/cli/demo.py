"""`statecrawl demo`: a built-in application, crawled and reported."""

import asyncio
from typing import Annotated

import typer

from statecrawl.browser.launch import LaunchOptions
from statecrawl.cli.app import AsJson, app
from statecrawl.cli.options import BrowserPath, Browsers, CdpUrl, Out, Screenshots, Strategy
from statecrawl.cli.page import write_report
from statecrawl.cli.running import Ended, run_crawl
from statecrawl.config import DEFAULT_STRATEGY, CrawlOptions, RunOptions
from statecrawl.errors import ExitCode
from statecrawl.sites.server import serve
from statecrawl.terminal.lines import say

REPORT = "report"
"""Where the report is, in the folder of the crawl."""


@app.command("demo")
def demo_command(
    site: Annotated[
        str, typer.Argument(metavar="[SITE]", help="A built-in application; see `sites`.")
    ] = "filetree:folders=60",
    out: Out = None,
    strategy: Strategy = DEFAULT_STRATEGY,
    browsers: Browsers = 1,
    screenshots: Screenshots = True,
    browser: BrowserPath = None,
    cdp: CdpUrl = None,
    as_json: AsJson = False,
) -> None:
    """Serve a built-in application, crawl it in a real browser, and write a report of it."""

    async def run() -> Ended:
        async with serve(site) as url:
            say(f"{site} is served at {url}")
            options = CrawlOptions(url, strategy=strategy).checked()
            running = RunOptions(
                out=out,
                name=f"demo-{site.partition(':')[0]}",
                browsers=browsers,
                screenshots=screenshots,
                launch=LaunchOptions(browser, cdp),
            )
            return await run_crawl(options, running, as_json)

    folder, code = asyncio.run(run())
    if code is ExitCode.DONE:
        index = write_report(folder, folder / REPORT)
        say(f"the report is in {index}: open it in a browser")
        say(f"the same page with a server behind it: statecrawl view {folder}")
    raise typer.Exit(code)
