"""Who keeps the crawl of a ring: one folder, and what varies in the pages of all coordinators."""

from collections import Counter
from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Any, NamedTuple

from statecrawl.coordination.book import way_to
from statecrawl.coordination.machine import Address
from statecrawl.coordination.membership import Disk
from statecrawl.coordination.recalled import Recalled, recalled_copies, recalled_order
from statecrawl.coordination.ring_messages import Copy
from statecrawl.coordination.wire import codec
from statecrawl.core.counts import Counts
from statecrawl.core.facts import EntryFound, Executed, Fact
from statecrawl.core.masks import Mask, Masks
from statecrawl.core.near_identity import AskedIdentity
from statecrawl.core.plan import Plan
from statecrawl.core.ports import Store
from statecrawl.core.snapshot import Snapshot
from statecrawl.core.ways import Ways
from statecrawl.core.wish import Wish
from statecrawl.runtimes.doubts import Doubts
from statecrawl.runtimes.recorder import Recorder
from statecrawl.runtimes.varying import Varying

GENERATION = "generation"
"""The setting that counts how often coordinators began anew on a crawl."""
DISKS = "disks"
"""The setting that holds what the coordinators of a ring have promised."""
EVERYBODY = ""
"""Doubts of a ring are anybody's: whoever has time goes there again."""
ASK_AGAIN_SECONDS = 30.0
MAX_ASKED = 3
"""So many crawlers are asked to go to a doubtful page; then it stays as it is."""

_DISK = codec(Disk)


class Begun(NamedTuple):
    """What a crawler has to know of a generation that it takes part in."""

    generation: int
    masks: Masks


class Part(NamedTuple):
    """What a coordinator has to know of a generation that it takes part in."""

    generation: int
    entries: tuple[str, ...]
    disk: Disk
    recalled: Recalled


class Doubt(NamedTuple):
    """A page that may be a known one in other words, and a way to it."""

    state: str
    way: Plan


class Told(NamedTuple):
    """What a crawler hears when it says what it has done.

    Settled: no page is in doubt, and no window was opened that is not entered yet.
    """

    generation: int
    is_paused: bool
    is_stopped: bool
    doubt: Doubt | None
    is_settled: bool


class Kept(NamedTuple):
    """How far a crawl is."""

    generation: int
    states: int
    events: int
    wish: Wish
    is_settled: bool


def begin_generation(store: Store) -> int:
    """Let a ring begin with what is stored; whatever one before it says is passed over."""
    generation = int(store.about.get(GENERATION, 0)) + 1
    store.note({GENERATION: generation, DISKS: {}})
    return generation


class Keeper:
    """Makes durable what coordinators learn, and lets all begin anew when it shows what varies.

    States have other names under other masks. So coordinators and crawlers work in a generation:
    each begins with what is stored by then, and what is said in another one is not heard. What
    varies is learned on the way unless identity is `near`, by resemblance.
    """

    def __init__(
        self,
        store: Store,
        recorder: Recorder,
        varying: Varying,
        near: AskedIdentity | None = None,
    ) -> None:
        self._store = store
        self._near = near
        self.recorder = recorder
        self._varying = varying
        self._doubts = None if near is not None else Doubts(varying)
        self._is_stopped = False
        self._asked_at: dict[str, float] = {}
        self._asked: Counter[str] = Counter()
        self._disks: dict[str, Any] = dict(store.about.get(DISKS, {}))
        self.generation = int(store.about.get(GENERATION, 0))
        self._recall()

    def _recall(self) -> None:
        self._ways = Ways()
        self._entries = list(self._store.about["entries"])
        self._follow(self._store.facts())
        self._entered = len(self._entries)
        self._copies: dict[Address, list[Copy]] = {}

    def _follow(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            if isinstance(fact, Executed):
                self._ways.learn(fact.source, fact.event, fact.target)
            elif isinstance(fact, EntryFound) and fact.url not in self._entries:
                self._entries.append(fact.url)

    def begun(self) -> Begun:
        """Return what a crawler has to know."""
        return Begun(self.generation, self._store.masks)

    def part(self, address: Address, everyone: tuple[Address, ...]) -> Part:
        """Return what a coordinator has to know: what it has promised, and what it keeps."""
        kept = self._disks.get(address)
        disk = Disk() if kept is None else _DISK.read(kept)
        entries = tuple(self._entries)
        if address not in self._copies:  # all ask for theirs at about the same time
            self._copies = recalled_copies(self._store.facts(), entries, everyone)
        copies, near = self._copies.pop(address), self._near
        order = None if near is None else recalled_order(self._store.doms(), near.traits)
        return Part(self.generation, entries, disk, Recalled(copies, order))

    def keep(self, generation: int, address: Address, disk: Disk) -> None:
        """Make durable what a coordinator promises."""
        if generation == self.generation:
            self._disks[address] = _DISK.write(disk)
            self._store.note({DISKS: self._disks})

    def record(self, generation: int, facts: Sequence[Fact]) -> None:
        """Make facts durable, and look for what they say of how pages vary."""
        if generation != self.generation:
            return
        given = self._store.about["entries"]
        facts = [f for f in facts if not isinstance(f, EntryFound) or f.url not in given]
        self.recorder.record(facts)
        self._follow(facts)
        if self._doubts is not None:
            self._learn(self._doubts.hear(EVERYBODY, facts, self._ways.outcomes))

    def tell(self, generation: int, name: str, counts: Counts) -> Told:
        """Hear what a crawler has done up to now; return what it is to do beside crawling."""
        doubt = None
        if generation == self.generation:
            self.recorder.tell(name, counts)
            doubt = self._next_doubt()
        is_paused, is_stopped = self._store.wish is Wish.PAUSE, self._is_stopped
        return Told(self.generation, is_paused, is_stopped, doubt, self._is_settled)

    def stop(self) -> None:
        """Let all crawlers go, when they say next what they have done."""
        self._is_stopped = True

    def show(self, generation: int, state: str, visits: tuple[Snapshot, Snapshot] | None) -> None:
        """Take in what a crawler saw when it went to a doubtful page twice, None: it could not."""
        if generation == self.generation and self._doubts is not None:
            self._learn(self._doubts.answer(EVERYBODY, state, visits, self._ways.outcomes))

    def stand(self) -> Kept:
        """Tell how far the crawl is."""
        events, wish = self.recorder.counts().events, self._store.wish
        return Kept(self.generation, self.recorder.states, events, wish, self._is_settled)

    def go_on(self, generation: int) -> None:
        """Hear that a generation has nothing left to do: the next one enters what it has opened."""
        if generation == self.generation and self._has_opened and not self._is_in_doubt:
            self._begin_anew([])

    @property
    def _is_settled(self) -> bool:
        return not self._is_in_doubt and not self._has_opened

    @property
    def _is_in_doubt(self) -> bool:
        return self._doubts is not None and bool(self._doubts.of(EVERYBODY))

    @property
    def _has_opened(self) -> bool:
        return len(self._entries) > self._entered

    def _next_doubt(self) -> Doubt | None:
        """Return a doubtful page that nobody was asked for lately."""
        if self._doubts is None:
            return None
        now = monotonic()
        for state in self._doubts.of(EVERYBODY):
            if now < self._asked_at.get(state, -ASK_AGAIN_SECONDS) + ASK_AGAIN_SECONDS:
                continue
            steps = self._ways.to(state)
            if not steps or self._asked[state] == MAX_ASKED:
                self._doubts.answer(EVERYBODY, state, None, self._ways.outcomes)
                continue
            self._asked_at[state] = now
            self._asked[state] += 1
            return Doubt(state, way_to(steps))
        return None

    def _learn(self, found: list[Mask]) -> None:
        """Leave out what varies from now on."""
        if self._varying.is_news(found):
            self._begin_anew(found)

    def _begin_anew(self, found: list[Mask]) -> None:
        """Begin the next generation. Nobody of this one is heard any more when names change."""
        self.generation, self._disks = begin_generation(self._store), {}
        self.recorder.forget_crawlers()
        if found:
            self._varying.learn(found)
        self.recorder.begin_anew()
        self._recall()
        if self._doubts is not None:
            self._doubts.forget()
        self._asked_at.clear()
        self._asked.clear()
