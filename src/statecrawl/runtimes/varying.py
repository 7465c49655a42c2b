"""Finds what varies by itself in the pages of a crawl, and has its states keyed again without."""

from collections.abc import Iterable
from dataclasses import replace

from statecrawl.core.identity import StateIdentity
from statecrawl.core.masks import Mask
from statecrawl.core.ports import Store
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.volatility import Volatility


class Varying:
    """What is known of how the pages of one crawl vary; who goes to them again is not its business.

    It is told of every new page, whoever found it.
    """

    def __init__(self, store: Store, identity: StateIdentity, volatility: Volatility) -> None:
        self._store = store
        self._identity = identity
        self._volatility = volatility

    def is_suspect(self, snapshot: Snapshot) -> bool:
        """Tell whether a page may be a known one in other words: it should be visited twice."""
        return self._volatility.is_suspect(snapshot, self._identity.masks)

    def is_checked(self, state: str) -> bool:
        """Tell whether a state that was suspect needs no visit any more."""
        page = self._store.snapshot(state)
        return page is None or self._volatility.is_checked(page, self._identity.masks)

    def ticking(self, snapshot: Snapshot) -> list[Mask]:
        """Return masks for what changes in a page while nobody does anything."""
        return self._volatility.ticking(snapshot, self._identity.masks)

    def compared(self, one: Snapshot, again: Snapshot) -> list[Mask]:
        """Return masks for what differs between two visits of a page."""
        return self._volatility.compare(one, again, self._identity.masks)

    def is_known(self, snapshot: Snapshot) -> bool:
        """Tell whether a page is a state that was found."""
        return self._store.snapshot(self._identity(replace(snapshot, page=""))) is not None

    def counted(self, *states: str | None) -> list[Mask]:
        """Return masks for what differs between two pages that are one but for how they count."""
        known = [self._store.snapshot(state) for state in states if state is not None]
        match [page for page in known if page is not None]:
            case [one, other]:
                return self._volatility.counted(one, other, self._identity.masks)
        return []

    def is_news(self, found: Iterable[Mask]) -> bool:
        """Tell whether any of the masks found leaves out what is not left out yet."""
        masks = self._identity.masks
        return masks.plus(found).version != masks.version

    def learn(self, found: Iterable[Mask]) -> dict[str, str]:
        """Leave out what varies from now on: states are keyed again, and some become one.

        Return the ids that all states have now (old -> new).
        """
        masks = self._identity.masks = self._identity.masks.plus(found)
        aliases = {
            old: self._identity(replace(snapshot, page="")) for old, snapshot in self._store.doms()
        }
        self._store.rekey(masks, aliases)
        return aliases
