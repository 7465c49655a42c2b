"""What makes a browser signed in: cookies and storage, held in memory only."""

import json
from typing import Any, NamedTuple

_PUT_BACK = """(() => {{
  const kept = {kept};
  if (window !== window.top || location.origin !== kept.origin) return;
  try {{
    for (const [name, value] of kept.local) localStorage.setItem(name, value);
    for (const [name, value] of kept.session) sessionStorage.setItem(name, value);
  }} catch {{}}
}})();"""
_COOKIE_PARTS = ("name", "value", "path", "secure", "httpOnly", "sameSite", "priority")


class Keepsake(NamedTuple):
    """Cookies as the protocol tells them, and what one origin stored."""

    cookies: list[dict[str, Any]]
    storage: dict[str, Any]

    def cookies_to_set(self) -> list[dict[str, Any]]:
        """Return the cookies in the form in which the protocol takes them."""
        return [_to_set(cookie) for cookie in self.cookies]

    def script(self) -> str:
        """Return what puts the storage back, before any script of the document runs."""
        return _PUT_BACK.format(kept=json.dumps(self.storage))


def _to_set(cookie: dict[str, Any]) -> dict[str, Any]:
    """Return a cookie to set; one without a dot before its domain is of that host only."""
    given = {part: cookie[part] for part in _COOKIE_PARTS if part in cookie}
    domain = cookie["domain"]
    if domain.startswith("."):
        given["domain"] = domain
    else:
        scheme = "https" if cookie.get("secure") else "http"
        given["url"] = f"{scheme}://{domain}{cookie['path']}"
    if not cookie.get("session", True):
        given["expires"] = cookie["expires"]
    return given
