"""The values that a user gives for fields: by name, by label or by type."""

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

from statecrawl.core.login import is_secret
from statecrawl.errors import InputError

TABLES = ("name", "label", "type")
"""What a field can be known by; the first that knows it decides."""

MAX_VALUES = 100
MAX_VALUE_CHARACTERS = 10_000

_NO_LETTERS = re.compile("[^A-Za-z0-9]+")
_AFTER_THE_MINUTE = re.compile(r"(?<=\d\d:\d\d):.*")

Values = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Inputs:
    """Values for fields, each a tuple: every value is an event of its own."""

    name: Values = field(default_factory=dict)
    label: Values = field(default_factory=dict)
    type: Values = field(default_factory=dict)

    @property
    def secrets(self) -> dict[str, str]:
        """The values that fields for passwords get, each with the variable to write instead."""
        found: dict[str, str] = {}
        for table in TABLES:
            for key, values in getattr(self, table).items():
                name = f"STATECRAWL_{_NO_LETTERS.sub('_', key).strip('_').upper() or 'SECRET'}"
                for value in values if is_secret(key) else ():
                    found.setdefault(value, _fresh(name, found.values()))
        return found

    @classmethod
    def from_json(cls, stored: Mapping[str, Mapping[str, list[str]]]) -> "Inputs":
        """Return the values as they were stored with a crawl."""
        return cls(
            **{
                table: {key: tuple(values) for key, values in stored[table].items()}
                for table in TABLES
                if table in stored
            }
        )


def _fresh(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken."""
    numbered = (f"{name}_{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)


def parse_inputs(text: str, is_json: bool) -> Inputs:
    """Return the values in a file, TOML or JSON, or say what is wrong with it."""
    try:
        given: Any = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        kind = "JSON" if is_json else "TOML"
        raise InputError(f"the inputs are not {kind}: {_line(error)}") from None
    known = ", ".join(f"[{table}]" for table in TABLES)
    if not isinstance(given, dict):
        raise InputError(f"the inputs must be tables: {known}")
    for table, fields in given.items():
        if table not in TABLES or not isinstance(fields, dict):
            raise InputError(f"the inputs have {table[:40]!r}: put values under {known}")
    return Inputs(
        **{
            table: {key: _values(table, key, value) for key, value in fields.items()}
            for table, fields in given.items()
        }
    )


def _values(table: str, key: str, given: Any) -> tuple[str, ...]:
    """Return the values of one field, each once."""
    where = f"the inputs, [{table}] {key[:40]!r}"
    listed = given if isinstance(given, list) else [given]
    if not 0 < len(listed) <= MAX_VALUES:
        raise InputError(f"{where}: give 1 to {MAX_VALUES} values")
    values = dict.fromkeys(_value(where, value) for value in listed)
    return tuple(values)


def _value(where: str, value: Any) -> str:
    """Return a value as a user would type it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "isoformat"):  # dates and times of TOML
        return _AFTER_THE_MINUTE.sub("", value.isoformat())
    if not isinstance(value, str | int | float):
        raise InputError(f"{where}: give a text, a number, a date, or a list of them")
    if len(text := str(value)) > MAX_VALUE_CHARACTERS:
        raise InputError(f"{where}: a value has more than {MAX_VALUE_CHARACTERS:,} characters")
    return text


def _line(error: Exception) -> str:
    """Return what a parser says, in one line."""
    return " ".join(str(error).split())[:200] or type(error).__name__
