"""What crawls with different equivalences came to, site by site, against the exact one."""

from collections.abc import Callable, Sequence
from typing import Any

from statecrawl.calibration.labelled import LabelledSet
from statecrawl.calibration.measures import EXACT
from statecrawl.calibration.metrics import METRICS, ModelOutcome
from statecrawl.calibration.tasks import TaskState, TaskStatus
from statecrawl.calibration.truth import truth_of

FIGURES = ("states", "transitions", "events", "seconds", "stop_reason")

ReadSet = Callable[[str], LabelledSet]


def crawl_results(tasks: Sequence[TaskState], read: ReadSet) -> list[dict[str, Any]]:
    """Return one row for each task: how it stands, and its figures once it is done.

    `speed` is the gain in time against the crawl of the same site that took equal pages for one.
    Where a site has labels: which states the crawl missed and has twice, and those that nobody
    labelled, `unknown_states`.
    """
    exact = {
        task.settings["name"]: float(task.result["seconds"])
        for task in tasks
        if task.status is TaskStatus.DONE and task.settings["equivalence"] == EXACT
    }
    sets = {
        place: read(place)
        for place in dict.fromkeys(task.settings["labels"] for task in tasks)
        if place
    }
    return [_row(task, exact, sets) for task in tasks]


def _row(task: TaskState, exact: dict[str, float], sets: dict[str, LabelledSet]) -> dict[str, Any]:
    settings = task.settings
    row: dict[str, Any] = {
        "task": task.task,
        "site": settings["name"],
        "equivalence": settings["equivalence"],
        "status": task.status,
        "worker": task.worker,
        "attempts": task.attempts,
        "error": task.error,
    }
    if task.status is not TaskStatus.DONE:
        return row
    row |= {name: task.result[name] for name in FIGURES}
    labelled = sets.get(settings["labels"])
    baseline = exact.get(settings["name"], 0.0)
    if labelled is None:
        gain = 100 * (1 - task.result["seconds"] / baseline) if baseline else 0.0
        return {**row, "speed": gain}
    return {**row, **_compared(task.result, labelled, baseline)}


def _compared(result: Any, labelled: LabelledSet, baseline: float) -> dict[str, float]:
    numbers = {state: number for number, state in enumerate(labelled.pages)}
    found = [state for state in result["list"] if state in numbers]
    outcome = ModelOutcome(
        truth_of(labelled),
        tuple(numbers[state] for state in found),
        result["seconds"],
        baseline,
    )
    figures = {
        name: metric.measure(outcome) for name, metric in METRICS.items() if not metric.is_of_pairs
    }
    return {**figures, "unknown_states": len(result["list"]) - len(found)}
