"""Which URLs belong to the application: nothing else is ever asked for by the crawler itself.

The patterns are written so that Python and the agent in the page read them alike.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from statecrawl.errors import InputError

_ORIGIN = re.compile(r"^(https?)://(?:[^/?#@]*@)?([^/?#]+)", re.IGNORECASE)
_SPECIAL = re.compile(r"[.*+?^${}()|\[\]\\/]")
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class Scope:
    """Regular expressions: a URL belongs if one of `inside` fits and none of `outside`."""

    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, starts: Iterable[str], include: Iterable[str] = (), exclude: Iterable[str] = ()
    ) -> "Scope":
        """Return the scope of some URLs: their origins, and what a user adds and takes away.

        A pattern is a URL in which `*` stands for anything; one that begins with `/` is about
        every path that begins so.
        """
        inside = [f"{_quoted(origin_of(start))}(?:[/?#]|$)" for start in starts]
        inside += [_pattern(each) for each in include]
        return cls(tuple(f"^{each}" for each in inside), tuple(f"^{_pattern(e)}" for e in exclude))

    def __contains__(self, url: object) -> bool:
        """Tell whether a URL belongs to the application."""
        text = str(url)
        is_inside = any(re.search(each, text) for each in self.inside)
        return is_inside and not any(re.search(each, text) for each in self.outside)


def origin_of(url: str) -> str:
    """Return the scheme, the host and the port of a URL, as browsers write them."""
    match = _ORIGIN.match(url)
    if match is None:
        raise InputError(f"{url[:200]!r} is not a URL of a web page: give http:// or https://")
    scheme, host = match[1].lower(), match[2].lower()
    return f"{scheme}://{host.removesuffix(_DEFAULT_PORTS[scheme])}"


def path_of(url: str) -> str:
    """Return what of a URL comes after its origin."""
    return _ORIGIN.sub("", url, count=1)


def host_of(pattern: str) -> str:
    """Return the host that a URL or a URL pattern names; it may begin with `*.`."""
    address = pattern.partition("://")[2] or pattern
    host = re.split(r"[/?#]", address, maxsplit=1)[0].rpartition("@")[2].lower()
    host = re.sub(r":(\d+|\*)$", "", host)
    if not re.fullmatch(r"(\*\.)?([a-z0-9_.-]+|\[[0-9a-f:.]+\])", host):
        raise InputError(f"{pattern[:100]!r} names no host: without one --isolate can't be kept")
    return host


def _pattern(text: str) -> str:
    """Return the regular expression of a URL pattern."""
    pattern = text.strip()
    if not pattern or len(pattern) > 2000:
        raise InputError(f"{text[:40]!r} is no URL pattern: give one such as https://host/shop/*")
    if pattern.startswith("/"):
        return r"https?:\/\/[^/?#]+" + _wild(pattern)
    if "://" not in pattern:
        pattern = f"*://{pattern}"
    return _wild(pattern) + ("" if pattern.endswith("*") else "$")


def _wild(pattern: str) -> str:
    return ".*".join(_quoted(part) for part in pattern.split("*"))


def _quoted(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)
