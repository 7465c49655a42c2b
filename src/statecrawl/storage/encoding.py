"""How values are written into columns.

What a page can choose (labels, titles, identities, URLs) is stored as JSON in ASCII: so null
characters and lone surrogates survive in every database.
"""

import json
import zlib
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
import orjson

from statecrawl.core.resemblance import Features
from statecrawl.core.snapshot import Event, Filling, Snapshot

MAX_DOM_BYTES = 256 * 2**20
_WINDOW_BYTES = 32 * 1024
_PLAIN = 5
"""How many fields every event has; forms that are filled have one more."""

_encoder = json.JSONEncoder(separators=(",", ":"))
pack: Callable[[object], str] = _encoder.encode
_DELETE = b"\x7f"


def pack_plain(value: object) -> str:
    """Write a value as `pack` does, but sooner; numbers must be finite.

    What orjson refuses or writes otherwise is left to the slow way.
    """
    try:
        raw = orjson.dumps(value)
    except TypeError:
        return pack(value)
    return raw.decode() if raw.isascii() and _DELETE not in raw else pack(value)


def unpack(text: str) -> Any:
    """Read a value with integers of 64 bits at most.

    What orjson refuses, such as lone surrogates, is read the slow way.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)


def pack_look(event: Event) -> str:
    """Write down an event without its identity."""
    return pack(_look(event))


def _look(event: Event) -> list[object]:
    look: list[object] = [event.group, event.kind, event.label, event.locator, event.url]
    return [*look, event.fillings] if event.fillings else look


def unpack_event(identity: str, look: str) -> Event:
    """Read an event from its two columns."""
    return _event(unpack(identity), *unpack(look))


def _event(identity: str, *look: Any) -> Event:
    plain, fillings = look[:_PLAIN], look[_PLAIN:]
    return Event(identity, *plain, *(tuple(Filling(*each) for each in put) for put in fillings))


def pack_page(snapshot: Snapshot, numbers: Sequence[int], known: Sequence[Event]) -> str:
    """Write down a page without its content and its regions.

    An event that looks as it did when first seen is just its number.
    """
    events: list[object] = []
    for event, number, first in zip(snapshot.events, numbers, known, strict=True):
        events.append(number if event == first else [number, *_look(event)])
    return pack_plain([snapshot.url, snapshot.title, events])


def unpack_page(page: str, regions: str, known: Callable[[int], Event], dom: str = "") -> Snapshot:
    """Read a page; `known` gives each event as it was first seen."""
    url, title, events = unpack(page)
    shown = tuple(
        known(entry) if isinstance(entry, int) else _event(known(entry[0]).identity, *entry[1:])
        for entry in events
    )
    return Snapshot(dom, shown, url, unpack(regions), title)


def dom_bytes(dom: str) -> bytes:
    """Return a DOM as bytes, whatever is in it."""
    return dom.encode("utf-8", "surrogatepass")


def digest(raw: bytes) -> bytes:
    """Return what tells one content from all others."""
    return blake2b(raw, digest_size=16).digest()


def compress(raw: bytes, base: bytes = b"") -> bytes:
    """Compress a content; the pages of one application are much alike, so a base helps."""
    packer = zlib.compressobj(6, zdict=base[-_WINDOW_BYTES:]) if base else zlib.compressobj(6)
    return packer.compress(raw) + packer.flush()


def decompress(data: bytes, base: bytes = b"") -> bytes:
    """Undo `compress`; what would become unreasonably large is refused."""
    unpacker = zlib.decompressobj(zdict=base[-_WINDOW_BYTES:]) if base else zlib.decompressobj()
    raw = unpacker.decompress(data, MAX_DOM_BYTES)
    if not unpacker.eof:
        raise zlib.error("the content does not end where it should")
    return raw


def pack_features(features: Features) -> bytes:
    """Write down the features of a page; hashes hardly get smaller, but sorted ones do."""
    return compress(np.diff(features, prepend=np.uint64(0)).astype("<u8").tobytes())


def unpack_features(data: bytes) -> Features:
    """Read the features of a page."""
    steps = np.frombuffer(decompress(data), dtype="<u8").astype(np.uint64)
    return np.cumsum(steps, dtype=np.uint64)
