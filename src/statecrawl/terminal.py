"""What people see on a terminal: tables on standard output, progress on standard error."""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Timer
from time import monotonic
from types import TracebackType
from typing import Any, Self

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from statecrawl.core.counts import Counts
from statecrawl.core.crawled import Crawled
from statecrawl.core.guess import Guess
from statecrawl.core.learned import EventEffects, Kind, by_group
from statecrawl.core.session import Crawl
from statecrawl.core.values import quoted
from statecrawl.equivalences import DEFAULT_CLASSES
from statecrawl.simulation.result import QUARTILES, Result

QUIET_SECONDS = 2.0
LINE_EVERY_SECONDS = 10.0
CRAWL_LINE_EVERY_SECONDS = 60.0
MOVE_EVERY_SECONDS = 0.2
WIDTH_WITHOUT_TERMINAL = 140
SHORT = 6
"""So much of the id of a class is enough to see which states belong together."""
MAX_DOUBTFUL = 20
"""So many nondeterministic events are shown, each on a line of its own."""
MAX_OUTCOMES = 4
MAX_LEFT_ALONE_LINES = 20
KINDS = (Kind.KEEPS, Kind.SETS, Kind.MAPS, Kind.UNCLEAR)


def say(message: str) -> None:
    """Tell the user one line, beside the output."""
    sys.stderr.write(f"statecrawl: {message}\n")


def warn(message: str) -> None:
    """Tell the user what to know before believing in a crawl."""
    say(f"warning: {_plain(message)}")


def print_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output; pages may have written parts of them."""
    print("\n".join(map(_plain, lines)))  # noqa: T201 - this is the output


Marks = Sequence[tuple[int, int]]
"""Places in a line, from where to where."""


def print_marked(lines: Iterable[tuple[str, Marks]]) -> None:
    """Print lines with some places in bold, where that can be shown."""
    console = Console(soft_wrap=True)
    for line, marks in lines:
        text = Text(_plain(line))
        for start, end in marks:
            text.stylize("bold", start, end)
        console.print(text, highlight=False)


def tell_plan(plan: str) -> None:
    """Tell the user what is about to be done, and why."""
    say(_plain(plan))


class Progress:
    """Shows that something is under way, and how far it has come.

    On a terminal a line that moves, elsewhere a line after two seconds and then every ten.
    """

    def __init__(self, task: str) -> None:
        self._task = task
        self._console = Console(stderr=True)
        self._live = Live(console=self._console, transient=True)
        self._pause = MOVE_EVERY_SECONDS if self._console.is_terminal else LINE_EVERY_SECONDS
        self._started = monotonic()
        self._due = self._started + max(QUIET_SECONDS, self._pause)
        self._timer = Timer(QUIET_SECONDS, self._tell, [f"{task}: working on it"])

    def __enter__(self) -> Self:
        self._timer.daemon = True
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        self._timer.join()
        self._live.stop()

    def show(self, crawl: Crawl) -> None:
        """Show where a crawl is, if it is time to."""
        self.tell(
            f"{crawl.model.state_count:,} states, "
            f"{crawl.left:,} transitions known to be left, "
            f"{crawl.events:,} events, {crawl.resets:,} resets"
        )

    def tell(self, how_far: str) -> None:
        """Show how far the task is, if it is time to."""
        now = monotonic()
        if now < self._due:
            return
        self._timer.cancel()
        self._due = now + self._pause
        self._tell(f"{self._task}: {how_far}, {now - self._started:.0f} s")

    def _tell(self, line: str) -> None:
        if not self._console.is_terminal:
            say(line)
            return
        self._live.start()
        self._live.update(Spinner("dots", Text(line)))


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table; numbers stand at the right."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_WITHOUT_TERMINAL)
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for number, column in enumerate(columns):
        numeric = bool(rows) and rows[0][number][:1].isdigit()
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_plain(cell)) for cell in row))
    console.print(table)


def print_results(results: list[Result]) -> None:
    """Print what each strategy cost, cheapest to all states first."""
    model, best = results[0].crawl.model, results[0].optimum
    print(  # noqa: T201 - this is the output
        f"{results[0].model}: {model.state_count:,} states, "
        f"{model.transition_count:,} transitions, "
        f"a reset costs {_number(results[0].crawl.reset_cost)}\n"
    )
    ranked = sorted(results, key=lambda result: result.cost_of_states(100))
    print_table(
        "Cost at which states were found",
        ["strategy", "first", *(f"{percent} %" for percent in QUARTILES), "/ optimum"],
        [
            [
                result.strategy,
                *(_number(result.cost_of_states(percent)) for percent in (0, *QUARTILES)),
                _ratio(result.cost_of_states(100), best.to_all_states if best else None),
            ]
            for result in ranked
        ],
    )
    print_table(
        "The whole crawl",
        ["strategy", "events", "resets", "cost", "/ optimum", "seconds"],
        [
            [
                result.strategy,
                _number(result.crawl.events),
                _number(result.crawl.resets),
                _number(result.cost),
                _ratio(result.cost, best.to_end if best else None),
                f"{result.seconds:.2f}",
            ]
            for result in ranked
        ],
    )
    if best is not None:
        print(  # noqa: T201 - likewise
            f"optimum: {_number(best.to_all_states)} to all states "
            f"({best.kind.replace('_', ' ')}), {_number(best.to_end)} to the end"
        )
    for result in results:
        for what, count in (
            ("events nondeterministic", len(result.crawl.nondeterministic)),
            ("events given up", len(result.crawl.given_up)),
            ("events could not be fired", len(result.crawl.model.refused)),
            ("events not fired, to combine known content", len(result.crawl.not_combined)),
        ):
            if count:
                print(f"{result.strategy}: {count:,} {what}")  # noqa: T201 - likewise


def _ratio(cost: float, least: float | None) -> str:
    return f"{cost / least:.2f}" if least else "-"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


class CrawlProgress(Progress):
    """Shows a crawl in a browser: a line that moves, elsewhere a line a minute."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        if not self._console.is_terminal:
            self._pause = CRAWL_LINE_EVERY_SECONDS
        self._recent = (self._started, 0)
        self._rate = 0.0

    def show(self, crawl: Crawl, counts: Counts | None = None) -> None:
        """Show where a crawl is, if it is time to."""
        now = monotonic()
        if now < self._due or counts is None:
            return
        self._timer.cancel()
        self._due = now + self._pause
        then, events = self._recent
        if now - then > 1:
            self._rate = max(0.0, (counts.events - events) / (now - then))
            self._recent = (now, counts.events)
        model = crawl.model
        self._tell(
            f"{model.state_count:,} states, {model.transition_count:,} transitions, "
            f"{crawl.left:,} known to be left, {self._rate:.0f} events/s, "
            f"{counts.resets:,} resets, {counts.requests_cached:,} requests from the cache, "
            f"in {model.states[crawl.where()] or 'a blank tab'}, {counts.seconds:.0f} s"
        )


def print_crawl(found: Crawled, folder: Path, with_states: bool = False) -> None:
    """Print what a crawl found."""
    summary = found.summary()
    lines = [
        f"{summary['url']}: {summary['states']:,} states, {summary['transitions']:,} transitions "
        f"({summary['stop_reason'] or 'running'})",
        f"{summary['events']:,} events and {summary['resets']:,} resets with "
        f"{summary['strategy']} in {summary['seconds']:.1f} s "
        f"({summary['events_per_second']:.0f} events/s); a reset costs "
        f"{_number(summary['reset_cost'])} events",
        f"all states after {summary['events_to_all_states']:,} events and "
        f"{summary['resets_to_all_states']:,} resets",
        f"{summary['requests']:,} requests, {summary['requests_cached']:,} more answered from "
        f"the cache; {summary['probe_events']:,} events and {summary['probe_resets']:,} resets "
        "to learn what varies",
    ]
    total = sum(summary["time"].values())
    if total:
        parts = [f"{name} {100 * s / total:.0f} %" for name, s in summary["time"].items()]
        lines.append(f"the time of all tabs: {', '.join(parts)}")
    if 0 < summary["classes"] < summary["states"]:
        lines.append(
            f"near-duplicates: {summary['classes']:,} classes of states that are alike "
            f"({found.about.get('classes', DEFAULT_CLASSES)})"
        )
    if summary["passed_by"]:
        lines.append(f"{summary['passed_by']:,} events passed by, as --since or --focus wanted it")
    if summary["not_combined"]:
        lines.append(
            f"{summary['not_combined']:,} events not fired: as far as is known, they would only "
            "combine known content anew (--coverage full fires them)"
        )
    lines.extend(_nondeterministic(found, with_states))
    lines.extend(f"warning: {warning}" for warning in found.warnings)
    if summary["failures"]:
        kinds = ", ".join(f"{kind} {times:,}" for kind, times in summary["failures"].items())
        lines.append(f"failures: {kinds}")
    if summary["findings"]:
        kinds = ", ".join(f"{kind} {times:,}" for kind, times in summary["findings"].items())
        lines.append(f"findings: {kinds}")
    if found.calls.hot_nodes:
        lines.append(f"hot nodes: {', '.join(found.calls.hot_nodes)}")
    lines.extend(
        f"left out of identity: {mask.part} of {mask.path} ({mask.reason})"
        for mask in found.masks.masks
    )
    lines.extend(_left_alone(found))
    lines.append(f"the crawl is in {folder}")
    print_lines(lines)
    if with_states:
        print_table(
            "States",
            ["state", "class", "depth", "events", "title", "URL"],
            [
                [
                    state.id,
                    found.classes.representative(state.id)[:SHORT],
                    str(state.depth),
                    str(len(state.events)),
                    state.title,
                    state.url,
                ]
                for state in found.states.values()
            ],
        )


def _nondeterministic(found: Crawled, with_each: bool) -> list[str]:
    """Return how many events lead to several states and why; some of them, if asked for."""
    doubtful = found.nondeterministic
    if not doubtful:
        return []
    guesses = [found.guesses.get(pair, Guess()) for pair in doubtful]
    causes = Counter(guess.why for guess in guesses).most_common()
    counted = ", ".join(f"{cause} {times:,}" for cause, times in causes)
    lines = [f"{len(doubtful):,} events nondeterministic: {counted}"]
    if with_each:
        for pair, guess in list(zip(doubtful, guesses, strict=True))[:MAX_DOUBTFUL]:
            outcomes = found.transitions[pair].outcomes
            led = [f"{target} {times:,}" for target, times in outcomes.items()]
            more = [f"{len(led) - MAX_OUTCOMES:,} more"] if len(led) > MAX_OUTCOMES else []
            where = ", ".join([*led[:MAX_OUTCOMES], *more])
            event = found.event(*pair)
            what = f"{event.kind} {quoted(event.label)}" if event.label else event.identity
            at = f"in {pair[0]} " if pair[0] else ""
            lines.append(f"  {at}{what} led to {where} ({guess.why}: {guess.evidence})")
        if len(doubtful) > MAX_DOUBTFUL:
            lines.append(f"  and {len(doubtful) - MAX_DOUBTFUL:,} more (--json lists all)")
    return lines


def _left_alone(found: Crawled) -> list[str]:
    """Return the lines about controls that were not fired."""
    controls = found.left_alone
    if not controls:
        return []
    lines = [f"left alone: {len(controls):,} controls; to fire them too, crawl with --fire-all"]
    lines.extend(
        f"  {control.kind} {control.label[:60]!r}: {control.reason} ({control.locator[:120]})"
        for control in controls[:MAX_LEFT_ALONE_LINES]
    )
    if len(controls) > MAX_LEFT_ALONE_LINES:
        lines.append(f"  and {len(controls) - MAX_LEFT_ALONE_LINES:,} more (show --json has all)")
    return lines


def print_findings(found: Crawled) -> None:
    """Print what is wrong with an application."""
    if not found.findings:
        print("no findings")  # noqa: T201 - this is the output
        return
    print_table(
        "Findings",
        ["kind", "what", "where", "state", "after", "events"],
        [
            [
                finding.kind,
                finding.text,
                finding.where,
                finding.state,
                found.event(finding.source, finding.event).label or finding.event,
                str(len(finding.path) - 1),
            ]
            for finding in found.findings
        ],
    )


def print_effects(effects: list[EventEffects]) -> None:
    """Print what events do to regions, by their groups."""
    rows = by_group(effects)
    if not rows:
        print("no event is known to change any region")  # noqa: T201 - this is the output
        return
    print_table(
        "Effects: what the events of a group do to each region that some of them change",
        ["group", "region", "events", "fired", *KINDS, "values"],
        [
            [
                row.group,
                row.region or "(no region)",
                *(f"{count:,}" for count in (row.events, row.times)),
                *(f"{row.kinds.get(kind, 0):,}" for kind in KINDS),
                f"{row.values:,}",
            ]
            for row in rows
        ],
    )


def print_fleet(results: list[dict[str, Any]]) -> None:
    """Print what distributed crawls in virtual time came to."""
    first = results[0]
    what = f"{first['model']}: {first['states']:,} states, {first['transitions']:,} transitions"
    how = f"{first['crawlers']:,} crawlers on {first['coordinators']:,} coordinators"
    detail = first["scheme"] or first["assignment"]
    print_table(
        f"{what}; {first['topology']} ({detail}), {how}",
        [
            "strategy", "seconds", "speed-up", "idle", "messages", "events", "resets",
            "cost to all states", "complete", "violations",
        ],
        [
            [
                result["strategy"],
                f"{result['simulated_seconds']:,.1f}",
                "" if result["speedup"] is None else f"{result['speedup']:.2f}",
                f"{result['idle_share']:.1%}",
                *(f"{result[name]:,}" for name in ("messages", "events", "resets")),
                _number(result["cost_to_all_states"]),
                "yes" if result["complete"] else "no",
                f"{len(result['violations']):,}",
            ]
            for result in results
        ],
    )  # fmt: skip
    print_lines(f"violation: {each}" for result in results for each in result["violations"])


def _plain(line: str) -> str:
    """Return a line without control characters: pages may try to write on the terminal."""
    return "".join(character if character.isprintable() else "?" for character in line)
