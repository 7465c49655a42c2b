"""Wrong usage of a crawl on many machines: one line, and exit code 2."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

URL = "http://127.0.0.1:9/"


def statecrawl(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "statecrawl", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("coordinator", URL, "--nodes", "2", "--listen", "0.0.0.0:0"), "give --token-file"),
        (("coordinator", URL, "--nodes", "0"), "--nodes 0"),
        (("coordinator", URL, "--nodes", "2", "--listen", "somewhere"), "give HOST:PORT"),
        (("coordinator", URL, "--nodes", "2", "--token-file", "/nowhere"), "can't read"),
        (("crawl", URL, "--cluster", "--topology", "mesh"), "give one of star, ring"),
        (("crawl", URL, "--cluster", "--topology", "ring", "--coordinators", "2"), "from 3"),
        (("crawl", URL, "--cluster", "--browsers", "2"), "for a crawl on one machine"),
        (("node", "nonsense"), "is not the URL of a coordinator"),
    ],
)  # fmt: skip
def test_wrong_usage_is_said_in_one_line(arguments: tuple[str, ...], why: str) -> None:
    done = statecrawl(*arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert why in done.stderr


def test_an_address_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        out = str(tmp_path / "crawl")
        done = statecrawl("coordinator", URL, "--nodes", "1", "--listen", address, "--out", out)
    assert done.returncode == 2
    assert "give another --listen" in done.stderr
