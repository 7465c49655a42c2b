"""What stands together in the help: dozens of options in one list teach nobody."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from typer.core import TyperCommand, TyperGroup, TyperOption

COMMANDS = {
    "Crawl": ("demo", "crawl", "precrawl", "login", "browser"),
    "Look at a crawl": ("view", "report", "show", "replay", "diff", "export"),
    "Search states": ("index", "search"),
    "Near-duplicates": ("compare", "label", "calibrate"),
    "Many machines": ("coordinator", "node"),
    "Strategies": ("simulate", "sites"),
}
"""The commands, in the order in which they are told."""

OPTIONS = {
    "The crawl": ("out", "resume", "browsers", "json", "explain", "help"),
    "When it ends": (
        "max-states", "max-events", "max-seconds", "max-memory", "max-depth",
        "max-states-per-url", "max-additions",
    ),
    "What is fired": ("events", "inputs", "skip", "fire-all"),
    "What comes first": (
        "strategy", "coverage", "prefer", "since", "skip-unchanged", "focus", "focus-only",
    ),
    "What is one state": ("equivalence", "classes", "ignore", "keep"),
    "Which documents": (
        "include", "exclude", "isolate", "links", "pages", "part", "sitemap", "respect-robots",
    ),
    "The application": (
        "login", "reset-command", "cache", "rate", "user-agent", "real-time", "real-chance",
    ),
    "What is kept and checked": (
        "screenshots", "record", "from-warc", "store", "invariant", "check", "fail-on",
    ),
    "The browser": ("browser", "cdp"),
    "Many machines": (
        "cluster", "cluster-address", "crawlers", "topology", "coordinators", "scheme", "nodes",
        "listen", "token-file", "lease-seconds",
    ),
}  # fmt: skip
"""The options of commands that have many, in the order in which they are told."""


class Commands(TyperGroup):
    """Commands in panels."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands in the order of the panels."""
        return sorted(super().list_commands(ctx), key=_place(COMMANDS))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, which knows its panel."""
        command: Any = super().get_command(ctx, cmd_name)
        if command is not None:
            command.rich_help_panel = _panel(COMMANDS, [cmd_name])
        return command


class ManyOptions(TyperCommand):
    """A command whose options stand in panels."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters in the order of the panels; options know theirs."""
        place = _place(OPTIONS)
        params = super().get_params(ctx)
        for param in params:
            if isinstance(param, TyperOption):
                param.rich_help_panel = _panel(OPTIONS, _names(param))
        return sorted(params, key=lambda param: min(map(place, _names(param))))


def _names(param: Any) -> Iterator[str]:
    """Return the names of a parameter, without dashes."""
    return (name.lstrip("-") for name in param.opts)


def _place(panels: Mapping[str, Iterable[str]]) -> Callable[[str], int]:
    """Return what tells where a name stands; others are last."""
    order = {name: number for number, name in enumerate(chain(*panels.values()))}
    return lambda name: order.get(name, len(order))


def _panel(panels: Mapping[str, Iterable[str]], names: Iterable[str]) -> str | None:
    """Return the panel that one of these names stands in."""
    wanted = set(names)
    return next((panel for panel, there in panels.items() if wanted & set(there)), None)
