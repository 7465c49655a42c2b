"""Answers from an archive: pages are as they were recorded, and nothing is asked of anybody."""

from base64 import b64encode
from collections.abc import Iterable
from urllib.parse import urldefrag

from statecrawl.browser.exchanges import EVENT_STREAM, kind_of, sent_with
from statecrawl.browser.meter import Meter
from statecrawl.browser.protocol import Params
from statecrawl.core.exchange import Asked, Exchange

NOT_THERE = "not_in_archive"
NEVER_AGAIN = b"retry: 2000000000\n\n"
_MISSING = b"This is not in the archive.\n"


class Archive:
    """Recorded exchanges by what was asked; one answer to a request is given each time.

    That is the first whole one, or else what is longest of those that were cut off.
    """

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        self._known: dict[Asked, Exchange] = {}
        for exchange in exchanges:
            known = self._known.get(exchange.asked)
            if known is None or _is_better(exchange, known):
                self._known[exchange.asked] = exchange

    def answer(self, request: Params, meter: Meter) -> Params:
        """Return how a request is to be answered; what is not there gets a 404, and is counted."""
        method, url = request["method"], urldefrag(request["url"]).url
        found = self._known.get(Asked(method, url, sent_with(request)))
        if found is None and method == "HEAD":
            found = self._known.get(Asked("GET", url))
        if found is None:
            meter.failures[NOT_THERE] += 1
            headers = [{"name": "Content-Type", "value": "text/plain"}]
            return {
                "responseCode": 404,
                "responsePhrase": "Not in the archive",
                "responseHeaders": headers,
                "body": b64encode(_MISSING).decode(),
            }
        return {
            "responseCode": found.status,
            **({"responsePhrase": found.reason} if found.reason else {}),
            "responseHeaders": [{"name": name, "value": value} for name, value in found.headers],
            "body": b64encode(_played(found)).decode(),
        }


def _is_better(exchange: Exchange, known: Exchange) -> bool:
    longer = len(exchange.body) > len(known.body)
    return known.is_cut and (longer or not exchange.is_cut)


def _played(found: Exchange) -> bytes:
    """Return the body; a page that hears the end of an event stream must not ask for it again."""
    return NEVER_AGAIN + found.body if kind_of(found.headers) == EVENT_STREAM else found.body
