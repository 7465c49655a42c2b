"""What a crawl found, in words and tables."""

from collections import Counter
from pathlib import Path

from statecrawl.core.crawled import Crawled
from statecrawl.core.guess import Guess
from statecrawl.core.learned import EventEffects, Kind, by_group
from statecrawl.core.values import quoted
from statecrawl.equivalences import DEFAULT_CLASSES
from statecrawl.terminal.lines import number, print_lines, print_table

SHORT = 6
"""So much of the id of a class is enough to see which states belong together."""
MAX_DOUBTFUL = 20
"""So many nondeterministic events are shown, each on a line of its own."""
MAX_OUTCOMES = 4
MAX_LEFT_ALONE_LINES = 20
KINDS = (Kind.KEEPS, Kind.SETS, Kind.MAPS, Kind.UNCLEAR)


def print_crawl(found: Crawled, folder: Path, with_states: bool = False) -> None:
    """Print what a crawl found."""
    summary = found.summary()
    lines = [
        f"{summary['url']}: {summary['states']:,} states, {summary['transitions']:,} transitions "
        f"({summary['stop_reason'] or 'running'})",
        f"{summary['events']:,} events and {summary['resets']:,} resets with "
        f"{summary['strategy']} in {summary['seconds']:.1f} s "
        f"({summary['events_per_second']:.0f} events/s); a reset costs "
        f"{number(summary['reset_cost'])} events",
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
        _print_states(found)


def _print_states(found: Crawled) -> None:
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
        print_lines(["no findings"])
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
        print_lines(["no event is known to change any region"])
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
