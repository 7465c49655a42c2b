"""Which pages were seen: what each one shows, and which state it is."""

from statecrawl.core.column import Column
from statecrawl.core.ports import Identity
from statecrawl.core.roll import Roll
from statecrawl.core.shelf import InMemory, Shelving
from statecrawl.core.small_maps import SmallMaps
from statecrawl.core.snapshot import Snapshot


class Pages:
    """The pages that any tab has seen, by name; their content is given out once.

    The agent compares names of pages, so a plan carries the names that a state is known by.
    """

    def __init__(self, identity: Identity, shelving: Shelving = InMemory) -> None:
        self._identity = identity
        self._shelving = shelving
        self.forget()
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
        page = self._names.number(name)
        if page is None:
            return None
        url, title = self._urls[self._url_of[page]], self._titles[self._title_of[page]]
        return Snapshot("", (), url, title=title, page=name)

    def add(self, snapshot: Snapshot) -> None:
        """Remember a page, and which state it is; another tab may have done so meanwhile."""
        page = self._names.add(snapshot.page)
        state = self._states.add(self._identity(snapshot))
        if page == len(self._url_of):
            self._url_of.append(0)
            self._title_of.append(0)
        if state == len(self._pages_of):
            self._pages_of.append()
        self._url_of[page] = self._urls.add(snapshot.url)
        self._title_of[page] = self._titles.add(snapshot.title)
        self._pages_of.put(state, page)

    def state(self, snapshot: Snapshot) -> str:
        """Return the state that a page is."""
        return self._identity(snapshot)

    def names(self, state: str) -> list[str]:
        """Return the names of the pages that are this state."""
        number = self._states.number(state)
        return [] if number is None else [self._names[page] for page in self._pages_of[number]]

    def forget(self) -> None:
        """Forget all names: with other masks pages have others."""
        shelf = self._shelving()
        self._names, self._states = Roll(shelf=shelf), Roll(shelf=shelf)
        self._pages_of = SmallMaps("b")
        self._urls, self._titles = Roll(shelf=shelf), Roll(shelf=shelf)
        self._url_of, self._title_of = Column("i", shelf), Column("i", shelf)
