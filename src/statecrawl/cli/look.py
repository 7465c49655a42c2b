"""`statecrawl show`, `replay` and `export`: what a crawl found."""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from statecrawl.browser.launch import LaunchOptions
from statecrawl.cli.app import AsJson, app, print_json
from statecrawl.cli.options import BrowserPath, CdpUrl, LoginFile, read_login
from statecrawl.cli.person import need_screen, until_enough
from statecrawl.compose.reading import opened_crawl, read_crawl
from statecrawl.compose.replay import Replayed, handed_over, replay_state
from statecrawl.errors import ExitCode, InputError
from statecrawl.exporters import EXPORTERS
from statecrawl.terminal.crawls import print_crawl, print_effects, print_findings
from statecrawl.terminal.lines import say
from statecrawl.terminal.output import standard_output
from statecrawl.terminal.progress import Progress

BETWEEN_LOOKS_SECONDS = 0.2
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")]


@app.command("show")
def show_command(
    folder: Folder,
    findings: Annotated[
        bool, typer.Option("--findings", help="What is wrong, each with the way to it.")
    ] = False,
    effects: Annotated[
        bool, typer.Option("--effects", help="What events do to the regions of pages.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what a crawl found: figures, states, near-duplicates, what was left out of identity."""
    found = read_crawl(folder)
    learned = []
    if effects:
        with Progress(f"effects in {folder}"):
            learned = found.effects
    if as_json:
        told = {
            "masks": [mask._asdict() for mask in found.masks.masks],
            "left_alone": [control._asdict() for control in found.left_alone],
        }
        states = [
            {
                "state": state.id,
                "url": state.url,
                "title": state.title,
                "depth": state.depth,
                "class": found.classes.representative(state.id),
            }
            for state in found.states.values()
        ]
        shown = {"crawl": str(folder), **found.summary(), **told, "list": states}
        if findings:
            shown["findings"] = [finding._asdict() for finding in found.findings]
        if effects:
            shown["effects"] = [each.to_json() for each in learned]
        print_json(shown)
        return
    if findings:
        print_findings(found)
    if effects:
        print_effects(learned)
    if not findings and not effects:
        print_crawl(found, folder, with_states=True)


@app.command("replay")
def replay_command(
    folder: Folder,
    state: Annotated[
        str, typer.Argument(metavar="STATE", help="The id of a state, or how it begins.")
    ],
    screenshot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to put a picture (JPEG).")
    ] = None,
    window: Annotated[
        bool,
        typer.Option(
            "--window", help="Show the browser, and leave it to you until its window is closed."
        ),
    ] = False,
    login: LoginFile = None,
    browser: BrowserPath = None,
    cdp: CdpUrl = None,
    as_json: AsJson = False,
) -> None:
    """Bring a fresh browser into a state by its path, and say whether it got there.

    With `--window` you see it go there, and it is yours then: close the window or press Enter
    here to end it.
    """
    how = read_login(login)
    if window:
        if cdp is not None:
            raise InputError("--window opens a browser of its own: leave --cdp out")
        need_screen("leave --window out, or use the page of statecrawl view")
        replayed = asyncio.run(_show(folder, state, LaunchOptions(browser, is_visible=True), how))
    else:
        with Progress(f"replay of {state}"):
            replayed = asyncio.run(replay_state(folder, state, LaunchOptions(browser, cdp), how))
    if screenshot is not None and replayed.picture:
        try:
            screenshot.write_bytes(replayed.picture)
        except OSError as error:
            raise InputError(f"can't write {str(screenshot)!r}: {error.strerror}") from None
    if as_json:
        print_json(
            {
                "state": replayed.state,
                "reached": replayed.reached,
                "events": replayed.events,
                "resets": replayed.resets,
            }
        )
    elif replayed.reached:
        say(f"state {replayed.state} reached by {replayed.events} events")
    if not replayed.reached:
        say(f"state {replayed.state} was not reached: the application has changed since")
        raise typer.Exit(ExitCode.APPLICATION)


async def _show(folder: Path, state: str, launch: LaunchOptions, login: str) -> Replayed:
    """Leave a browser in a state to a person, until its window is closed or it is enough."""
    with until_enough() as enough:
        async with handed_over(folder, state, launch, login) as (handover, replayed):
            say("the browser is yours: close its window or press Enter here to end it")
            while handover.is_open and not enough.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(enough.wait(), BETWEEN_LOOKS_SECONDS)
        return replayed


@app.command("export")
def export_command(
    folder: Folder,
    format_name: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help=f"{', '.join(EXPORTERS)}.")
    ] = "model",
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to; without: standard output.")
    ] = None,
) -> None:
    """Write a crawl for other programs; `model` can be simulated with any strategy."""
    if format_name not in EXPORTERS:
        raise InputError(f"unknown format {format_name[:40]!r}: give one of {', '.join(EXPORTERS)}")
    export = EXPORTERS[format_name]
    with opened_crawl(folder) as found, Progress(f"export of {folder}"):
        if output is None:
            with standard_output() as stream:
                export(found, stream)
        else:
            _write_file(output, lambda stream: export(found, stream))


def _write_file(output: Path, write: Callable[[BinaryIO], None]) -> None:
    """Write a file, all of it or none: an export that can't be made leaves what was there."""
    is_special = output.exists() and not output.is_file()  # such as a pipe
    part = output if is_special else output.with_name(f".{output.name}.{os.getpid()}")
    try:
        try:
            with part.open("wb") as stream:
                write(stream)
            part.replace(output)  # onto itself, if it is special
        finally:
            if not is_special:
                part.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"can't write {str(output)!r}: {error.strerror}") from None
