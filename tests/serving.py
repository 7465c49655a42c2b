"""A built-in application served by our own command, in a process of its own."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(site: str, port: int = 0, latency_ms: int = 0) -> Iterator[str]:
    """The URL of a site, for as long as this lasts."""
    command = [sys.executable, "-m", "statecrawl", "sites", "serve", site, "--port", str(port)]
    command += ["--latency-ms", str(latency_ms)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            url = re.search(r"http://\S+", process.stderr.readline())
            assert url
            yield url[0]
        finally:
            process.terminate()
            process.wait(60)
