"""`statecrawl simulate`: strategies over applications whose model is known."""

import math
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from statecrawl.cli.app import AsJson, CoverageOption, Explain, Prefer, app, print_json
from statecrawl.cli.fleet import checked_fleet, simulate_fleet
from statecrawl.compose.choices import load_application, pick_strategies, preferring
from statecrawl.config import checked_coverage
from statecrawl.coordination.assign import ASSIGNMENTS
from statecrawl.coordination.ring_messages import Scheme
from statecrawl.core.application import Application
from statecrawl.core.explanation import explained
from statecrawl.core.parts import Coverage
from statecrawl.errors import InputError
from statecrawl.simulation.optimum import Optimum, optimum
from statecrawl.simulation.plot import check_can_draw, plot_curves
from statecrawl.simulation.result import Result
from statecrawl.simulation.run import WATCH_EVERY, Watcher, shuffled, simulate
from statecrawl.strategies import STRATEGIES
from statecrawl.terminal.lines import say
from statecrawl.terminal.progress import Progress
from statecrawl.terminal.simulations import print_results


@app.command("simulate")
def simulate_command(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="A model file (JSON), or a built-in model as NAME[:key=value,...], "
            "for example `hypercube:dimensions=8`.",
        ),
    ],
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help=f"{', '.join(STRATEGIES)}, or all, which is the default; again for more.",
        ),
    ] = None,
    coverage: CoverageOption = Coverage.FULL.value,
    prefer: Prefer = "",
    reset_cost: Annotated[
        float | None,
        typer.Option(metavar="C", help="What a reset costs, in events, instead of the model's."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Shuffle the events of each state. The same N gives the same order and the "
            "same chances where the model is nondeterministic.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw states found against cost (png, svg or pdf)."),
    ] = None,
    explain: Explain = False,
    topology: Annotated[
        str, typer.Option(metavar="star|ring", help="Crawl with many machines, in virtual time.")
    ] = "",
    coordinators: Annotated[
        int, typer.Option(metavar="M", help="So many coordinators are on the ring.")
    ] = 1,
    crawlers: Annotated[int, typer.Option(metavar="N", help="So many crawlers.")] = 1,
    scheme: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"What coordinators on the ring know of each other's: {', '.join(Scheme)}.",
        ),
    ] = Scheme.FORWARD.value,
    assign: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"How a star deals out the events of a state: {', '.join(ASSIGNMENTS)}.",
        ),
    ] = "hash",
    balance: Annotated[
        bool, typer.Option(help="Let idle nodes of a star take over events of busy ones.")
    ] = True,
    faults: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Let so many things go wrong, decided by --seed: crashes and restarts, lost, late "
            "and repeated messages, networks that fall apart.",
        ),
    ] = 0,
    with_optimum: Annotated[
        bool, typer.Option("--optimum/--no-optimum", help="Compute the optimal cost too.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Crawl an application whose model is known, and say what each strategy costs.

    No browser is needed: the strategies that crawl real applications run here over an
    explicit model. The table shows at which cost the first state, a quarter, half, three
    quarters and all of the states were found, and what the complete crawl cost; an event
    costs 1 and a reset (loading the page again) as much as the model says.

    Examples:
    - `statecrawl simulate bibliography`
    - `statecrawl simulate hypercube:dimensions=8 --strategy hypercube --strategy greedy`
    - `statecrawl simulate model.json --seed 3 --plot curves.png --json`
    - `statecrawl simulate filetree --strategy greedy --topology ring --coordinators 5
      --crawlers 20`

    """
    if topology:
        fleet = checked_fleet(
            topology, coordinators, crawlers, scheme, assign, balances=balance, faults=faults
        )
        application = _with_options(load_application(model), reset_cost, seed)
        simulate_fleet(model, application, strategy or ["greedy"], fleet, seed or 0, as_json)
        return
    strategies = pick_strategies(strategy or ["all"])
    covering = checked_coverage(coverage, prefer)
    if plot is not None:
        check_can_draw(plot)
    unshuffled = _with_options(load_application(model), reset_cost, None)
    best = _optimum(unshuffled) if with_optimum else None
    application = _with_options(unshuffled, None, seed)
    results = []
    for name, factory in strategies.items():
        started = perf_counter()
        with Progress(f"{name} on {model}") as progress:
            watcher = _explainer(name) if explain else progress.show
            every = 1 if explain else WATCH_EVERY
            preferred = preferring(prefer, factory)
            crawl = simulate(application, preferred, seed or 0, watcher, every, coverage=covering)
        results.append(Result(model, name, crawl, perf_counter() - started, best))
    if plot is not None:
        plot_curves(results, plot)
    if as_json:
        print_json([result.to_json() for result in results])
    else:
        print_results(results)
        if plot is not None:
            say(f"curves: {plot}")


def _with_options(
    application: Application, reset_cost: float | None, seed: int | None
) -> Application:
    """Return an application with another cost of reset, and with its events shuffled."""
    if reset_cost is not None:
        if not math.isfinite(reset_cost) or reset_cost < 0:
            raise InputError(f"--reset-cost is {reset_cost}; it must be 0 or more")
        application = replace(application, reset_cost=reset_cost)
    return application if seed is None else shuffled(application, seed)


def _explainer(strategy: str) -> Watcher:
    """Return what tells every plan of a strategy."""
    return lambda crawl: say(f"{strategy}, {explained(crawl)}")


def _optimum(application: Application) -> Optimum | None:
    if find_spec("ortools") is None:
        say("the optimal cost is left out; to have it: pip install 'statecrawl[lab]'")
        return None
    with Progress("optimal cost"):
        return optimum(application)
