"""Crawls for a calibration put together: queues by their addresses, crawls as tasks."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from statecrawl.browser.leftovers import temporary_folder
from statecrawl.calibration.crawl_results import crawl_results
from statecrawl.calibration.postgres_tasks import PostgresTasks
from statecrawl.calibration.site_list import read_sites
from statecrawl.calibration.sqlite_tasks import SqliteTasks
from statecrawl.calibration.tasks import TaskQueue
from statecrawl.compose.calibration import labelled_set
from statecrawl.compose.crawl import crawl_application
from statecrawl.config import CrawlOptions, RunOptions
from statecrawl.core.identity import StateIdentity
from statecrawl.core.limits import Limits
from statecrawl.equivalences import DEFAULT_EQUIVALENCE, EQUIVALENCES
from statecrawl.errors import InputError
from statecrawl.sites.models import read_spec
from statecrawl.sites.server import serve
from statecrawl.storage import open_crawl

_NO_SETTINGS = ("url", "equivalence", "inputs", "login", "from_warc")
_OF_RUN = ("max_seconds", "browsers")
_DEFAULTS = {
    field.name: field.default for field in fields(CrawlOptions) if field.name not in _NO_SETTINGS
}
CRAWL_SETTINGS = (*_DEFAULTS, *Limits._fields, *_OF_RUN)
"""What a list of sites may say about crawls."""


def open_tasks(store: str) -> TaskQueue:
    """Open the queue of tasks that a file or the address of a PostgreSQL database names."""
    if store.partition("://")[0] in ("postgres", "postgresql"):
        return PostgresTasks(store)
    if "://" in store:
        raise InputError(f"--store {store[:80]!r}: give a file, or postgresql://...")
    return SqliteTasks(Path(store))


def tasks_in(file: Path) -> dict[str, dict[str, Any]]:
    """Return the tasks that a list of sites makes, each checked."""
    tasks = read_sites(file, CRAWL_SETTINGS)
    for name, task in tasks.items():
        try:
            _options(task, task.get("url", "http://127.0.0.1/"))
        except InputError as error:
            raise InputError(f"{file}, {name}: {error}") from None
        if "site" in task:
            read_spec(task["site"])
    return tasks


def crawl_task(task: Mapping[str, Any]) -> dict[str, Any]:
    """Crawl as a task says; return the figures, and the states by their ids in an exact crawl."""
    return asyncio.run(_crawl(task))


async def _crawl(task: Mapping[str, Any]) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        if "url" in task:
            url: str = task["url"]
        else:
            url = await stack.enter_async_context(serve(task["site"]))
        folder = stack.enter_context(temporary_folder()) / "crawl"
        options, run = _options(task, url)
        await crawl_application(options, replace(run, out=folder))
        with open_crawl(folder, read_only=True) as store:
            exact = StateIdentity(EQUIVALENCES[DEFAULT_EQUIVALENCE], store.masks)
            pages = [exact(snapshot) for _, snapshot in store.doms()]
            return {**store.crawled().summary(), "list": pages}


def _options(task: Mapping[str, Any], url: str) -> tuple[CrawlOptions, RunOptions]:
    """Return how a task crawls, if it means something."""
    given: dict[str, Any] = {}
    for name, value in task["settings"].items():
        _check(name, value)
        given[name] = tuple(value) if isinstance(value, list) else value
    limits = Limits(**{name: given.pop(name) for name in Limits._fields if name in given})
    run: dict[str, Any] = {name: given.pop(name) for name in _OF_RUN if name in given}
    options = CrawlOptions(url, equivalence=task["equivalence"], **given)
    return options.checked(), RunOptions(screenshots=False, limits=limits, **run)


def _check(name: str, value: Any) -> None:
    """Refuse a value of another kind than the setting has."""
    default = _DEFAULTS.get(name)
    if isinstance(default, bool):
        is_right, kind = isinstance(value, bool), "true or false"
    elif isinstance(default, str):
        is_right, kind = isinstance(value, str), "a text"
    elif isinstance(default, tuple):
        is_right = isinstance(value, list) and all(isinstance(each, str) for each in value)
        kind = "a list of texts"
    else:
        is_right = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
        kind = "a number above 0"
    if not is_right:
        raise InputError(f"{name} = {str(value)[:40]}: give {kind}")


def results_of_tasks(queue: TaskQueue) -> list[dict[str, Any]]:
    """Return what came of the tasks, those with labels compared with them."""
    return crawl_results(queue.all(), lambda place: labelled_set(Path(place)).checked())
