"""Applications that are less regular than they were: exceptions, and regions that say less."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from statecrawl.core.application import Application

SEED = 1


def exceptional(application: Application, share: float, seed: int = SEED) -> Application:
    """Return the application with a share of its transitions led elsewhere, by chance.

    Every other one leads to some other state, the rest to a new one each: a message over the
    page, which can only be closed.
    """
    random = Random(seed)  # noqa: S311 - chances, not secrets
    states = {state: dict(events) for state, events in application.states.items()}
    regions = dict(application.regions)
    names = list(states)
    pairs = [(state, event) for state, events in states.items() for event in events]
    for number, (state, event) in enumerate(random.sample(pairs, round(share * len(pairs)))):
        if number % 2:
            states[state][event] = random.choice(names)
            continue
        message = f"message {number}"
        states[state][event] = message
        states[message] = {"close": state}
        if regions:
            regions[message] = {**regions.get(state, {}), "message": str(number)}
    return replace(application, states=states, regions=regions)


def merged(application: Application) -> Application:
    """Return the application with the two regions in one that show the most different things."""
    first, second = _by_values(application)[:2]

    def merge(shown: Mapping[str, str]) -> dict[str, str]:
        rest = {name: value for name, value in shown.items() if name not in (first, second)}
        return {**rest, first: f"{shown.get(first)}, {shown.get(second)}"}

    return _with_regions(application, merge)


def bereft(application: Application) -> Application:
    """Return the application without the region that shows the most different things."""
    lost = _by_values(application)[0]
    return _with_regions(
        application, lambda shown: {name: shown[name] for name in shown if name != lost}
    )


def _with_regions(
    application: Application, change: Callable[[Mapping[str, str]], Mapping[str, str]]
) -> Application:
    regions = {state: change(shown) for state, shown in application.regions.items()}
    return replace(application, regions=regions)


def _by_values(application: Application) -> list[str]:
    """Return the names of the regions, those that show the most different things first."""
    values: dict[str, set[str]] = {}
    for shown in application.regions.values():
        for name, value in shown.items():
            values.setdefault(name, set()).add(value)
    return sorted(values, key=lambda name: -len(values[name]))


Variation = Callable[[Application], Application]

EXCEPTIONS: dict[str, Variation] = {
    "1 % exceptional": lambda application: exceptional(application, 0.01),
    "5 % exceptional": lambda application: exceptional(application, 0.05),
}

REGIONS: dict[str, Variation] = {
    "two regions merged": merged,
    "a region missing": bereft,
    "no regions": lambda application: replace(application, regions={}),
}
