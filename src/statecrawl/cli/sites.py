"""`statecrawl sites`: the built-in applications."""

import asyncio
from typing import Annotated, Any

import typer

from statecrawl.cli.app import AsJson, Port, app, print_json
from statecrawl.sites.models import MODELS, UNMODELLED, build_model, describe
from statecrawl.sites.server import serve
from statecrawl.terminal.lines import print_table, say

sites_app = typer.Typer()
app.add_typer(sites_app, name="sites")

SiteSpec = Annotated[
    str,
    typer.Argument(
        metavar="NAME[:key=value,...]", help="For example `filetree` or `bank:accounts=3`."
    ),
]


@sites_app.callback(invoke_without_command=True)
def sites_command(context: typer.Context, as_json: AsJson = False) -> None:
    """List the built-in applications, serve one, or print its true model."""
    if context.invoked_subcommand is not None:
        return
    listing: list[dict[str, Any]] = [
        {
            "name": site.name,
            "description": site.summary,
            "parameters": {key: given.default for key, given in site.parameters.items()},
        }
        for site in map(describe, (*MODELS, *UNMODELLED))
    ]
    if as_json:
        print_json(listing)
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
    name: SiteSpec,
) -> None:
    """Print the true model of a built-in application, as a model file."""
    print_json(build_model(name).to_json())


@sites_app.command("serve")
def sites_serve_command(
    name: SiteSpec,
    port: Port = 8000,
    latency_ms: Annotated[
        int,
        typer.Option(min=0, max=60_000, help="How long each AJAX call takes, as over a network."),
    ] = 0,
) -> None:
    """Serve a built-in application on this machine until interrupted."""

    async def run() -> None:
        async with serve(name, port, latency_ms) as url:
            say(f"{name} at {url} (Ctrl-C ends it)")
            await asyncio.Event().wait()

    asyncio.run(run())
