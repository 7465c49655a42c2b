"""The agent inside the page: JavaScript, installed before any script of the application runs.

One function made of the files beside this one, in an order that lets each use those before it:

    natives     the browser's own functions, and replacements nobody tells apart from them
    clock       virtual time and seeded chance
    problems    what goes wrong in the page
    network     outstanding requests, who made them, kept answers
    fetch       fetch, counted and answered from what was kept
    xhr         XMLHttpRequest, likewise
    listeners   who listens for what
    canonical   the canonical DOM and its hash
    controls    what can be done on the page
    identity    what each event is known by
    inputs      what to put into fields, and how a form is filled
    learn       values for fields from the application's own text
    care        what is better left alone
    fire        firing an event as a user would
    windows     what would leave the page or wait for a person
    sockets     connections that stay open
    databases   what the page asks of its databases
    workers     what workers are given to do
    observers   observers of layout, and what they are told
    settle      knowing when nothing moves any more
    door        the login form: finding its fields and controls, using them
    handover    a person takes the page over
    agent       executing plans, talking to the host

Another one, for pages that a person uses, only records how to sign in; `record` is its last part.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from statecrawl.core.inputs import Inputs
from statecrawl.core.scope import Scope

AGENT_URL = "statecrawl-agent.js"
BINDING = "__statecrawlReport"
KEY = "statecrawl"
"""What the agent is called in the page. Not a name that anybody tests for, and not enumerable."""

AGENT = f"globalThis[Symbol.for({KEY!r})]"

_AGENT = (
    "natives clock problems network fetch xhr listeners canonical controls identity inputs learn "
    "care fire windows sockets databases workers observers settle door handover agent"
)
_RECORDER = "natives canonical controls identity door record"

EVENT_KINDS = (
    "click",
    "dblclick",
    "hover",
    "contextmenu",
    "key",
    "input",
    "change",
    "submit",
    "scroll",
    "timeout",
    "back",
)
DEFAULT_EVENT_KINDS = tuple(kind for kind in EVENT_KINDS if kind != "back")


@dataclass(frozen=True)
class AgentSettings:
    """What an agent is told when it is installed; the clock and the seed may be None: real ones.

    `ignore`, `keep` and `skip` are CSS selectors, or empty; `skip_text` are words on controls.
    With `auto` fields get values that the page suggests; `learned` are those of fields seen before.
    `door` names the fields of the login form. What `held` names is waited for so many milliseconds
    when it is asked for, and not at all for 0. Where pages come from an archive, streams end there.
    """

    clock: int | None = 1_700_000_000_000
    seed: int | None = 1
    events: tuple[str, ...] = DEFAULT_EVENT_KINDS
    cache: str = "safe"
    ignore: str = ""
    keep: str = ""
    skip: str = ""
    scope: Scope = field(default_factory=Scope)
    skip_text: tuple[str, ...] = ()
    fire_all: bool = False
    inputs: Inputs = field(default_factory=Inputs)
    auto: bool = False
    learned: Mapping[str, Sequence[str]] = field(default_factory=dict)
    masks: Mapping[str, object] | None = None
    door: tuple[str, ...] = ()
    held: tuple[tuple[str, int], ...] = ()
    archived: bool = False
    settle_ms: int = 10_000
    load_ms: int = 5_000

    def script(self) -> str:
        """Return the agent as a script for every new document."""
        return self._written(_AGENT)

    def recorder(self) -> str:
        """Return the script that records how a person signs in."""
        return self._written(_RECORDER)

    def _written(self, parts: str) -> str:
        settings: dict[str, Any] = {
            "clock": self.clock,
            "seed": self.seed,
            "events": self.events,
            "cache": self.cache,
            "ignore": self.ignore,
            "keep": self.keep,
            "skip": self.skip,
            "inside": self.scope.inside,
            "outside": self.scope.outside,
            "skipText": self.skip_text,
            "fireAll": self.fire_all,
            "inputs": {table: list(values.items()) for table, values in vars(self.inputs).items()},
            "auto": self.auto,
            "learned": list(self.learned.items()),
            "masks": self.masks or None,
            "door": self.door,
            "held": self.held,
            "archived": self.archived,
            "settleMs": self.settle_ms,
            "loadMs": self.load_ms,
            "key": KEY,
        }
        return _source(parts).replace("{/*SETTINGS*/}", json.dumps(settings))


@cache
def _source(names: str) -> str:
    """Return the source: one function, so that nothing of it is seen outside.

    In a frame of the same origin the agent of the top document takes over; in one from
    elsewhere there is none.
    """
    folder = files(__name__)
    parts = [(folder / f"{name}.js").read_text("utf-8") for name in names.split()]
    return (
        "(() => {\n"
        f"const SETTINGS = {{/*SETTINGS*/}};\nconst AGENT_URL = {AGENT_URL!r};\n"
        f"const send = window[{BINDING!r}];\ndelete window[{BINDING!r}];\n"
        "if (window !== window.top) {\n"
        "  try { window.top[Symbol.for(SETTINGS.key)].instrument(window); } catch {}\n"
        "  return;\n}\n" + "\n".join(parts) + f"\n}})();\n//# sourceURL={AGENT_URL}\n"
    )
