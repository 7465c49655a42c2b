"""Texts that differ from visit to visit: what kind of thing they show, and how to quote them."""

import re

MAX_QUOTED = 40

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?"
_UNIT = r"(?:ms|s|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?)\b"
_TIME = re.compile(
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
    r"|\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:\s?[ap]\.?m\b\.?)?"
    r"|\b\d{1,2}([./])\d{1,2}\1\d{2,4}\b"
    rf"|\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s\d{{4}}\b)?"
    rf"|\b\d{{1,2}}\.?\s{_MONTH}(?:\s\d{{4}}\b)?|\b{_DAY}"
    rf"|\b(?:\d+(?:\.\d+)?|an?)\s?{_UNIT}(?:\sago\b)?|\bjust now\b|\byesterday\b|\btoday\b"
    r"|\b1[4-9]\d{8}(?:\d{3})?\b",
    re.IGNORECASE,
)
_MADE_UP = re.compile(
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    r"|\b0?\.\d{4,}"
    r"|\b(?=[a-z_-]*\d)(?=[\d_-]*[a-z])[\w-]{6,}",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,15}")


def differ_in_time(was: str, now: str) -> bool:
    """Tell whether only dates, times of day, instants or durations differ."""
    return _TIME.sub("\0", was) == _TIME.sub("\0", now)


def differ_in_made_up(was: str, now: str) -> bool:
    """Tell whether only values differ that look as if a program had made them up."""
    return _MADE_UP.sub("\0", was) == _MADE_UP.sub("\0", now)


def differ_in_numbers(was: str, now: str) -> bool:
    """Tell whether only whole numbers differ."""
    return _NUMBER.sub("\0", was) == _NUMBER.sub("\0", now)


def grows(was: str, now: str) -> bool:
    """Tell whether no number is less than it was, of texts that differ only in numbers."""
    pairs = zip(_NUMBER.findall(was), _NUMBER.findall(now), strict=True)
    return all(int(before) <= int(after) for before, after in pairs)


def quoted(text: str) -> str:
    """Return a text of a page as it can be shown: one line, printable, not too long."""
    line = "".join(letter for letter in text.replace("\n", " ") if letter.isprintable())
    return f'"{line[:MAX_QUOTED]}..."' if len(line) > MAX_QUOTED else f'"{line}"'
