"""Identity by resemblance, when the user says so: near-duplicates are one state."""

from collections.abc import Iterable

from statecrawl.core.classes import Decision, Resolver
from statecrawl.core.identity import Equivalence, StateIdentity
from statecrawl.core.masks import Masks
from statecrawl.core.resemblance import EventRule, Features, NearEquivalence, Page
from statecrawl.core.shelf import InMemory, Shelving
from statecrawl.core.snapshot import Snapshot


class NearIdentity(StateIdentity):
    """Public ids of representatives: a page near one that is known has its id.

    The id of a representative is the one it has by the exact equivalence. Every decision about a
    page is kept in `decided`, with the page's features, until somebody takes it from there.
    """

    def __init__(
        self,
        near: NearEquivalence,
        exact: Equivalence,
        masks: Masks | None = None,
        shelving: Shelving = InMemory,
    ) -> None:
        super().__init__(exact, masks, shelving)
        self._near = near
        self.decided: list[tuple[Decision, Features]] = []

    def _forget(self) -> None:
        super()._forget()
        self._resolvers: dict[frozenset[str] | None, Resolver] = {}
        self._pages: dict[str, str] = {}
        self._variants: dict[str, dict[frozenset[str], str]] = {}
        self._kin: dict[str, str] = {}
        self._offers: dict[str, frozenset[str]] = {}
        self._strays: set[str] = set()

    @property
    def names(self) -> tuple[str, str]:
        """The names of the equivalence and of the resemblance that decide."""
        return self._near.name, self._near.resemblance.name

    def recall(self, states: Iterable[tuple[str, Snapshot]]) -> None:
        """Take in the states of a crawl that goes on, in the order of discovery."""
        for state, snapshot in states:
            self._pages[state] = self._decide(state, snapshot)
        self.decided.clear()

    def kin(self, state: str) -> tuple[str, ...]:
        """Return the states that look alike but offer other events, which are kept beside."""
        return tuple(self._variants.get(self._kin.get(state, ""), {}).values())

    def is_stray(self, snapshot: Snapshot) -> bool:
        """Tell whether a page is taken for a state whose events are not those of the page."""
        return snapshot.page in self._strays

    def _identify(self, snapshot: Snapshot) -> str:
        page = super()._identify(snapshot)
        if page not in self._pages:
            self._pages[page] = self._decide(page, snapshot)
        state = self._pages[page]
        if snapshot.page and self._offers[page] != self._offers[state]:
            self._strays.add(snapshot.page)
        return state

    def _decide(self, page: str, snapshot: Snapshot) -> str:
        """Return the state that a page is, by its name, which becomes a state's if it is new."""
        near = self._near
        events = frozenset(event.identity for event in snapshot.events)
        self._offers[page] = events
        group = events if near.events is EventRule.SAME else None
        if group not in self._resolvers:
            self._resolvers[group] = Resolver(near)
        features = near.resemblance.features(Page.of(snapshot, self.masks))
        decision = self._resolvers[group].decide(page, features)
        self.decided.append((decision, features))
        if near.events is not EventRule.UNION:
            return decision.representative
        variants = self._variants.setdefault(decision.representative, {})
        state = variants.setdefault(events, page)
        self._kin[state] = decision.representative
        return state


class AskedIdentity(StateIdentity):
    """Identity by resemblance that others decide: it is told which state a page is.

    Until then a page is a state of its own, named as it would be by the exact equivalence.
    """

    def __init__(
        self, near: NearEquivalence, exact: Equivalence, masks: Masks | None = None
    ) -> None:
        super().__init__(exact, masks)
        self._near = near

    def _forget(self) -> None:
        super()._forget()
        self._told: dict[str, str] = {}

    def __call__(self, snapshot: Snapshot) -> str:
        """Return the public id of the state that this snapshot shows, as far as it is known."""
        page = super().__call__(snapshot)
        return self._told.get(page, page)

    def question(self, snapshot: Snapshot) -> tuple[str, tuple[int, ...], tuple[str, ...]] | None:
        """Return name, features and group of a page; None: it is known which state it is."""
        page = super().__call__(snapshot)
        return None if page in self._told else (page, *self.traits(snapshot))

    def traits(self, snapshot: Snapshot) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Return features and group of a page; those of different groups are never one state."""
        events = sorted({event.identity for event in snapshot.events})
        group = events if self._near.events is EventRule.SAME else []
        features = self._near.resemblance.features(Page.of(snapshot, self.masks))
        return tuple(map(int, features)), tuple(group)

    def tell(self, page: str, representative: str) -> None:
        """Hear which state a page is."""
        self._told[page] = representative
