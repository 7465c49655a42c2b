"""What is written to the database of a crawl, each time all or nothing."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from statecrawl.core.classes import Decision
from statecrawl.core.counts import Counts
from statecrawl.core.facts import Assumed, EntryFound, Executed, Fact, Found, GivenUp, Refused
from statecrawl.core.findings import Sighting
from statecrawl.core.masks import Masks
from statecrawl.core.plan import Walk
from statecrawl.core.problems import MAX_PROBLEMS
from statecrawl.core.regions import Cut
from statecrawl.core.resemblance import Features
from statecrawl.core.shelf import Shelving
from statecrawl.core.snapshot import Call, Event, Snapshot
from statecrawl.storage.database import Database
from statecrawl.storage.encoding import (
    compress,
    digest,
    dom_bytes,
    pack,
    pack_features,
    pack_look,
    pack_page,
    pack_plain,
    unpack_event,
)
from statecrawl.storage.names import Names

KINDS: tuple[type[Fact], ...] = (Found, Executed, Refused, GivenUp, EntryFound, Assumed)
FOUND, EXECUTED, REFUSED, GIVEN_UP, ENTRY_FOUND, ASSUMED, WALKED = range(7)
LOAD = "load "
"""How the event of an entry begins."""
WISH = "wish"
"""The one setting that others write while a crawl runs."""

_Row = tuple[int, int, int, int, str | None]
_FACT = "INSERT INTO facts (kind, source, event, target, changes) VALUES (?, ?, ?, ?, ?)"


def write_about(database: Database, about: Mapping[str, Any]) -> None:
    """Set some of the crawl's settings."""
    database.executemany(
        "INSERT INTO about (name, value) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [(name, pack(value)) for name, value in about.items()],
    )


def write_counts(database: Database, counts: Counts) -> None:
    """Set the crawl's figures."""
    database.execute(
        "INSERT INTO counts (id, value) VALUES (1, ?) "
        "ON CONFLICT (id) DO UPDATE SET value = excluded.value",
        (pack_plain(_plain(counts)),),
    )


def _plain(counts: Counts) -> dict[str, Any]:
    return {name: getattr(counts, name) for name in Counts.__slots__} | {
        "failures": dict(counts.failures),
        "spent": dict(counts.spent),
    }


class Writer:
    """Adds to the database; remembers the numbers of what it has seen there."""

    def __init__(self, database: Database, shelving: Shelving) -> None:
        self._database = database
        self._shelving = shelving
        self._forget()

    def _forget(self) -> None:
        """Drop all numbers: they may be of rows that were never written."""
        self.names = Names(self._database, self._shelving())
        self._events: dict[str, tuple[int, Event]] = {}
        self._interned: dict[tuple[str, tuple[str, ...]], int] = {}
        self._base: tuple[int, bytes, int] | None = None
        self._sighted: dict[tuple[int, int], set[tuple[str, str]]] = {}

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        with self._database.blaming():
            try:
                with self._database.writing():
                    yield
            except BaseException:
                self._forget()
                raise

    def note(self, about: Mapping[str, Any]) -> None:
        """Set some of the crawl's settings."""
        with self._all_or_nothing():
            write_about(self._database, about)

    def append(
        self,
        facts: Sequence[Fact],
        counts: Counts,
        calls: Sequence[tuple[str, Call]],
        sightings: Sequence[Sighting],
        walk: Walk | None,
    ) -> None:
        """Write what a plan taught."""
        made = list(calls)
        with self._all_or_nothing():
            rows: list[_Row] = []
            for fact in facts:
                if isinstance(fact, Found):
                    rows += self._find(fact, counts.seconds)
                    continue
                if isinstance(fact, Executed):
                    made += [(fact.event, call) for call in fact.effect.calls]
                rows.append((KINDS.index(type(fact)), *self._row(fact)))
            if walk is not None:
                rows.append((WALKED, *self._walk(walk)))
            self._database.executemany(_FACT, rows)
            if made:
                self._count(made)
            for sighting in sightings:
                self._sight(sighting)
            write_counts(self._database, counts)

    def _row(self, fact: Fact) -> tuple[int, int, int, str | None]:
        """Return what is written of a fact: source, event, target and more."""
        if isinstance(fact, EntryFound):
            return 0, self._number(LOAD + fact.url), 0, None
        target = self.names.number(fact.target) if isinstance(fact, Executed | Assumed) else 0
        more = None
        if isinstance(fact, Executed) and fact.effect.changes:
            more = pack_plain([list(change) for change in fact.effect.changes])
        elif isinstance(fact, Refused) and fact.reason:
            more = pack(fact.reason)
        assert not isinstance(fact, Found)  # noqa: S101 - written in tables of its own
        return self.names.number(fact.source), self._number(fact.event), target, more

    def _walk(self, walk: Walk) -> tuple[int, int, int, str]:
        """Return what is written of a walk; the number of a trusted event is negative."""
        entry = 0 if walk.entry is None else self._number(LOAD + walk.entry)
        moves = [
            -self._number(event) if is_trusted else self._number(event)
            for event, is_trusted in walk.moves
        ]
        return walk.cursor, entry, 0, pack_plain(moves)

    def rekey(self, masks: Masks, aliases: Mapping[str, str]) -> None:
        """Write other masks, and the ids that states have under them."""
        with self._all_or_nothing():
            rekeying = self._insert(
                "INSERT INTO rekeyings (masks, last_state) VALUES (?, ?)",
                (pack(masks.masks), self.names.last),
            )
            self._database.executemany(
                "INSERT INTO aliases (rekeying, old, new) VALUES (?, ?, ?)",
                [(rekeying, old, new) for old, new in aliases.items() if old != new],
            )
        self._forget()

    def divide(self, cut: Cut, regions: Mapping[str, Mapping[str, str]]) -> None:
        """Write another cut, and what the regions of states show under it."""
        with self._all_or_nothing():
            self._database.execute("INSERT INTO cuts (cut) VALUES (?)", (pack(cut),))
            self._database.executemany(
                "UPDATE states SET regions = ? WHERE id = ?",
                [
                    (pack_plain(dict(shown)), self.names.number(name))
                    for name, shown in regions.items()
                ],
            )

    def decide(
        self, equivalence: str, resemblance: str, decided: Sequence[tuple[Decision, Features]]
    ) -> None:
        """Write decisions about pages, and the features that they were made by."""
        with self._all_or_nothing():
            self._database.executemany(
                "INSERT INTO decisions (equivalence, page, representative, distance) "
                "VALUES (?, ?, ?, ?)",
                [(equivalence, *decision) for decision, _ in decided],
            )
            self._keep(resemblance, {decision.state: features for decision, features in decided})

    def keep_features(self, resemblance: str, features: Mapping[str, Features]) -> None:
        """Write features of pages."""
        with self._all_or_nothing():
            self._keep(resemblance, features)

    def _keep(self, resemblance: str, features: Mapping[str, Features]) -> None:
        self._database.executemany(
            "INSERT INTO features (resemblance, page, data) VALUES (?, ?, ?) "
            "ON CONFLICT (resemblance, page) DO UPDATE SET data = excluded.data",
            [(resemblance, page, pack_features(each)) for page, each in features.items()],
        )

    def _find(self, fact: Found, seconds: float) -> list[_Row]:
        """Write a new state, and return the row of the fact; a known one was told late or twice."""
        if fact.state in self.names:
            return []
        snapshot = fact.snapshot
        events = [self._event(event) for event in snapshot.events]
        page = pack_page(snapshot, [n for n, _ in events], [known for _, known in events])
        state = self._insert(
            "INSERT INTO states (name, dom, page, regions, events, resets, seconds) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                fact.state,
                self._dom(snapshot),
                page,
                pack_plain(dict(snapshot.regions)),
                fact.events,
                fact.resets,
                seconds,
            ),
        )
        self.names.add(state, fact.state)
        return [(FOUND, 0, 0, state, None)]

    def _insert(self, statement: str, row: tuple[object, ...]) -> int:
        """Add a row, and return its number."""
        (number,) = self._database.execute(f"{statement} RETURNING id", row).fetchone()
        return int(number)

    def _event(self, event: Event) -> tuple[int, Event]:
        """Return the number of an event, and how it looked when first seen."""
        known = self._events.get(event.identity)
        if known is None:
            identity = pack(event.identity)
            row = self._database.execute(
                "SELECT id, look FROM events WHERE identity = ?", (identity,)
            ).fetchone()
            if row is not None:
                known = row[0], unpack_event(identity, row[1])
            else:
                statement = "INSERT INTO events (identity, look) VALUES (?, ?)"
                known = self._insert(statement, (identity, pack_look(event))), event
            self._events[event.identity] = known
        return known

    def _number(self, identity: str) -> int:
        """Return the number of an event that was told before, or of which no more is known."""
        known = self._events.get(identity)
        return known[0] if known is not None else self._event(Event(identity))[0]

    def _dom(self, snapshot: Snapshot) -> int:
        """Return the number of a page's content.

        It is compressed with the last one stored whole, unless they have little in common.
        """
        raw = dom_bytes(snapshot.dom)
        name = digest(raw)
        row = self._database.execute("SELECT id FROM doms WHERE digest = ?", (name,)).fetchone()
        if row is not None:
            return int(row[0])
        statement = "INSERT INTO doms (digest, base, data) VALUES (?, ?, ?)"
        if self._base is not None:
            number, base, size = self._base
            data = compress(raw, base)
            if len(data) < size / 2:
                return self._insert(statement, (name, number, data))
        data = compress(raw)
        number = self._insert(statement, (name, None, data))
        self._base = number, raw, len(data)
        return number

    def _count(self, calls: Sequence[tuple[str, Call]]) -> None:
        """Add to how often each event asked for what, through which functions."""
        rows: dict[tuple[int, int, int], list[int]] = {}
        for identity, call in calls:
            stack = self._intern("stacks", "stack", call.stack)
            request = self._intern("requests", "request", (call.method, call.url, call.key))
            times = rows.setdefault((self._number(identity), stack, request), [0, 0])
            times[0] += 1
            times[1] += call.is_cached
        self._database.executemany(
            "INSERT INTO calls (event, stack, request, times, times_cached) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (event, stack, request) DO UPDATE SET "
            "times = calls.times + excluded.times, "
            "times_cached = calls.times_cached + excluded.times_cached",
            [(*key, *times) for key, times in rows.items()],
        )

    def _sight(self, sighting: Sighting) -> None:
        """Write a problem, unless it is known of this event here, or too many others are."""
        passage, problem = sighting
        pair = self.names.number(passage.source), self._number(passage.event)
        known = self._sighted.get(pair)
        if known is None:
            known = self._sighted[pair] = set(
                self._database.execute(
                    "SELECT kind, text FROM findings WHERE source = ? AND event = ?", pair
                )
            )
        name = problem.kind.value, pack(problem.text)
        if name in known or sum(kind == name[0] for kind, _ in known) >= MAX_PROBLEMS:
            return
        known.add(name)
        self._database.execute(
            "INSERT INTO findings (source, event, state, kind, text, place) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (*pair, self.names.number(passage.state), *name, pack(problem.where)),
        )

    def _intern(self, table: str, column: str, value: tuple[str, ...]) -> int:
        number = self._interned.get((table, value))
        if number is None:
            text = pack(value)
            select = f"SELECT id FROM {table} WHERE {column} = ?"  # noqa: S608 - names are ours
            row = self._database.execute(select, (text,)).fetchone()
            insert = f"INSERT INTO {table} ({column}) VALUES (?)"  # noqa: S608 - names are ours
            number = row[0] if row is not None else self._insert(insert, (text,))
            self._interned[table, value] = number
        return number
