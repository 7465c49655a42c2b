"""Passive security: what the headers, the cookies and the page say by themselves.

Nothing is sent and nothing is tried out. Headers are looked at once for each URL.
"""

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urldefrag, urlsplit

from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.sight import Check, Cookie, Document, Sight

_LOOK = """
(() => {
  const absolute = (url) => {
    try { return new URL(url ?? "", document.baseURI).href; } catch { return ""; }
  };
  const address = (part) => part.getAttribute("src") ?? part.getAttribute("href")
    ?? part.getAttribute("action");
  const all = (css) => [...document.querySelectorAll(css)];
  const forms = all("input[type=password]").map(({form}) => form).filter(Boolean);
  const parts = all("script[src], img[src], iframe[src], link[rel~=stylesheet], form[action]");
  const links = all("a[target=_blank][href]")
    .filter(({rel, origin}) => origin !== location.origin && !/noopener|noreferrer/i.test(rel));
  const policy = document.querySelector("meta[http-equiv=Content-Security-Policy i]");
  return {
    url: location.href,
    policy: policy ? policy.content : "",
    passwords: all("input[type=password]").length,
    byGet: forms.filter((form) => !/^(post|dialog)$/i.test(form.getAttribute("method"))).length,
    sendsTo: forms.map((form) => absolute(address(form))),
    plain: parts.map((part) => absolute(address(part))).filter((url) => url.startsWith("http:"))
      .slice(0, 10),
    openers: links.map(({href}) => href).slice(0, 10),
  };
})()
"""


def security_check() -> Check:
    """Return a check that remembers which documents it has seen."""
    seen: set[str] = set()

    async def check(sight: Sight) -> list[Problem]:
        page = await sight.evaluate_apart(_LOOK)
        document = await sight.document()
        is_https = page["url"].startswith("https:")
        found = [*of_page(page), *of_cookies(await sight.cookies(), is_https)]
        if document is not None and document.url not in seen:
            seen.add(document.url)
            found += of_headers(document, page["policy"])
        return found

    return check


def of_headers(document: Document, policy: str = "") -> Iterator[Problem]:
    """Yield what is missing in the headers; the page itself may give a policy, too."""
    headers, url = document.headers, document.url
    served = headers.get("content-security-policy", "")
    if not served and not policy:
        yield _problem("no Content-Security-Policy", url)
    if headers.get("x-content-type-options", "").strip().lower() != "nosniff":
        yield _problem("no X-Content-Type-Options: nosniff", url)
    if "frame-ancestors" not in served and "x-frame-options" not in headers:
        yield _problem("anybody may put the page into a frame: no frame-ancestors", url)
    if url.startswith("https:") and "strict-transport-security" not in headers:
        yield _problem("no Strict-Transport-Security", url)


def of_cookies(cookies: Sequence[Cookie], is_https: bool) -> Iterator[Problem]:
    """Yield what cookies lack."""
    for cookie in cookies:
        if not cookie.http_only:
            yield _problem(f"cookie {cookie.name!r} can be read by scripts: no HttpOnly")
        if not cookie.same_site:
            yield _problem(f"cookie {cookie.name!r} goes along from other sites: no SameSite")
        if is_https and not cookie.secure:
            yield _problem(f"cookie {cookie.name!r} goes over http, too: no Secure")


def of_page(page: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what is wrong with forms, links and parts of the page."""
    url = urldefrag(page["url"]).url
    if page["passwords"] and any(map(is_open_to_others, [url, *page["sendsTo"]])):
        yield _problem("a password goes over http", url)
    if page["byGet"]:
        yield _problem("a form with a password is sent by GET: the URL would show it", url)
    if url.startswith("https:"):
        for part in page["plain"]:
            yield _problem(f"{part} goes over http in a page that came over https", url)
    for link in page["openers"]:
        yield _problem(f"the link to {link} opens a window without noopener", url)


def is_open_to_others(url: str) -> bool:
    """Tell whether what goes to this URL can be read on the way; this machine has no way."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    try:
        is_here = ip_address(host).is_loopback
    except ValueError:
        is_here = host == "localhost" or host.endswith(".localhost")
    return parts.scheme == "http" and not is_here


def _problem(text: str, where: str = "") -> Problem:
    return Problem(FindingKind.SECURITY, text, where)
