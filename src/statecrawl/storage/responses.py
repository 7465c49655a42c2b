"""The responses that a crawl recorded, each distinct one once, in a database beside it.

They are apart because they may be many times as large as the rest, and most crawls have none.
"""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from statecrawl.core.exchange import Asked, Exchange
from statecrawl.storage.encoding import pack, unpack
from statecrawl.storage.schema import blaming, reading

RESPONSES = "responses.db"
MAX_BODY_BYTES = 256 * 2**20

_TABLE = """
CREATE TABLE IF NOT EXISTS responses (
    id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, at REAL NOT NULL,
    method TEXT NOT NULL, url TEXT NOT NULL, request_headers TEXT NOT NULL, sent BLOB NOT NULL,
    status INTEGER NOT NULL, reason TEXT NOT NULL, headers TEXT NOT NULL, body BLOB NOT NULL,
    is_cut INTEGER NOT NULL
)
"""


class Responses:
    """Where responses are written. What was added survives the death of the process.

    Those that come before there is a folder wait for it.
    """

    def __init__(self) -> None:
        self._path = Path(RESPONSES)
        self._connection: sqlite3.Connection | None = None
        self._waiting: list[Exchange] = []

    def open(self, folder: Path) -> None:
        """Begin to write, in the folder of a crawl."""
        self._path = folder / RESPONSES
        with blaming(self._path):
            self._connection = sqlite3.connect(self._path, isolation_level=None)
            self._connection.execute("PRAGMA synchronous = OFF")  # the process may die all the same
            self._connection.execute(_TABLE)
        waiting, self._waiting = self._waiting, []
        for exchange in waiting:
            self.add(exchange)

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()

    def add(self, exchange: Exchange) -> None:
        """Keep a response, unless it is there already."""
        if self._connection is None:
            self._waiting.append(exchange)
            return
        digest = exchange.digest
        with blaming(self._path):
            known = "SELECT 1 FROM responses WHERE digest = ?"
            if self._connection.execute(known, (digest,)).fetchone():
                return
            method, url, sent = exchange.asked
            self._connection.execute(
                "INSERT INTO responses VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(digest, exchange.at, pack(method), pack(url)),
                    *(pack(exchange.request_headers), sent, exchange.status),
                    *(pack(exchange.reason), pack(exchange.headers), zlib.compress(exchange.body)),
                    exchange.is_cut,
                ),
            )


def recorded(folder: Path) -> Iterator[Exchange]:
    """Yield the responses that a crawl recorded, in order; none when it did not."""
    path = folder / RESPONSES
    if not path.is_file():
        return
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with reading(path), closing(sqlite3.connect(uri, uri=True)) as connection:
        rows = connection.execute(
            "SELECT method, url, sent, request_headers, status, reason, headers, body, at, is_cut "
            "FROM responses ORDER BY id"
        )
        for method, url, sent, asked_with, status, reason, headers, body, at, is_cut in rows:
            yield Exchange(
                Asked(unpack(method), unpack(url), sent),
                tuple((name, value) for name, value in unpack(asked_with)),
                status,
                unpack(reason),
                tuple((name, value) for name, value in unpack(headers)),
                zlib.decompressobj().decompress(body, MAX_BODY_BYTES),
                at,
                bool(is_cut),
            )
