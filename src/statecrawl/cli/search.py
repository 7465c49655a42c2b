"""`statecrawl index` and `search`: which states have which words, and how to get there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.app import AsJson, app, print_json
from statecrawl.compose.search import index_crawl, open_indexes
from statecrawl.errors import InputError
from statecrawl.search.index import Told
from statecrawl.search.searching import MAX_RESULTS, Result, Results, search
from statecrawl.terminal.lines import Marks, print_marked, say
from statecrawl.terminal.progress import Progress

Folders = Annotated[list[Path], typer.Argument(metavar="DIR...", help="The folders of crawls.")]


@app.command("index")
def index_command(folders: Folders, as_json: AsJson = False) -> None:
    """Make crawls searchable, or bring their indexes up to date: only what changed is indexed.

    The index of a crawl is the folder `index` in it. It can be removed at any time.
    """
    done = []
    for folder in dict.fromkeys(folders):
        with Progress(f"index of {folder}") as progress:
            updated = index_crawl(folder, _telling(progress))
        done.append({"crawl": str(folder), **updated._asdict()})
        if not as_json:
            say(
                f"{folder}: {updated.added:,} states added, {updated.changed:,} changed, "
                f"{updated.removed:,} removed, {updated.kept:,} as they were"
            )
    if as_json:
        print_json(done)


@app.command("search")
def search_command(
    folders: Folders,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    limit: Annotated[
        int, typer.Option(metavar="N", help=f"So many results, {MAX_RESULTS:,} at most.")
    ] = 10,
    as_json: AsJson = False,
) -> None:
    """Find the states of crawls that show some words, each with the way there.

    Words next to each other are all wanted, in one state. `"several words"` stand in a row;
    `a OR b`, `a NOT b`, `a -b` and parentheses; `title:`, `url:`, `heading:` and `event:` (what
    stands on a control that leads there) before a word or a phrase. Crawls that are not indexed
    yet, or have gone on since, are indexed first.

    Examples:
    - `statecrawl search crawls/shop 'blue "running shoes" -kids'`
    - `statecrawl search crawls/part-1 crawls/part-2 'title:guitar singer' --limit 20 --json`

    """
    if not folders:
        raise InputError("give the folder of a crawl, then what to look for")
    with Progress(f"search for {query[:40]!r}") as progress:
        found = search(open_indexes(folders, _telling(progress)), query, limit)
    if as_json:
        print_json([result.to_json() for result in found.best])
    else:
        print_marked(_lines(found))


def _lines(found: Results) -> Iterator[tuple[str, Marks]]:
    shown = len(found.best)
    states = "1 state" if found.total == 1 else f"{found.total:,} states"
    yield f"{states} found" + (f", the best {shown:,}:" if shown < found.total else ""), ()
    for result in found.best:
        title = result.title or "(no title)"
        yield "", ()
        yield f"{title}  {result.url}", ((0, len(title)),)
        yield f"  state {result.state}, {_way(result)}", ()
        yield f"  {result.excerpt.text}", [(a + 2, b + 2) for a, b in result.excerpt.marks]


def _way(result: Result) -> str:
    steps = " > ".join(hop.label or hop.event for hop in result.path)
    way = steps or "as it is loaded"
    return f"{way} (from {result.entry})" if result.entry != result.url else way


def _telling(progress: Progress) -> Told:
    def told(done: int, of: int) -> None:
        progress.tell(f"{done:,} of {of:,} states indexed")

    return told
