"""Where crawls are kept. One folder is one crawl: a database and the screenshots.

Or the folder says which schema of a PostgreSQL database holds them.
"""

from statecrawl.storage.opening import check_free, create_crawl, open_crawl
from statecrawl.storage.sqlite import SqliteStore
from statecrawl.storage.store import SqlStore

__all__ = ["SqlStore", "SqliteStore", "check_free", "create_crawl", "open_crawl"]
