"""A built-in application in a process of its own, so that it takes no time of ours."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(site: str, latency_ms: int = 0) -> Iterator[str]:
    """The URL of a site, for as long as this lasts."""
    command = [sys.executable, "-m", "statecrawl", "sites", "serve", site, "--port", "0"]
    command += ["--latency-ms", str(latency_ms)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            said = process.stderr.readline() if process.stderr else ""
            url = re.search(r"http://\S+", said)
            if url is None:
                raise SystemExit(f"no server: {said}")
            yield url[0]
        finally:
            process.terminate()
            process.wait(60)
