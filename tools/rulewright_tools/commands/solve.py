"""``rulewright solve``: what a game is worth to those who play it as well as it can be played."""

from __future__ import annotations

import re
from typing import Annotated

import typer

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, Format, plural, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.progress import working
from rulewright_tools.reports import solution_text

_BUDGET = re.compile(r"(\d+)(s|)")
POSITIONS = "10000000"


@guarded
def solve(
    ruleset: arg.Ruleset,
    players: arg.Players = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    scenario: Annotated[
        str | None, typer.Option("--from", metavar="TITLE", help="Begin in the position that a scenario lays out.")
    ] = None,
    budget: Annotated[
        str, typer.Option("--budget", metavar="N|Ns", help="Stop after so many positions, or after so many seconds.")
    ] = POSITIONS,
    memory: Annotated[int, typer.Option("--memory", min=1, metavar="MB", help="Memory for positions, about.")] = 512,
    engine: arg.Engine = arg.EngineChoice.AUTO,
    passes: arg.Passes = "all",
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Solve a game of two: who wins if both play as well as they can, the best first answers, and a line of play.

    Both must see everything, and what one wins the other must lose. Chance is weighed. A game in which positions come
    again is a draw if no player can force anything better than to play on for ever.

    If the budget is spent before, it reports what is proved by then, and the exit code is 1.

    Examples:

      rulewright solve tic-tac-toe

      rulewright solve connect-four --option columns=5 --option rows=4

      rulewright solve my-game --from "two men against one" --budget 60s --format json
    """
    positions, seconds = _budget(budget)
    begin: rw.State | None = None
    if scenario is None:
        game = arg.load(ruleset, players, variant, option, engine, passes)
    elif players is not None or variant or option:
        raise CommandError("--from sets the game and its players: leave out the other options")
    else:
        game, begin = rw.Game.of_scenario(ruleset, scenario, ask_chance=True)
        game.backend = engine.value
    with working(f"solving {game.title}") as shown:
        found = lab.solve(
            game,
            begin,
            positions,
            seconds,
            memory,
            lambda done: shown.describe(f"solving {game.title}: {plural(done, 'position')}"),
        )
    if format is Format.JSON:
        names = {"ruleset": game.name, "title": game.title, "variants": list(game.variants)}
        print_json({**names, "parameters": arg.options_of(option), "from": scenario, **found.data()})
    else:
        solution_text.solution(game, found)
    return Exit.FINE if found.value.exact else Exit.FINDINGS


def _budget(text: str) -> tuple[int | None, float | None]:
    """The positions, or the seconds."""
    found = _BUDGET.fullmatch(text.replace("_", ""))
    if found is None or not int(found[1]):
        raise CommandError(f"--budget {text}: write a number of positions, such as 1000000, or of seconds, such as 60s")
    return (None, float(found[1])) if found[2] else (int(found[1]), None)
