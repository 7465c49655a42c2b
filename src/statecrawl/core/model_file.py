"""The model file: an application as JSON, read with care."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from statecrawl.core.application import Application, Division, Documents, Link, checked, shown
from statecrawl.errors import InputError

MAX_FILE_BYTES = 128 * 1024 * 1024


def parse_model(raw: bytes) -> Application:
    """Read a model file, or say in one line what is wrong with it."""
    if len(raw) > MAX_FILE_BYTES:
        raise InputError(
            f"the model file has more than {MAX_FILE_BYTES // 2**20} MB: give a smaller model"
        )
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the model file is not JSON: {error}") from None
    return checked(_Reader(document).application())


class _Reader:
    """Checks the shape of a model file's JSON, part by part."""

    def __init__(self, document: object) -> None:
        self.document = self._mapping(document, "a model file")

    def application(self) -> Application:
        if "initial" not in self.document:
            raise InputError('the model has no initial state: add "initial": "NAME"')
        if "states" not in self.document:
            raise InputError('the model has no states: add "states": {"NAME": {}}')
        states = self._mapping(self.document["states"], '"states"')
        return Application(
            initial=self._text(self.document["initial"], '"initial"'),
            states={state: self._events(state, events) for state, events in states.items()},
            reset_cost=self._number(self.document.get("reset_cost", 1), '"reset_cost"'),
            entries=self._texts(self.document.get("entries", []), '"entries"'),
            outcomes={
                state: {
                    event: self._counts(event, counts)
                    for event, counts in self._mapping(events, '"outcomes" of a state').items()
                }
                for state, events in self._part("outcomes")
            },
            regions=self._regions(self.document.get("regions", {})),
            groups={
                event: self._text(group, '"groups" of an event')
                for event, group in self._part("groups")
            },
            earlier=tuple(
                self._division(self._mapping(each, 'each of "earlier_regions"'))
                for each in self._list(
                    self.document.get("earlier_regions", []), '"earlier_regions"'
                )
            ),
            documents=self._documents() if "documents" in self.document else None,
        )

    def _documents(self) -> Documents:
        part = self._mapping(self.document["documents"], '"documents"')
        return Documents(
            self._texts(part.get("given", []), '"given"'),
            {
                url: self._text(state, 'each of "loads"')
                for url, state in self._mapping(part.get("loads", {}), '"loads"').items()
            },
            {
                event: self._link(self._mapping(link, 'each of "links"'))
                for event, link in self._mapping(part.get("links", {}), '"links"').items()
            },
            {
                event: self._texts(urls, 'each of "opened"')
                for event, urls in self._mapping(part.get("opened", {}), '"opened"').items()
            },
        )

    def _link(self, link: Mapping[str, object]) -> Link:
        loads = link.get("loads", True)
        if not isinstance(loads, bool):
            raise InputError(f'"loads" of a link must be true or false, not {shown(loads)}')
        return Link(self._text(link.get("url"), '"url" of a link'), loads)

    def _division(self, division: Mapping[str, object]) -> Division:
        until = division.get("until")
        if type(until) is not int:
            raise InputError(
                f'"until" of "earlier_regions" must be a whole number, not {shown(until)}'
            )
        return Division(until, self._regions(division.get("regions", {})))

    def _regions(self, value: object) -> dict[str, dict[str, str]]:
        return {
            state: {
                name: self._text(shown, '"regions" of a state')
                for name, shown in self._mapping(regions, '"regions" of a state').items()
            }
            for state, regions in self._mapping(value, '"regions"').items()
        }

    def _part(self, name: str) -> Iterator[tuple[str, object]]:
        yield from self._mapping(self.document.get(name, {}), f'"{name}"').items()

    def _events(self, state: str, events: object) -> dict[str, str | None]:
        found = self._mapping(events, f"state {shown(state)}")
        for event, target in found.items():
            if target is not None and not isinstance(target, str):
                raise InputError(
                    f"event {shown(event)} of state {shown(state)} must lead to a state's name "
                    f"or null, not {shown(target)}"
                )
        return found

    def _counts(self, event: str, counts: object) -> dict[str, int]:
        found = self._mapping(counts, f"outcomes of event {shown(event)}")
        if not found or not all(type(n) is int and n > 0 for n in found.values()):
            raise InputError(f"outcomes of event {shown(event)} must be counts of 1 or more")
        return found

    @staticmethod
    def _mapping(value: object, what: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise InputError(f"{what} must be a JSON object, not {shown(value)}")
        return value

    def _texts(self, value: object, what: str) -> tuple[str, ...]:
        return tuple(self._text(each, f"each of {what}") for each in self._list(value, what))

    @staticmethod
    def _list(value: object, what: str) -> list[object]:
        if not isinstance(value, list):
            raise InputError(f"{what} must be a JSON list, not {shown(value)}")
        return value

    @staticmethod
    def _text(value: object, what: str) -> str:
        if not isinstance(value, str):
            raise InputError(f"{what} must be a text, not {shown(value)}")
        return value

    @staticmethod
    def _number(value: object, what: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"{what} must be a number, not {shown(value)}")
        return value
