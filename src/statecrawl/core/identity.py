"""Which state a page is: the one place where "the same" is decided."""

from collections.abc import Callable
from hashlib import blake2b

from statecrawl.core.dom import Element, parse
from statecrawl.core.masks import Masks
from statecrawl.core.roll import Packed, Roll
from statecrawl.core.shelf import InMemory, Shelving
from statecrawl.core.snapshot import Snapshot

Equivalence = Callable[[Element], str]
"""Gives pages that are the same one key; masks have been applied before."""


class StateIdentity:
    """Public ids from an equivalence: a short hash of the page's key and its enabled events."""

    def __init__(
        self, equivalence: Equivalence, masks: Masks | None = None, shelving: Shelving = InMemory
    ) -> None:
        self._equivalence = equivalence
        self._shelving = shelving
        self._masks = masks or Masks()
        self._forget()

    @property
    def masks(self) -> Masks:
        """What is left out of identity."""
        return self._masks

    @masks.setter
    def masks(self, masks: Masks) -> None:
        self._masks = masks
        self._forget()

    def _forget(self) -> None:
        """Drop what was decided about pages: under other masks it may be otherwise."""
        shelf = self._shelving()
        self._seen = Roll(shelf=shelf)
        self._states = Packed(shelf)  # of each page

    def __call__(self, snapshot: Snapshot) -> str:
        """Return the public id of the state that this snapshot shows."""
        number = self._seen.number(snapshot.page) if snapshot.page else None
        if number is not None:
            return self._states[number]
        public_id = self._identify(snapshot)
        if snapshot.page:
            self._seen.append(snapshot.page)
            self._states.append(public_id)
        return public_id

    def _identify(self, snapshot: Snapshot) -> str:
        key = self._equivalence(self._masks.apply(parse(snapshot.dom)))
        whole = "\0".join([key, *sorted([event.identity for event in snapshot.events])])
        return blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
