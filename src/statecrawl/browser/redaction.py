"""Takes secrets out of what pages tell, before anybody stores, logs or shows it."""

import json
import re
from base64 import b64encode
from html import escape
from typing import Any
from urllib.parse import quote, quote_plus

MIN_CHARACTERS = 4
"""Shorter secrets can't be told from other text."""

REDACTED = "***"


class Redaction:
    """Replaces secrets, as they are and as they are written in URLs, HTML and JSON."""

    def __init__(self) -> None:
        self._secrets: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, secret: str) -> None:
        """Take out one more."""
        if secret in self._secrets or len(secret) < MIN_CHARACTERS:
            return
        self._secrets.add(secret)
        written = {each for secret in self._secrets for each in _ways_to_write(secret)}
        longest_first = sorted(written, key=lambda each: (-len(each), each))
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def __call__(self, told: Any) -> Any:
        """Return the same thing without secrets; it is made of what JSON is made of."""
        if self._pattern is None:
            return told
        if isinstance(told, str):
            return self._pattern.sub(REDACTED, told)
        if isinstance(told, list | tuple):
            return [self(each) for each in told]
        if isinstance(told, dict):
            return {name: self(each) for name, each in told.items()}
        return told


def _ways_to_write(secret: str) -> set[str]:
    escaped = {quote(secret, safe=""), quote(secret), quote_plus(secret)}
    in_lower_case = {re.sub("%..", lambda found: found[0].lower(), each) for each in escaped}
    return {
        secret,
        *escaped,
        *in_lower_case,
        escape(secret),
        escape(secret, quote=False),
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        b64encode(secret.encode()).decode(),
    }
