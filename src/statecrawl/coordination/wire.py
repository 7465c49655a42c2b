"""Messages as JSON and back: every field is checked against the type that it is declared with."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

SCHEMA = 8
"""The version of all messages together; processes of different versions don't talk."""


class MessageError(ValueError):
    """What was received is not a message of ours; says why in one line."""


class Codec(NamedTuple):
    """How values of one type become JSON, and how they are read."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def dump(message: Any, kinds: Any) -> bytes:
    """Return a message, of one of the kinds in a union, as JSON."""
    document = {"schema": SCHEMA, **codec(kinds).write(message)}
    return json.dumps(document, separators=(",", ":")).encode()


def load(raw: bytes, kinds: Any) -> Any:
    """Return the message of one of the kinds in a union, or raise MessageError."""
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"not JSON: {error}") from None
    if not isinstance(document, dict) or document.pop("schema", None) != SCHEMA:
        raise MessageError(f"not a message of schema {SCHEMA}: use the same version everywhere")
    return codec(kinds).read(document)


@cache
def codec(hint: Any) -> Codec:
    """Return how values of a type are written and read."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in (str, int, bool, float, NoneType):
        return _plain(hint)
    if origin in (Union, UnionType):
        return _union(arguments)
    if origin in (tuple, list):
        return _sequence(origin, arguments)
    if origin in (dict, Mapping):
        return _mapping(arguments[1])
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Codec(lambda value: value.value, lambda raw: _member(hint, raw))
    if isinstance(hint, type) and (hasattr(hint, "_fields") or is_dataclass(hint)):
        return _record(hint)
    raise TypeError(f"no JSON for {hint}")


def _plain(kind: type) -> Codec:
    def read(raw: Any) -> Any:
        if kind is float:
            if raw == "never":
                return math.inf
            if isinstance(raw, int) and not isinstance(raw, bool):
                return float(raw)
        if type(raw) is not kind:
            raise MessageError(f"{str(raw)[:40]!r} where {kind.__name__} is expected")
        return raw

    return Codec(lambda value: "never" if value == math.inf else value, read)


def _member(kind: type[Enum], raw: Any) -> Enum:
    try:
        return kind(raw)
    except ValueError:
        raise MessageError(f"{str(raw)[:40]!r} is not a {kind.__name__}") from None


def _sequence(origin: type, arguments: tuple[Any, ...]) -> Codec:
    if origin is tuple and arguments[-1] is not Ellipsis:
        parts = [codec(argument) for argument in arguments]

        def read_fixed(raw: Any) -> Any:
            if not isinstance(raw, list) or len(raw) != len(parts):
                raise MessageError(f"not a list of {len(parts)}")
            return tuple(part.read(item) for part, item in zip(parts, raw, strict=True))

        return Codec(
            lambda value: [p.write(item) for p, item in zip(parts, value, strict=True)], read_fixed
        )
    write_item, read_item = codec(arguments[0])

    def read(raw: Any) -> Any:
        if not isinstance(raw, list):
            raise MessageError("not a list")
        return origin(map(read_item, raw))

    return Codec(lambda value: [write_item(item) for item in value], read)


def _mapping(hint: Any) -> Codec:
    write_item, read_item = codec(hint)

    def read(raw: Any) -> Any:
        if not isinstance(raw, dict):
            raise MessageError("not an object")
        return {key: read_item(value) for key, value in raw.items()}

    return Codec(lambda value: {k: write_item(item) for k, item in value.items()}, read)


def _union(arguments: tuple[Any, ...]) -> Codec:
    """Return a codec for one of several records, told apart by `kind`, or None, or a text."""
    records = {kind.__name__: kind for kind in arguments if not _is_simple(kind)}
    simple = [kind for kind in arguments if _is_simple(kind)]
    codecs = {name: codec(kind) for name, kind in records.items()}

    def write(value: Any) -> Any:
        name = type(value).__name__
        if name in codecs:
            return {"kind": name, **codecs[name].write(value)}
        return value

    def read(raw: Any) -> Any:
        if isinstance(raw, dict):
            known = codecs.get(str(raw.get("kind")))
            if known is None:
                raise MessageError(f"there is no message {str(raw.get('kind'))[:40]!r}")
            return known.read({key: value for key, value in raw.items() if key != "kind"})
        if type(raw) not in simple:
            raise MessageError(f"{str(raw)[:40]!r} is not expected here")
        return raw

    return Codec(write, read)


def _is_simple(kind: Any) -> bool:
    return kind in (str, int, float, bool, NoneType)


def _record(kind: type) -> Codec:
    codecs = {name: codec(hint) for name, hint in get_type_hints(kind).items()}

    def read(raw: Any) -> Any:
        if not isinstance(raw, dict) or raw.keys() != codecs.keys():
            found = sorted(raw) if isinstance(raw, dict) else type(raw).__name__
            raise MessageError(f"{kind.__name__} has {', '.join(codecs)}, not {str(found)[:80]}")
        return kind(**{name: each.read(raw[name]) for name, each in codecs.items()})

    return Codec(
        lambda value: {name: each.write(getattr(value, name)) for name, each in codecs.items()},
        read,
    )
