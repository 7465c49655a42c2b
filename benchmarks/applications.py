"""Real applications that others wrote, from the npm registry: what crawling them comes to.

python -m benchmarks.applications                             # all of them
python -m benchmarks.applications jstree todomvc-vue          # some of them
python -m benchmarks.applications --replays 10 --seconds 30   # a quick look
python -m benchmarks.applications --depth 3                   # breadth first, to this depth

The packages are fetched with npm into a cache, at fixed versions, and served on the loopback.
With a depth, each application is crawled as far as that with no other bound, so that the
numbers of states can be compared. Requests to other hosts would be counted (`outside`).
"""

import argparse
import asyncio
import html
import random
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.staticfiles import StaticFiles

from statecrawl.browser.launch import LaunchOptions
from statecrawl.compose.replay import replay_state
from statecrawl.config import RunOptions
from statecrawl.core.crawled import Crawled
from statecrawl.core.limits import Limits
from statecrawl.errors import StatecrawlError
from statecrawl.sites.server import serve_asgi
from tests.browser.helpers import crawl
from tests.browser.outside import outside

PAGES = Path(__file__).parent / "applications"
"""Our own pages, where a package has none that stands alone: they are served as /application."""

SIDE_BY_SIDE = 2
"""So many browsers replay at a time."""

CACHE = Path(tempfile.gettempdir()) / "statecrawl-applications"


@dataclass(frozen=True)
class Real:
    """An application: its packages as NAME@VERSION, and the page that it begins with.

    A package is served as /NAME; `mounts` are folders of packages that are served elsewhere too.
    `skip` are controls that lead to other applications.
    """

    packages: tuple[str, ...]
    page: str
    mounts: Mapping[str, str] = field(default_factory=dict)
    pages: str = ""
    skip: tuple[str, ...] = ()


TODOMVC = "todomvc@0.1.1"
EXAMPLES = "todomvc/examples"
JQUERY = "jquery@3.7.1"


def _todomvc(example: str, mounts: Mapping[str, str] | None = None) -> Real:
    page = f"{EXAMPLES}/{example}/index.html"
    return Real((TODOMVC,), page, mounts or {}, skip=("aside.learn",))


REAL: dict[str, Real] = {
    **{
        f"todomvc-{example}": _todomvc(example)
        for example in (
            "angularjs backbone canjs dojo emberjs flight knockoutjs maria mithril ractive react "
            "vanillajs vue"
        ).split()
    },
    # The package leaves out what this example needs, but has it for the others.
    "todomvc-jquery": _todomvc(
        "jquery",
        {
            f"{EXAMPLES}/jquery/bower_components/director": (
                f"{TODOMVC}/examples/react/bower_components/director"
            ),
            f"{EXAMPLES}/jquery/bower_components": f"{TODOMVC}/examples/emberjs/bower_components",
        },
    ),
    "todomvc-mithril2": Real(("mithril@2.2.2",), "mithril/examples/todomvc/index.html"),
    "todomvc-react16": Real(("todomvc-react@1.0.4",), "", {"": "todomvc-react@1.0.4/dist"}),
    "swagger": Real(("swagger-ui-dist@5.34.1",), "application/", pages="swagger"),
    "jsoneditor": Real(("jsoneditor@10.4.3",), "application/", pages="jsoneditor"),
    "jstree": Real(("jstree@3.3.17", JQUERY), "application/", pages="jstree"),
    "dijit": Real(("dojo@1.17.3", "dijit@1.17.3", "dojox@1.17.3"), "dijit/themes/themeTester.html"),
    "tiddlywiki": Real(("tiddlywiki@5.4.1",), "", {"": "tiddlywiki@5.4.1/statecrawl"}),
    "luigi": Real(("@luigi-project/core@2.31.0",), "application/", pages="luigi"),
    "quill": Real(("quill@2.0.3",), "application/", pages="quill"),
    "jqueryui": Real(("jquery-ui@1.13.3", JQUERY), "application/", pages="jqueryui"),
    "bootstrap": Real(("bootstrap@5.3.8",), "application/", pages="bootstrap"),
    "aggrid": Real(("ag-grid-community@36.2.0",), "application/", pages="aggrid"),
    "filetree": Real(("jqueryfiletree@2.1.4", JQUERY), "application/", pages="filetree"),
}

FOLDERS: dict[str, tuple[str, ...]] = {
    "/": ("music/", "texts/", "read.me"),
    "/music/": ("old/", "song.mp3"),
    "/music/old/": ("tune.mp3",),
    "/texts/": ("letter.txt", "novel.txt"),
}
"""What jQueryFileTree's connector knows."""


def fetch(package: str) -> Path:
    """Return the folder of a package, fetched if it is not there."""
    folder = CACHE / package
    if not folder.exists():
        with tempfile.TemporaryDirectory() as parent:
            command = ["npm", "pack", package, "--silent", "--ignore-scripts"]
            subprocess.run(command, cwd=parent, check=True, stdout=subprocess.DEVNULL)
            (packed,) = Path(parent).iterdir()
            unpacked = Path(parent) / "unpacked"
            with tarfile.open(packed) as archive:
                archive.extractall(unpacked, filter="data")
            (content,) = unpacked.iterdir()
            if package.startswith("tiddlywiki@"):
                _build_wiki(content)
            folder.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(content, folder)
    return folder


def _build_wiki(package: Path) -> None:
    """Make an empty wiki, which is one page."""
    command = ["node", "tiddlywiki.js", "editions/empty", "--output", "statecrawl", "--build"]
    subprocess.run([*command, "index"], cwd=package, check=True, stdout=subprocess.DEVNULL)


async def _list_folder(request: Request) -> Response:
    """Answer as a connector of jQueryFileTree does."""
    asked = dict(parse_qsl((await request.body()).decode()))
    folder = asked.get("dir", "/")
    rows = []
    for name in FOLDERS.get(folder, ()):
        kind = "directory collapsed" if name.endswith("/") else f"file ext_{name.split('.')[-1]}"
        shown = html.escape(name.rstrip("/"))
        rows.append(f'<li class="{kind}"><a rel="{html.escape(folder + name)}">{shown}</a></li>')
    listed = "".join(rows)
    return HTMLResponse(f'<ul class="jqueryFileTree" style="display: none">{listed}</ul>')


@asynccontextmanager
async def served(real: Real) -> AsyncIterator[str]:
    """Serve an application, and yield the URL of its page."""
    routes: list[BaseRoute] = [Route("/application/folder", _list_folder, methods=["POST"])]
    if real.pages:
        routes.append(Mount("/application", StaticFiles(directory=PAGES / real.pages, html=True)))
    packages = {package: fetch(package) for package in real.packages}
    for path, place in sorted(real.mounts.items(), reverse=True):
        routes.append(Mount(f"/{path}", StaticFiles(directory=CACHE / place, html=True)))
    for package, folder in packages.items():
        routes.append(Mount(f"/{package.rpartition('@')[0]}", StaticFiles(directory=folder)))
    async with serve_asgi(Router(routes)) as url:
        yield f"{url}{real.page}"


@dataclass(frozen=True)
class Measure:
    """How far to crawl, and how many states to replay."""

    states: int
    seconds: float
    replays: int
    depth: int | None

    def run_options(self, out: Path, launch: LaunchOptions) -> RunOptions:
        """Return how to run a crawl into a folder."""
        limits = Limits(max_depth=self.depth) if self.depth else Limits(max_states=self.states)
        return RunOptions(
            out=out, screenshots=False, limits=limits, max_seconds=self.seconds, launch=launch
        )


async def measure(name: str, chosen: Measure, parent: Path) -> str:
    """Crawl an application, replay some of its states, and return its line of the table."""
    real, out = REAL[name], parent / name
    strategy = {"strategy": "breadth_first"} if chosen.depth else {}
    async with served(real) as url, outside() as elsewhere:
        run = chosen.run_options(out, elsewhere.launch)
        found = await crawl(url, out, run, skip=real.skip, fire_all=True, **strategy)
        reached, tried = await _replay(found, out, chosen.replays, elsewhere.launch)
    return _line(name, found, f"{reached}/{tried}", elsewhere.requests)


async def _replay(found: Crawled, out: Path, number: int, launch: LaunchOptions) -> tuple[int, int]:
    """Replay random states, each from a fresh browser: how many were reached, of how many."""
    states = sorted(found.states)
    chosen = random.Random(1).sample(states, min(number, len(states)))  # noqa: S311 - no secret
    turns = asyncio.Semaphore(SIDE_BY_SIDE)

    async def is_reached(state: str) -> bool:
        async with turns:
            return (await replay_state(out, state, launch)).reached

    return sum(await asyncio.gather(*map(is_reached, chosen))), len(chosen)


HEADINGS = (
    "application",
    "states",
    "transitions",
    "ended by",
    "events/s",
    "replayed",
    "unsure",
    "outside",
)


def _line(name: str, found: Crawled, replayed: str, requests: int) -> str:
    summary = found.summary()
    failures = {
        **summary["failures"],
        "refused": len(found.refused),
        "given up": len(found.given_up),
    }
    told = ", ".join(f"{times} {kind}" for kind, times in sorted(failures.items()) if times)
    return (
        f"{name:18} {summary['states']:6} {summary['transitions']:11} "
        f"{summary['stop_reason']:12} {summary['events_per_second']:8.0f} {replayed:>8} "
        f"{len(found.nondeterministic):6} {requests:7}  {told or 'none'}"
    )


def _heading() -> str:
    name, states, transitions, ended, speed, replayed, unsure, elsewhere = HEADINGS
    return (
        f"{name:18} {states:>6} {transitions:>11} {ended:12} {speed:>8} {replayed:>8} "
        f"{unsure:>6} {elsewhere:>7}  failures"
    )


async def table(names: list[str], chosen: Measure, keep: Path | None) -> None:
    """Print a line for each application."""
    print(_heading(), flush=True)
    for name in names:
        with _folder(keep) as parent:
            try:
                line = await measure(name, chosen, parent)
            except StatecrawlError as error:
                line = f"{name:18} {error}"
            print(line, flush=True)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """The folder that crawls go to: the one given, or one that goes."""
    if keep is not None:
        yield keep
        return
    with tempfile.TemporaryDirectory() as parent:
        yield Path(parent)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(REAL))
    parser.add_argument("--states", type=int, default=300, help="of one crawl at most")
    parser.add_argument("--seconds", type=float, default=120, help="of one crawl at most")
    parser.add_argument("--replays", type=int, default=100, help="of random states, each crawl")
    parser.add_argument("--depth", type=int, help="crawl breadth first, to this depth")
    parser.add_argument("--keep", type=Path, help="the folder in which to keep the crawls")
    given = parser.parse_args()
    if unknown := set(given.names) - set(REAL):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    return given


if __name__ == "__main__":
    given = _arguments()
    asked = Measure(given.states, given.seconds, given.replays, given.depth)
    asyncio.run(table(given.names or list(REAL), asked, given.keep))
