"""Installs a browser where there is none, the way the system does it."""

import os
import shutil
import subprocess

from statecrawl.browser.launch import HOW_TO_INSTALL, find_browser
from statecrawl.errors import BrowserError

INSTALL_SECONDS = 900
_ENVIRONMENT = {"DEBIAN_FRONTEND": "noninteractive"}


def installed_browser() -> str:
    """Return the path of a browser; install Debian's Chromium first if there is none.

    That needs apt and the rights to use it; without, say what to do.
    """
    try:
        return find_browser()
    except BrowserError:
        if shutil.which("apt-get") is None or os.geteuid() != 0:
            raise
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        try:
            subprocess.run(  # noqa: S603 - fixed arguments
                ["apt-get", "--quiet", *arguments],  # noqa: S607 - wherever the system has it
                check=True,
                capture_output=True,
                timeout=INSTALL_SECONDS,
                env={**os.environ, **_ENVIRONMENT},
            )
        except (subprocess.SubprocessError, OSError) as error:
            raise BrowserError(
                f"apt-get {arguments[0]} failed ({error}); {HOW_TO_INSTALL}"
            ) from None
    return find_browser()
