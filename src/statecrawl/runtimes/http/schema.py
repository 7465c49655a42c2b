"""The JSON schema of messages, from the same types that the wire reads and writes them by."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"anyOf": [{"type": "number"}, {"const": "never"}]},
    NoneType: {"type": "null"},
}


def schema(hint: Any) -> dict[str, Any]:
    """Return what JSON a value of a type is."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if origin in (Union, UnionType):
        return {"anyOf": [_record(each, kind=each.__name__) for each in arguments]}
    if origin in (tuple, list):
        return _array(arguments)
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema(arguments[1])}
    if issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    return _record(hint)


def _array(arguments: tuple[Any, ...]) -> dict[str, Any]:
    if len(arguments) == 1 or arguments[-1] is Ellipsis:
        return {"type": "array", "items": schema(arguments[0])}
    size = len(arguments)
    items = [schema(each) for each in arguments]
    return {"type": "array", "prefixItems": items, "minItems": size, "maxItems": size}


def _record(hint: Any, kind: str = "") -> dict[str, Any]:
    """Return what JSON a record is; one of several says in `kind` which it is."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    names = [field.name for field in fields(hint)] if is_dataclass(hint) else hint._fields
    hints = get_type_hints(hint)
    properties = {name: schema(hints[name]) for name in names}
    if kind:
        properties = {"kind": {"const": kind}, **properties}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
