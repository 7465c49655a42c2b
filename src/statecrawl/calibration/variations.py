"""Every setting of an equivalence changed, one at a time: which features matter."""

from collections.abc import Iterator
from typing import Any, get_type_hints

from statecrawl.equivalences import RESEMBLANCES
from statecrawl.equivalences.spec import OneOf, SomeOf, settings

SIZES = (1, 2, 5)
ONE = "size=1"
"""Where the order of pieces says little, as with elements, they are also looked at one by one."""


def variations(name: str) -> Iterator[str]:
    """Yield an equivalence with each value that each of its settings may have."""
    kind = RESEMBLANCES[name]
    hints = get_type_hints(kind, include_extras=True)
    for field in settings(kind):
        for value in _values(hints[field.name], field.name):
            if value != _written(field.default):
                yield f"{name}:{field.name}={value}"
                if field.name == "unit":
                    yield f"{name}:{field.name}={value},{ONE}"


def _values(hint: Any, name: str) -> Iterator[str]:
    """Yield the values to try: all words, yes and no, some sizes."""
    limits = getattr(hint, "__metadata__", (None,))[0]
    if isinstance(limits, OneOf):
        yield from limits.words
    elif isinstance(limits, SomeOf):
        yield "none"
        yield from limits.words
        yield "+".join(limits.words)
    elif getattr(hint, "__origin__", None) is bool:
        yield from ("yes", "no")
    elif name == "size":
        yield from map(str, SIZES)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "+".join(value) if isinstance(value, tuple) else str(value)
