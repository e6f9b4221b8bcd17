"""All commands of ``rulewright``, put together."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from rulewright_tools.commands.check import check
from rulewright_tools.commands.compare import compare
from rulewright_tools.commands.draw import draw
from rulewright_tools.commands.explain import explain
from rulewright_tools.commands.fmt import fmt
from rulewright_tools.commands.fuzz import fuzz
from rulewright_tools.commands.mutate import mutate
from rulewright_tools.commands.new import new
from rulewright_tools.commands.perft import perft
from rulewright_tools.commands.play import play
from rulewright_tools.commands.simulate import simulate
from rulewright_tools.commands.test import run_tests
from rulewright_tools.commands.trace import trace

app = typer.Typer(
    name="rulewright",
    help="Board-game rulebooks as data: check them, test them, play them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

GROUPS: dict[str, dict[str, Callable[..., None]]] = {
    "Write rules": {"new": new, "check": check, "compare": compare, "explain": explain, "fmt": fmt},
    "Prove them": {
        "test": run_tests,
        "trace": trace,
        "perft": perft,
        "simulate": simulate,
        "fuzz": fuzz,
        "mutate": mutate,
    },
    "Play": {"play": play, "draw": draw},
}

for group, commands in GROUPS.items():
    for name, command in commands.items():
        app.command(name, rich_help_panel=group)(command)


def _version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(f"rulewright {version('rulewright')}")
        except PackageNotFoundError:
            typer.echo("rulewright (not installed)")
        raise typer.Exit


@app.callback()
def common(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Board-game rulebooks as data: check them, test them, play them."""
