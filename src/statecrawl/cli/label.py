"""`statecrawl label`: people say which pages are one."""

import asyncio
import getpass
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.app import AsJson, Port, app, print_json
from statecrawl.cli.page import LOOPBACK, Host, serve_page
from statecrawl.compose.calibration import annotator_of, export_answers, import_answers
from statecrawl.terminal.lines import say
from statecrawl.terminal.progress import Progress
from statecrawl.web.labelling import label_app


def _somebody() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


@app.command("label")
def label_command(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="A crawl, or a folder in the PetClinic layout."),
    ],
    port: Port = 8200,
    host: Host = LOOPBACK,
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who answers (default: your user name).")
    ] = "",
    import_file: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE", help="Take the answers of a gsResults.json."),
    ] = None,
    export_folder: Annotated[
        Path | None,
        typer.Option("--export", metavar="FOLDER", help="Write all in the PetClinic layout."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show pairs of pages side by side, until interrupted, to be told what they are.

    Keys: 1 clone, 2 near-duplicate, 3 distinct, s later, u undo. The pair whose answer teaches
    most comes first, and what follows from answers is not asked. Answers are kept in
    DIR/labels.jsonl, with who gave them. With --import or --export no page is shown.
    """
    who = by or _somebody()
    if import_file is None and export_folder is None:
        with Progress(f"comparing the pages of {folder}"):
            annotator = annotator_of(folder, who)
        asyncio.run(serve_page(str(folder), host, port, lambda token: label_app(annotator, token)))
        return
    told: dict[str, object] = {"folder": str(folder)}
    if import_file is not None:
        told["imported"] = import_answers(folder, import_file, who)
        say(f"{told['imported']:,} answers of {import_file} are now in {folder}")
    if export_folder is not None:
        told["exported"] = str(export_answers(folder, export_folder))
        say(f"wrote {told['exported']}")
    if as_json:
        print_json(told)
