"""`statecrawl diff`: what differs between two crawls of one application."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from statecrawl.cli.app import AsJson, app, print_json
from statecrawl.cli.options import words
from statecrawl.compose.reading import Compared, compared
from statecrawl.core.comparison import ChangedTransition, Comparison, Detail, Kind
from statecrawl.core.crawled import Crawled, CrawledTransition
from statecrawl.core.matching import Match
from statecrawl.core.values import quoted
from statecrawl.errors import ExitCode, InputError
from statecrawl.terminal.lines import print_lines, say, warn
from statecrawl.terminal.progress import Progress

MAX_SHOWN = 20
"""So many differences of a kind are shown; --json has all."""
MAX_DETAILS_SHOWN = 6

Thing = TypeVar("Thing")


@app.command("diff")
def diff_command(
    first: Annotated[Path, typer.Argument(metavar="DIR_A", help="The folder of the older crawl.")],
    second: Annotated[Path, typer.Argument(metavar="DIR_B", help="That of the newer one.")],
    fail_on: Annotated[
        str,
        typer.Option(metavar="KIND,...", help=f"End with 6 on: {', '.join(Kind)}; or any."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Compare two crawls of one application: what appeared, vanished and changed.

    Equal states have equal ids. A state that is not there any more has changed, rather than
    vanished, if the same events lead to another one now, or if one of the same URL is nearly the
    same. Another host may have served the second crawl.

    Examples:
    - `statecrawl diff crawls/shop-1 crawls/shop-2`
    - `statecrawl diff crawls/production crawls/staging --fail-on vanished,changed`

    """
    failing = _kinds(words(fail_on))
    with (
        Progress(f"comparing {first} and {second}"),
        compared(first, second) as found,
    ):
        if as_json:
            document = found.to_json(first, second)
        else:
            lines = list(_lines(found, first, second))
    if as_json:
        print_json(document)
    else:
        print_lines(lines)
    for warning in found.comparison.warnings:
        warn(warning)
    counts = {kind: sum(found.comparison.counts[kind]) for kind in Kind if kind in failing}
    if any(counts.values()):
        kinds = ", ".join(f"{kind} {times:,}" for kind, times in counts.items() if times)
        say(f"failed on differences: {kinds}")
        raise typer.Exit(ExitCode.FOUND)


def _kinds(names: Iterable[str]) -> frozenset[Kind]:
    known = ("any", *Kind)
    for name in names:
        if name not in known:
            raise InputError(f"--fail-on {name[:40]!r}: give some of {','.join(known)}")
    return frozenset(Kind if "any" in names else map(Kind, names))


def _lines(found: Compared, first: Path, second: Path) -> Iterator[str]:
    """Yield what people read: figures, then what differs, the states first."""
    told = found.comparison
    for letter, folder, crawled in (("A", first, told.one), ("B", second, told.other)):
        summary = crawled.summary()
        yield (
            f"{letter}: {folder}, {summary['url']}: {summary['states']:,} states, "
            f"{summary['transitions']:,} transitions ({summary['stop_reason'] or 'running'})"
        )
    counts = told.counts
    for what, same, number in (
        ("states", len(told.same), 0),
        ("transitions", told.same_transitions, 1),
    ):
        figures = ", ".join(f"{counts[kind][number]:,} {kind}" for kind in Kind)
        yield f"{what}: {same:,} the same, {figures}"
    if told.not_compared:
        yield f"{told.not_compared:,} transitions not compared: explored in one crawl only"
    yield from _states(found)
    yield from _transitions(told)


def _states(found: Compared) -> Iterator[str]:
    told = found.comparison

    def changed(match: Match) -> Iterator[str]:
        yield f"~ {match.was} is now {match.now} ({_page(told.other, match.now)})"
        details = list(found.details(match))
        yield from (f"    {_detail(detail)}" for detail in details[:MAX_DETAILS_SHOWN])
        if len(details) > MAX_DETAILS_SHOWN:
            yield f"    and {len(details) - MAX_DETAILS_SHOWN:,} more"

    def alone(sign: str, crawled: Crawled) -> Callable[[str], Iterator[str]]:
        def shown(state: str) -> Iterator[str]:
            yield f"{sign} {state} ({_page(crawled, state)})"
            yield f"    {_way(crawled, state)}"

        return shown

    yield from _section("states that changed", told.changed, changed)
    yield from _section("states that appeared", told.appeared, alone("+", told.other))
    yield from _section("states that vanished", told.vanished, alone("-", told.one))


def _transitions(told: Comparison) -> Iterator[str]:
    def changed(pair: ChangedTransition) -> Iterator[str]:
        yield f"~ {_led(told.one, pair.was)}, now to {', '.join(pair.now.targets)}"

    def alone(sign: str, crawled: Crawled) -> Callable[[CrawledTransition], Iterator[str]]:
        return lambda transition: iter([f"{sign} {_led(crawled, transition)}"])

    come, gone = told.appeared_transitions, told.vanished_transitions
    yield from _section("transitions that changed", told.changed_transitions, changed)
    yield from _section("transitions that appeared", come, alone("+", told.other))
    yield from _section("transitions that vanished", gone, alone("-", told.one))


def _section(
    title: str, things: Sequence[Thing], shown: Callable[[Thing], Iterable[str]]
) -> Iterator[str]:
    if things:
        yield from ("", f"{title}:")
    for thing in things[:MAX_SHOWN]:
        yield from shown(thing)
    if len(things) > MAX_SHOWN:
        yield f"and {len(things) - MAX_SHOWN:,} more (--json lists all)"


def _page(crawled: Crawled, state: str) -> str:
    page = crawled.states[state]
    return f"{quoted(page.title)}, {page.url}" if page.title else page.url


def _way(crawled: Crawled, state: str) -> str:
    """Return the way to a state in words."""
    plan = crawled.path(state)
    if plan is None:
        return "no way is known"
    at, said = plan.expected_entry or "", [f"load {plan.entry}"]
    for step in plan.steps:
        said.append(_event(crawled, at, step.event))
        at = step.expected or ""
    return ", ".join(said)


def _event(crawled: Crawled, state: str, identity: str) -> str:
    event = crawled.event(state, identity)
    return f"{event.kind} {quoted(event.label)}" if event.label else identity


def _led(crawled: Crawled, transition: CrawledTransition) -> str:
    event = _event(crawled, transition.source, transition.event)
    at = f"in {transition.source} " if transition.source else ""
    return f"{at}{event} led to {', '.join(transition.targets)}"


def _detail(detail: Detail) -> str:
    where = f" at {detail.where}" if detail.where else ""
    if not detail.was or not detail.now:
        verb = "gone" if detail.was else "new"
        return f"{detail.what} {quoted(detail.was or detail.now)} {verb}{where}"
    return f"{detail.what} {quoted(detail.was)} is now {quoted(detail.now)}{where}"
