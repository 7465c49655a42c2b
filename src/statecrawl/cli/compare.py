"""`statecrawl compare`: how much alike two pages are."""

from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.app import AsJson, app, print_json
from statecrawl.compose.near import compare_pages
from statecrawl.equivalences import DEFAULT_CLASSES, EQUIVALENCES, RESEMBLANCES
from statecrawl.terminal.lines import print_lines
from statecrawl.terminal.progress import Progress


@app.command("compare")
def compare_command(
    one: Annotated[Path, typer.Argument(metavar="A.html", help="A page in a file.")],
    other: Annotated[Path, typer.Argument(metavar="B.html", help="Another one.")],
    equivalence: Annotated[
        str,
        typer.Option(
            metavar="NAME[:key=value,...]",
            help=f"How to compare: {', '.join((*RESEMBLANCES, *EQUIVALENCES))}; "
            "for example broder:threshold=0.2,size=3,unit=words.",
        ),
    ] = DEFAULT_CLASSES,
    as_json: AsJson = False,
) -> None:
    """Say how far apart two pages are, and whether a crawl would take them for one state."""
    with Progress(f"{one.name} and {other.name}"):
        found = compare_pages(one, other, equivalence)
    if as_json:
        print_json(found._asdict())
    else:
        verdict = "the same" if found.same else "different"
        print_lines(
            [
                f"{verdict}: distance {found.distance:.4g}, "
                f"at most {found.threshold:g} is near ({found.equivalence})"
            ]
        )
