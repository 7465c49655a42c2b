"""What is read from the database of a crawl, while others may be writing to it."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from statecrawl.core.classes import Decision
from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled
from statecrawl.core.facts import (
    TOLD_BY_MANY,
    Assumed,
    EntryFound,
    Executed,
    Fact,
    Found,
    GivenUp,
    Refused,
    in_order,
)
from statecrawl.core.findings import Passage, Sighting
from statecrawl.core.gathering import Gathering
from statecrawl.core.invocations import Invocation, InvocationGraph
from statecrawl.core.masks import Mask, Masks
from statecrawl.core.plan import Move, Trail
from statecrawl.core.problems import FindingKind, Problem
from statecrawl.core.regions import Cut
from statecrawl.core.resemblance import Features
from statecrawl.core.snapshot import Change, Effect, Event, Snapshot
from statecrawl.core.wish import Wish
from statecrawl.storage.database import Database
from statecrawl.storage.encoding import (
    decompress,
    unpack,
    unpack_event,
    unpack_features,
    unpack_page,
)
from statecrawl.storage.names import Names
from statecrawl.storage.writing import (
    ASSUMED,
    ENTRY_FOUND,
    EXECUTED,
    FOUND,
    LOAD,
    REFUSED,
    WALKED,
    WISH,
)

_ROWS = 1000
_EVENTS = 4096
"""So many events are kept in memory for pages that are read one by one."""
_NO_EFFECT = Effect()


class Reader:
    """Answers questions about a crawl; each answer is of one moment.

    Rows are only ever added, so what refers to others is read before them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._pages = _Pages(database)
        self._names: tuple[object, Names] | None = None

    def about(self) -> dict[str, Any]:
        """Return the crawl's settings."""
        with self._database.reading():
            rows = self._database.execute("SELECT name, value FROM about ORDER BY name")
            return {name: unpack(value) for name, value in rows if name != WISH}

    def counts(self) -> Counts:
        """Return the crawl's figures."""
        with self._database.reading():
            row = self._database.execute("SELECT value FROM counts").fetchone()
            values = unpack(row[0]) if row else {}
            return Counts(**{**values, "tabs": tuple(values.get("tabs", ()))})

    def wish(self) -> Wish:
        """Return what somebody who looks on wants."""
        with self._database.reading():
            row = self._database.execute(
                "SELECT value FROM about WHERE name = ?", (WISH,)
            ).fetchone()
            return Wish(unpack(row[0])) if row else Wish.RUN

    def masks(self) -> Masks:
        """Return what is left out of identity."""
        with self._database.reading():
            row = self._database.execute(
                "SELECT masks FROM rekeyings ORDER BY id DESC LIMIT 1"
            ).fetchone()
            return Masks(tuple(Mask(*mask) for mask in unpack(row[0])) if row else ())

    def cut(self) -> Cut:
        """Return where pages are divided into regions."""
        with self._database.reading():
            row = self._database.execute("SELECT cut FROM cuts ORDER BY id DESC LIMIT 1").fetchone()
            return tuple(unpack(row[0])) if row else ()

    def names(self) -> Names:
        """Return which state has which id."""
        with self._database.reading():
            version = self._database.execute(
                "SELECT (SELECT max(id) FROM states), (SELECT max(id) FROM aliases)"
            ).fetchone()
            if self._names is None or self._names[0] != version:
                self._names = version, Names(self._database)
            return self._names[1]

    def features(self, resemblance: str) -> dict[str, Features]:
        """Return the features of pages for a resemblance."""
        with self._database.reading():
            rows = self._database.execute(
                "SELECT page, data FROM features WHERE resemblance = ?", (resemblance,)
            )
            return {page: unpack_features(data) for page, data in rows}

    def decisions(self, equivalence: str) -> list[Decision]:
        """Return what was decided about pages by an equivalence."""
        with self._database.reading():
            rows = self._database.execute(
                "SELECT page, representative, distance FROM decisions "
                "WHERE equivalence = ? ORDER BY id",
                (equivalence,),
            )
            return [Decision(*row) for row in rows]

    def facts(self) -> Iterator[Fact]:
        """Yield everything learned, in order."""
        return (fact for fact, _ in self._told())

    def crawled(self) -> Crawled:
        """Return the crawl as it is at this moment."""
        with self._database.reading(), self._database.moment():
            gathering = Gathering()
            for fact, seconds in self._told():
                gathering.tell(fact, seconds)
            return Crawled(
                self.about(),
                self.counts(),
                gathering.states,
                gathering.transitions,
                gathering.refused,
                tuple(pair for pair in gathering.given_up if pair not in gathering.transitions),
                self.masks(),
                InvocationGraph(tuple(self._invocations())),
                Names(self._database).aliases(),
                tuple(self._sightings()),
                opened=gathering.opened,
            )

    def snapshot(self, number: int) -> Snapshot:
        """Return the page of a state with its content."""
        with self._database.reading():
            return self._pages(number)

    def trail(self, state: int) -> Trail | None:
        """Return what the cursor that found a state had done since its last reset."""
        with self._database.reading(), self._database.moment():
            found = self._database.execute(
                "SELECT w.id, w.source FROM facts w WHERE w.kind = ? AND w.id > "
                "(SELECT min(id) FROM facts WHERE kind = ? AND target = ?) ORDER BY w.id LIMIT 1",
                (WALKED, FOUND, state),
            ).fetchone()
            walks = self._database.execute(
                "SELECT event, changes FROM facts WHERE kind = ? AND id <= ? AND source = ? "
                "ORDER BY id DESC",
                (WALKED, *(found or (0, 0))),
            )
            event = self._pages.event
            moves: list[Move] = []
            for entry, numbers in walks:
                moves[:0] = [Move(event(abs(each)).identity, each < 0) for each in unpack(numbers)]
                if entry:
                    return Trail(event(entry).identity.removeprefix(LOAD), tuple(moves))
            return None

    def snapshots(self, numbers: list[int]) -> Iterator[Snapshot]:
        """Yield the pages of states with their content."""
        with self._database.reading():
            for number in numbers:
                yield self._pages(number)

    def _told(self) -> Iterator[tuple[Fact, float]]:
        """Yield facts as one session would have learned them, whoever told them."""
        return in_order(self._facts()) if TOLD_BY_MANY in self.about() else self._facts()

    def _facts(self) -> Iterator[tuple[Fact, float]]:
        """Yield facts, new states with the time when they were found.

        A state that has become the same as an earlier one was not found.
        """
        with self._database.reading():
            (last,) = self._database.execute("SELECT coalesce(max(id), 0) FROM facts").fetchone()
            names, events = Names(self._database), self._events()
            at = 0
            while rows := self._database.execute(
                "SELECT f.id, f.kind, f.source, f.event, f.target, f.changes, "
                "s.page, s.regions, s.events, s.resets, s.seconds FROM facts f "
                "LEFT JOIN states s ON f.kind = ? AND s.id = f.target "
                "WHERE f.id > ? AND f.id <= ? AND f.kind <> ? ORDER BY f.id LIMIT ?",
                (FOUND, at, last, WALKED, _ROWS),
            ).fetchall():
                at = rows[-1][0]
                for _, kind, source, event, target, changes, page, regions, *when in rows:
                    if kind == FOUND:
                        if names.first(target) == target:
                            shown_page = unpack_page(page, regions, events.__getitem__)
                            found = Found(names.today(target), shown_page, when[0], when[1])
                            yield found, when[2]
                        continue
                    identity = events[event].identity
                    pair = names.today(source), identity
                    if kind == EXECUTED:
                        effect = _effect(changes) if changes else _NO_EFFECT
                        yield Executed(*pair, names.today(target), effect), 0.0
                    elif kind == ASSUMED:
                        yield Assumed(*pair, names.today(target)), 0.0
                    elif kind == ENTRY_FOUND:
                        yield EntryFound(identity.removeprefix(LOAD)), 0.0
                    elif kind == REFUSED:
                        yield Refused(*pair, unpack(changes) if changes else ""), 0.0
                    else:
                        yield GivenUp(*pair), 0.0

    def _events(self) -> dict[int, Event]:
        rows = self._database.execute("SELECT id, identity, look FROM events")
        return {number: unpack_event(identity, look) for number, identity, look in rows}

    def _invocations(self) -> Iterator[Invocation]:
        for identity, stack, request, times, times_cached in self._database.execute(
            "SELECT e.identity, s.stack, r.request, c.times, c.times_cached FROM calls c "
            "JOIN events e ON e.id = c.event JOIN stacks s ON s.id = c.stack "
            "JOIN requests r ON r.id = c.request ORDER BY c.event, c.stack, c.request"
        ):
            method, url, key = unpack(request)
            functions, counts = tuple(unpack(stack)), (int(times), int(times_cached))
            yield Invocation(unpack(identity), method, url, key, functions, *counts)

    def _sightings(self) -> Iterator[Sighting]:
        today = Names(self._database).today
        for source, identity, state, kind, text, place in self._database.execute(
            "SELECT f.source, e.identity, f.state, f.kind, f.text, f.place FROM findings f "
            "JOIN events e ON e.id = f.event ORDER BY f.id"
        ):
            passage = Passage(today(source), unpack(identity), today(state))
            yield Sighting(passage, Problem(FindingKind(kind), unpack(text), unpack(place)))


@lru_cache(maxsize=1000)
def _effect(changes: str) -> Effect:
    """Return what an event changed; many change the same."""
    return Effect(tuple(Change(*change) for change in unpack(changes)))


class _Pages:
    """Pages with their content, by the number of the state; many have the same events."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.event = lru_cache(maxsize=_EVENTS)(self._event)
        self._whole = lru_cache(maxsize=4)(self._content)

    def __call__(self, number: int) -> Snapshot:
        page, regions, dom = self._database.execute(
            "SELECT page, regions, dom FROM states WHERE id = ?", (number,)
        ).fetchone()
        content = self._content(dom).decode("utf-8", "surrogatepass")
        return unpack_page(page, regions, self.event, content)

    def _event(self, number: int) -> Event:
        """Return an event as it was first seen."""
        return unpack_event(
            *self._database.execute(
                "SELECT identity, look FROM events WHERE id = ?", (number,)
            ).fetchone()
        )

    def _content(self, dom: int) -> bytes:
        base, data = self._database.execute(
            "SELECT base, data FROM doms WHERE id = ?", (dom,)
        ).fetchone()
        return decompress(data, b"" if base is None else self._whole(base))
