"""Pictures of simulated crawls."""

from importlib.util import find_spec
from pathlib import Path

from statecrawl.errors import InputError
from statecrawl.simulation.result import Result

FORMATS = (".png", ".svg", ".pdf")


def check_can_draw(file: Path) -> None:
    """Say what would keep us from drawing to this file, before the work and not after it."""
    if find_spec("matplotlib") is None:
        raise InputError("pictures need matplotlib: pip install 'statecrawl[lab]'")
    if file.suffix.lower() not in FORMATS:
        raise InputError(f"can't draw to {str(file)!r}: give a file ending in {', '.join(FORMATS)}")
    if not file.parent.is_dir():
        raise InputError(f"can't write {str(file)!r}: there is no folder {str(file.parent)!r}")


def plot_curves(results: list[Result], file: Path) -> None:
    """Draw the states found against the cost, a line for each strategy."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    figure = Figure(figsize=(9, 5.5), layout="constrained")
    axes = figure.add_subplot()
    for result in results:
        costs, found = zip(*result.curve, strict=True)
        axes.step(costs, found, where="post", label=result.strategy)
    best = results[0].optimum
    if best is not None:
        label = f"optimum ({best.kind.replace('_', ' ')})"
        axes.axvline(best.to_all_states, color="0.4", linestyle=":", label=label)
    axes.set_xscale("log")
    axes.set_xlabel("cost (events + resets x cost of reset)")
    axes.set_ylabel("states found")
    axes.set_title(results[0].model)
    axes.grid(visible=True, which="both", alpha=0.2)
    axes.legend()
    try:
        figure.savefig(file)
    except OSError as error:
        raise InputError(f"can't write {str(file)!r}: {error.strerror}") from None
