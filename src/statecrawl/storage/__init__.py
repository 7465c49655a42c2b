"""Where crawls are kept. One folder is one crawl: a database and the screenshots."""

from statecrawl.storage.sqlite import SqliteStore

__all__ = ["SqliteStore"]
