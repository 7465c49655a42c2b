"""Which pages were seen: what each one shows, and which state it is."""

from statecrawl.core.ports import Identity
from statecrawl.core.snapshot import Snapshot


class Pages:
    """The pages that any tab has seen, by name; their content is given out once.

    The agent compares names of pages, so a plan carries the names that a state is known by.
    """

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._seen: dict[str, tuple[str, str]] = {}  # URL and title, which many pages share
        self._shared: dict[tuple[str, str], tuple[str, str]] = {}
        self._names: dict[str, str | list[str]] = {}
        self.effective: set[str] = set()
        """Events that did something somewhere when they were dispatched."""
        self.tried: set[str] = set()
        """Events that did nothing and were tried again with trusted input."""
        self.trusted: set[str] = set()
        """Events that need trusted input."""
        self.indiscreet: set[str] = set()
        """Pages that show a secret."""

    def seen(self, name: str) -> Snapshot | None:
        """Return what is known of a page: without its content, which was given out before."""
        known = self._seen.get(name)
        return None if known is None else Snapshot("", (), known[0], title=known[1], page=name)

    def add(self, snapshot: Snapshot) -> None:
        """Remember a page, and which state it is."""
        state = self._identity(snapshot)
        where = snapshot.url, snapshot.title
        self._seen[snapshot.page] = self._shared.setdefault(where, where)
        known = self._names.setdefault(state, snapshot.page)
        if known != snapshot.page:
            self._names[state] = [*self.names(state), snapshot.page]

    def state(self, snapshot: Snapshot) -> str:
        """Return the state that a page is."""
        return self._identity(snapshot)

    def names(self, state: str) -> list[str]:
        """Return the names of the pages that are this state."""
        known = self._names.get(state, [])
        return [known] if isinstance(known, str) else known

    def forget(self) -> None:
        """Forget all names: with other masks pages have others."""
        self._seen.clear()
        self._shared.clear()
        self._names.clear()
