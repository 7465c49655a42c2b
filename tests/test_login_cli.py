"""`--login` and `statecrawl login`, as users meet them when something is wrong."""

import subprocess
from pathlib import Path

import pytest

from tests.command import statecrawl as command

NOWHERE = "http://127.0.0.1:1/"
NO_BROWSER = ("--browser", "/nowhere/chromium")
"""Would be another error, if anybody tried to start it."""


def statecrawl(*arguments: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    with pytest.MonkeyPatch.context() as patching:
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            patching.delenv(name, raising=False)
        for name, value in variables.items():
            patching.setenv(name, value)
        return command(*arguments, cwd=cwd)


def told(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that the command said."""
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "can't read 'login.txt': No such file"),
        (b"\xff\xfe", "can't read 'login.txt': it is no text"),
        (b"", "the login has no steps"),
        (b"open /\nlog in\n", "line 2 of the login: begin a step with one of open, fill"),
        (b"fill Password with hunter2", "line 1 of the login: a password comes from"),
        (b"fill Name with $ONE\nfill Key with $TWO", "the login needs ONE and TWO: set them"),
    ],
)
def test_a_wrong_login_is_told_before_a_browser_starts(
    text: bytes | None, problem: str, tmp_path: Path
) -> None:
    if text is not None:
        (tmp_path / "login.txt").write_bytes(text)
    done = statecrawl("crawl", NOWHERE, "--login", "login.txt", *NO_BROWSER, cwd=tmp_path)
    assert done.returncode == 2
    assert problem in told(done)
    assert "hunter2" not in done.stderr
    assert not (tmp_path / "crawls").exists()


def test_a_login_that_is_right_is_not_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "login.txt").write_text("fill Name with $ONE\n")
    done = statecrawl("crawl", NOWHERE, "--login", "login.txt", *NO_BROWSER, cwd=tmp_path, ONE="1")
    assert done.returncode == 4
    assert "/nowhere/chromium" in told(done)


@pytest.mark.parametrize("more", [(), ("--output", "there.txt")])
def test_without_a_screen_nothing_can_be_recorded(more: tuple[str, ...], tmp_path: Path) -> None:
    done = statecrawl("login", NOWHERE, *more, cwd=tmp_path)
    assert done.returncode == 4
    assert "there is no screen" in told(done)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "login.txt").write_text("mine")
    done = statecrawl("login", NOWHERE, cwd=tmp_path, DISPLAY=":99")
    assert done.returncode == 2
    assert "'login.txt' is there already" in told(done)
    assert (tmp_path / "login.txt").read_text() == "mine"
