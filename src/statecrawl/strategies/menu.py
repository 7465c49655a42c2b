"""Menu: most events always do the same (section 5.5; Choudhary et al. 2013).

The metamodel sorts events by what they did when fired in two states: a menu event always
leads to the same state, a self-loop event always stays. Both are anticipated to go on like
that, so they are left for the transition phase; any other event may lead to a new state.
"""

from collections import defaultdict
from collections.abc import Iterable
from enum import Enum, auto
from itertools import chain, pairwise
from math import inf

from statecrawl.core.field import Field
from statecrawl.core.strategy import Knowledge, Route
from statecrawl.strategies.metamodel import Anticipated, Metamodel


class Kind(Enum):
    """What is known of an event."""

    UNTRIED = auto()  # never fired anywhere
    ONCE = auto()  # fired in one state only
    OTHER = auto()  # did different things in different states
    MENU = auto()
    SELF_LOOP = auto()


RANKS = {Kind.UNTRIED: 0, Kind.ONCE: 1, Kind.OTHER: 1}
"""The kinds worth firing to find states; a better rank is used up before the next."""


class Menu(Metamodel):
    """Untried events first, then those that may do anything, then menu and self-loop events.

    Ways lead over anticipated edges too: an open menu event is an edge to where it always
    leads, and walking over it explores it.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        super().__init__(knowledge)
        self._open = knowledge.frontier.open
        self._holders: defaultdict[int, dict[int, None]] = defaultdict(dict)
        self._kind: list[Kind] = []
        self._rank: list[int | None] = []
        self._first: dict[int, tuple[int, int]] = {}
        self._menu_target: dict[int, int] = {}
        self._menu_events: defaultdict[int, list[int]] = defaultdict(list)
        # For each rank: how many such events are open in each state, and in all of them.
        self._offers: tuple[list[int], list[int]] = ([], [])
        self._offered = [0, 0]
        self._rank_fields = [self._field_of(offers) for offers in self._offers]
        self._open_field = self._field_of(self._open)
        self._fields = [*self._rank_fields, self._open_field]

    def anticipate(self, source: int, event: int) -> Anticipated | None:
        """Anticipate the one target of a menu event, and that a self-loop event stays."""
        kind = self._kind[event]
        if kind is Kind.MENU:
            target = self._menu_target[event]
        elif kind is Kind.SELF_LOOP:
            target = source
        else:
            return None
        return Anticipated(target, self.events_of(target))

    def learn(
        self, cursor: int, source: int, event: int, target: int, *, is_new: bool, violated: bool
    ) -> None:
        """Take the edge into the fields, and sort the event anew."""
        del cursor, is_new
        for field in self._fields:
            field.add_edge(source, target)
        kind = self._kind[event]
        if kind is Kind.UNTRIED:
            self._first[event] = (source, target)
            self._sort(event, Kind.ONCE)
        elif kind is Kind.ONCE:
            first_source, first_target = self._first[event]
            if target == first_target:
                self._menu_target[event] = target
                self._sort(event, Kind.MENU)
            elif target == source and first_target == first_source:
                self._sort(event, Kind.SELF_LOOP)
            else:
                self._sort(event, Kind.OTHER)
        elif violated:
            self._sort(event, Kind.OTHER)

    def explore_states(self, cursor: int, state: int) -> Route | None:
        """Go to the closest event of the best rank that is open anywhere."""
        del cursor
        for rank, field in enumerate(self._rank_fields):
            if self._offered[rank]:
                way = field.way(state)
                if way is not None:
                    event = next(e for e in self._open[way[-1]] if self._rank[e] == rank)
                    return self._route(way, event)
        return None

    def explore_transitions(self, cursor: int, state: int) -> Route | None:
        """Go to the closest open event: near to the best postman's walk."""
        del cursor
        way = self._open_field.way(state)
        return None if way is None else self._route(way, next(iter(self._open[way[-1]])))

    def discovered(self, state: int) -> None:
        """Count what the state offers."""
        self._meet_events()
        for offers in self._offers:
            offers.append(0)
        for event in self._open[state]:
            self._holders[event][state] = None
            self._count(state, event, 1)
        for field in self._fields:
            field.add_state(state)
        for event in self._open[state]:
            if event in self._menu_target:
                self._add_anticipated(state, event)

    def _meet_events(self) -> None:
        fresh = len(self._knowledge.model.events) - len(self._kind)
        self._kind.extend([Kind.UNTRIED] * fresh)
        self._rank.extend([RANKS[Kind.UNTRIED]] * fresh)

    def closed(self, state: int, event: int) -> None:
        """Count the event out; as an anticipated edge it is gone."""
        self._count(state, event, -1)
        del self._holders[event][state]
        if event in self._menu_target:
            self._drop_edges(state)

    def reopened(self, state: int, event: int) -> None:
        """Count the event in again; as an anticipated edge it is back."""
        self._meet_events()
        self._count(state, event, 1)
        self._holders[event][state] = None
        for field in self._fields:
            field.ease(state)
        if event in self._menu_target:
            self._add_anticipated(state, event)

    def rewired(self, state: int) -> None:
        """Let ways through the state be found anew."""
        for field in self._fields:
            field.rewire(state)

    def _drop_edges(self, state: int) -> None:
        for field in self._fields:
            field.drop_edges(state)

    def _sort(self, event: int, kind: Kind) -> None:
        """Sort an event under a kind, and tell every state where it is open."""
        was_menu = self._kind[event] is Kind.MENU
        if was_menu:
            self._menu_events[self._menu_target.pop(event)].remove(event)
        elif kind is Kind.MENU:
            self._menu_events[self._menu_target[event]].append(event)
        for state in self._holders[event]:
            self._count(state, event, -1)
        self._kind[event] = kind
        self._rank[event] = rank = RANKS.get(kind)
        for state in self._holders[event]:
            self._count(state, event, 1)
            if was_menu:
                self._drop_edges(state)
            if rank is not None:
                self._rank_fields[rank].ease(state)
            elif kind is Kind.MENU:
                self._add_anticipated(state, event)

    def _count(self, state: int, event: int, by: int) -> None:
        rank = self._rank[event]
        if rank is not None:
            self._offers[rank][state] += by
            self._offered[rank] += by

    def _add_anticipated(self, state: int, event: int) -> None:
        for field in self._fields:
            field.add_edge(state, self._menu_target[event])

    def _field_of(self, offers: list[int] | list[dict[int, None]]) -> Field:
        """Return a field over known and anticipated edges; states that offer any are goals."""
        return Field(
            lambda state: 0 if offers[state] else inf,
            self._successors,
            self._predecessors,
            self._knowledge.reset_cost,
        )

    def _successors(self, state: int) -> Iterable[int]:
        target = self._menu_target
        anticipated = [target[event] for event in self._open[state] if event in target]
        return chain(self._knowledge.model.successors[state], anticipated)

    def _predecessors(self, state: int) -> Iterable[int]:
        anticipated = [self._holders[event] for event in self._menu_events.get(state, ())]
        return chain(self._knowledge.model.predecessors[state], *anticipated)

    def _route(self, way: list[int], event: int) -> Route:
        """Return a route along a way, over anticipated edges where there are any: that explores."""
        model = self._knowledge.model
        route = []
        for state, target in pairwise(way):
            anticipated = (e for e in self._menu_events.get(target, ()) if e in self._open[state])
            via = next(anticipated, None)
            if via is None:
                route.append(model.edge(state, target))
            else:
                route.append(model.uncertain(state, via, target))
        return [*route, model.uncertain(way[-1], event)]
