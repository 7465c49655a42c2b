"""Small applications drawn by chance, to try protocols on."""

from random import Random

from statecrawl.core.application import Application


def draw_application(random: Random, most_states: int = 14, most_events: int = 5) -> Application:
    """Return an application in which each state leads to the next one, and anywhere besides."""
    names = [f"s{number}" for number in range(random.randint(2, most_states))]
    states: dict[str, dict[str, str | None]] = {}
    for number, name in enumerate(names):
        events: dict[str, str | None] = {
            f"e{event}": random.choice(names) for event in range(random.randint(0, most_events - 1))
        }
        if number + 1 < len(names):
            events["next"] = names[number + 1]
        states[name] = events
    return Application(names[0], states, float(random.choice([1, 2, 5])))
