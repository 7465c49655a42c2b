"""What benchmarks share that look at crawls from outside: servers apart, memory, what is left."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import psutil

MEGABYTE = 1_000_000


class Sample(NamedTuple):
    """Memory at a moment, in megabytes: ours, and the browser's with all its processes."""

    seconds: float
    ours: float
    browser: float
    processes: int


def _share(process: psutil.Process) -> int:
    """Return the memory of a process; what it shares with others is divided among them."""
    full = process.memory_full_info()
    return int(getattr(full, "pss", full.rss))


class Watch:
    """Looks at this process and at the browsers that it starts.

    Everything that they put aside goes to a folder of its own, so that nothing that others do on
    the machine is taken for ours.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started = monotonic()
        self.samples: list[Sample] = []

    def browsers(self) -> list[psutil.Process]:
        """Return the processes of browsers that work in the folder, ended ones too."""
        mains = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if any(str(self._folder) in word for word in process.cmdline()):
                    mains.append(process)
        zombies = []
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if child.status() == psutil.STATUS_ZOMBIE:
                    zombies.append(child)
        return list({process.pid: process for process in (*mains, *zombies)}.values())

    def leftovers(self) -> list[str]:
        """Return the names of all that is in the folder."""
        return sorted(each.name for each in self._folder.iterdir())

    def sample(self) -> Sample:
        """Look how much memory is in use."""
        browsers = self.browsers()
        memory = 0
        for process in browsers:
            with suppress(psutil.Error):
                memory += _share(process)
        ours = _share(psutil.Process())
        seconds = monotonic() - self._started
        return Sample(seconds, ours / MEGABYTE, memory / MEGABYTE, len(browsers))

    @asynccontextmanager
    async def sampling(self, every_seconds: float) -> AsyncIterator[None]:
        """Keep a sample from time to time."""

        async def keep() -> None:
            while True:
                self.samples.append(self.sample())
                await asyncio.sleep(every_seconds)

        task = asyncio.create_task(keep())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])


@contextmanager
def watched() -> Iterator[Watch]:
    """Have all temporary files, ours and the browser's, in one folder, and watch it."""
    folder = Path(tempfile.mkdtemp(prefix="statecrawl-watch-"))
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    os.environ["TMPDIR"] = str(folder)
    try:
        yield Watch(folder)
    finally:
        tempfile.tempdir = before
        del os.environ["TMPDIR"]
        shutil.rmtree(folder, ignore_errors=True)
