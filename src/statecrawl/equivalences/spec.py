"""How users name a resemblance: NAME[:key=value,...], each key a field of its class."""

import math
from collections.abc import Collection, Mapping
from dataclasses import MISSING, Field, fields
from typing import Annotated, Any, NamedTuple, get_type_hints

from statecrawl.errors import InputError

Yes = Annotated[bool, "yes or no"]
_TRUTH = {"yes": True, "no": False}


class Range(NamedTuple):
    """The smallest and the largest value that a field may have."""

    least: float
    most: float


class OneOf(NamedTuple):
    """The words that a field may be."""

    words: Collection[str]


class SomeOf(NamedTuple):
    """The words that a field may be, several of them joined by a plus."""

    words: Collection[str]


def split(spec: str) -> tuple[str, dict[str, str]]:
    """Return the name and the settings of NAME[:key=value,...]."""
    name, _, rest = spec.partition(":")
    given: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"{spec[:80]!r}: write {key[:40]}=VALUE, or leave it out")
        if key.strip() in given:
            raise InputError(f"{spec[:80]!r} says {key.strip()[:40]} twice")
        given[key.strip()] = value.strip()
    return name.strip(), given


def settings(kind: type[Any]) -> list[Field[Any]]:
    """Return what users may set of an equivalence."""
    return [field for field in fields(kind) if field.init]


def build(kind: type[Any], given: Mapping[str, str]) -> Any:
    """Make one of these with the settings given; those not given have their defaults."""
    hints = get_type_hints(kind, include_extras=True)
    known = [field.name for field in settings(kind)]
    values = {}
    for key, text in given.items():
        if key not in known:
            raise InputError(f"unknown setting {key[:40]!r}: give some of {', '.join(known)}")
        values[key] = _read(key, text, hints[key])
    return kind(**values)


def written(name: str, made: Any) -> str:
    """Return the shortest text that `split` and `build` make the same of."""
    said = []
    for field in fields(made):
        value = getattr(made, field.name)
        if field.init and field.default is not MISSING and value != field.default:
            text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
            text = ("+".join(text) or "none") if isinstance(text, tuple) else text
            said.append(f"{field.name}={text}")
    return f"{name}:{','.join(said)}" if said else name


def _read(key: str, text: str, hint: Any) -> Any:
    """Return the value of one setting, or say what is wrong with it."""
    if hint is str:
        return text
    limits = hint.__metadata__[0]
    if isinstance(limits, Range):
        return number(key, text, limits, is_whole=hint.__origin__ is int)
    if isinstance(limits, OneOf):
        return one_of(key, text, limits.words)
    if isinstance(limits, SomeOf):
        parts = [part for part in text.split("+") if part and text != "none"]
        return tuple(dict.fromkeys(one_of(key, part, limits.words) for part in parts))
    return _TRUTH[one_of(key, text, _TRUTH)]


def one_of(key: str, text: str, words: Collection[str]) -> str:
    """Return a word if it is one of those that a setting may be."""
    if text not in words:
        raise InputError(f"{key}={text[:40]!r}: give one of {', '.join(words)}")
    return text


def number(key: str, text: str, limits: Range, *, is_whole: bool = False) -> float:
    """Return a number within limits."""
    try:
        value = int(text) if is_whole else float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise InputError(f"{key}={text[:40]!r} is not a {'whole ' if is_whole else ''}number")
    if not limits.least <= value <= limits.most:
        raise InputError(
            f"{key}={text[:40]} is out of range: "
            f"give a number from {limits.least:g} to {limits.most:g}"
        )
    return value
