"""Wrong usage of a crawl on many machines: one line that says what to do."""

import socket
from pathlib import Path

import pytest

import statecrawl.cli  # noqa: F401 - every command is there once this is imported
from statecrawl.cli.app import app
from statecrawl.errors import InputError

URL = "http://127.0.0.1:9/"


def refusal(*arguments: str) -> str:
    """Return the one line that a command is refused with."""
    with pytest.raises(InputError) as refused:
        app(list(arguments), standalone_mode=False)
    return str(refused.value)


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
        (("crawl", URL, "--cluster", "--explain"), "for a crawl on one machine"),
        (("node", "nonsense"), "is not the URL of a coordinator"),
    ],
)  # fmt: skip
def test_wrong_usage_is_said_in_one_line(arguments: tuple[str, ...], why: str) -> None:
    said = refusal(*arguments)
    assert why in said
    assert "\n" not in said


def test_an_address_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        out = str(tmp_path / "crawl")
        said = refusal("coordinator", URL, "--nodes", "1", "--listen", address, "--out", out)
    assert "give another --listen" in said
