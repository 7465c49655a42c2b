"""The one HTML document of the page, and the bundle that it loads."""

from functools import cache
from importlib.resources import files

from statecrawl.errors import InputError

BUNDLE = ("page.js", "page.css", "icon.svg")

SAME = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types statecrawl"
)
FROM_SERVER = (
    f"{SAME}; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    "frame-ancestors 'none'"
)
FROM_DISK = f"{SAME}; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:"
"""A file has no origin; what it may load are other files."""

LABEL = "label"
"""The kind of the annotation page."""


@cache
def bundled(name: str) -> bytes:
    """Return one file of the bundle."""
    try:
        return (files("statecrawl.web") / "bundle" / name).read_bytes()
    except OSError:
        raise InputError(
            "the web page was not built with this package: install it again with pip"
        ) from None


def shell(*, policy: str = "", chunk: int = 0, kind: str = "") -> str:
    """Return the document; where no server sends it, it has the policy, and files of data.

    The chunk is how many states are in one of those files; the kind is the page's, if it is not
    the one over a crawl.
    """
    told = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n' if policy else ""
    files = f' data-chunk="{chunk}"' if chunk else ""
    files += f' data-kind="{kind}"' if kind else ""
    return (
        f'<!doctype html>\n<html lang="en"{files}>\n<meta charset="utf-8">\n'
        f"{told}"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        "<title>statecrawl</title>\n"
        '<link rel="icon" href="icon.svg" type="image/svg+xml">\n'
        '<link rel="stylesheet" href="page.css">\n'
        '<script src="page.js" defer></script>\n'
        '<div id="app"><noscript>This page needs JavaScript.</noscript></div>\n'
        "</html>\n"
    )
