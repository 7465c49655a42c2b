"""Names for things that are numbered, and uneven shares among them."""

from collections.abc import Sequence

_PRIME, _STRIDE = 10_007, 7_919


def nth(words: Sequence[str], number: int) -> str:
    """Return a name that no other number gets: after the last word, words get numbers."""
    turn, index = divmod(number, len(words))
    return f"{words[index]}-{turn + 1}" if turn else words[index]


def uneven(number: int, count: int) -> int:
    """Deal a number to one of `count` places: the first get many numbers, the last few."""
    share = number * _STRIDE % _PRIME
    return share * share * count // (_PRIME * _PRIME)


def evenly(number: int, count: int) -> int:
    """Deal a number to one of `count` places, as if by lot: each gets as many as any other."""
    return number * _STRIDE % _PRIME * count // _PRIME
