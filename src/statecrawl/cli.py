"""The command line. Each command is thin: it picks parts, runs them, prints what they found."""

import json
import math
import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from statecrawl import __version__
from statecrawl.compose import load_application, pick_strategies
from statecrawl.core.application import Application
from statecrawl.errors import ExitCode, InputError, StatecrawlError
from statecrawl.simulation.optimum import Optimum, optimum
from statecrawl.simulation.plot import check_can_draw, plot_curves
from statecrawl.simulation.result import Result
from statecrawl.simulation.run import shuffled, simulate
from statecrawl.sites.models import MODELS, build_model, describe
from statecrawl.strategies import STRATEGIES
from statecrawl.terminal import Progress, print_results, print_table, say

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
sites_app = typer.Typer()
app.add_typer(sites_app, name="sites")

TYPER_INTERRUPTED = 130
"""What typer returns, instead of raising, when a command is interrupted."""

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


@app.callback(invoke_without_command=True)
def statecrawl(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Crawl states, not URLs: infer the state machine behind a web application.

    Try `statecrawl simulate filetree` to see six strategies crawl a file explorer, or
    `statecrawl sites` for the built-in applications.
    """
    if version:
        typer.echo(f"statecrawl {__version__}")


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

    """
    strategies = pick_strategies(strategy or ["all"])
    if plot is not None:
        check_can_draw(plot)
    application = load_application(model)
    if reset_cost is not None:
        if not math.isfinite(reset_cost) or reset_cost < 0:
            raise InputError(f"--reset-cost is {reset_cost}; it must be 0 or more")
        application = replace(application, reset_cost=reset_cost)
    best = _optimum(application) if with_optimum else None
    if seed is not None:
        application = shuffled(application, seed)
    results = []
    for name, factory in strategies.items():
        started = perf_counter()
        with Progress(f"{name} on {model}") as progress:
            crawl = simulate(application, factory, seed or 0, progress.show)
        results.append(Result(model, name, crawl, perf_counter() - started, best))
    if plot is not None:
        plot_curves(results, plot)
    if as_json:
        _print_json([result.to_json() for result in results])
    else:
        print_results(results)
        if plot is not None:
            say(f"curves: {plot}")


def _optimum(application: Application) -> Optimum | None:
    if find_spec("ortools") is None:
        say("the optimal cost is left out; to have it: pip install 'statecrawl[lab]'")
        return None
    with Progress("optimal cost"):
        return optimum(application)


@sites_app.callback(invoke_without_command=True)
def sites_command(context: typer.Context, as_json: AsJson = False) -> None:
    """List the built-in applications, or print the true model of one."""
    if context.invoked_subcommand is not None:
        return
    listing: list[dict[str, Any]] = [
        {
            "name": site.name,
            "description": site.summary,
            "parameters": {key: given.default for key, given in site.parameters.items()},
        }
        for site in map(describe, MODELS)
    ]
    if as_json:
        _print_json(listing)
    else:
        print_table(
            "Built-in applications",
            ["name", "what it is", "parameters with their defaults"],
            [
                [
                    row["name"],
                    row["description"],
                    ", ".join(f"{key}={value}" for key, value in row["parameters"].items()),
                ]
                for row in listing
            ],
        )


@sites_app.command("model")
def sites_model_command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME[:key=value,...]", help="For example `filetree` or `bank:customers=3`."
        ),
    ],
) -> None:
    """Print the true model of a built-in application, as a model file."""
    _print_json(build_model(name).to_json())


def _print_json(document: Any) -> None:
    _write(json.JSONEncoder(ensure_ascii=True).iterencode(document))


def _write(chunks: Iterable[str]) -> None:
    try:
        sys.stdout.writelines(chunks)
        sys.stdout.write("\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads our output has enough of it; the interpreter must not complain on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the command line; every error is one line and an exit code."""
    try:
        code = app(standalone_mode=False)
        if code == TYPER_INTERRUPTED:
            raise KeyboardInterrupt
    except StatecrawlError as error:
        say(f"error: {error}")
        code = error.exit_code
    except TyperException as error:
        if error.format_message():  # there is none when the help was shown instead
            say(f"error: {error.format_message()} (statecrawl --help shows how)")
        code = ExitCode.INPUT
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted")
        code = ExitCode.INTERRUPTED
    sys.exit(code)
