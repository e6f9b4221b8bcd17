"""``rulewright solve``: what a game is worth to those who play it as well as it can be played."""

from __future__ import annotations

from typing import Annotated

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, Format, plural, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.limit_options import Time
from rulewright_tools.progress import working
from rulewright_tools.reports import solution_text
from rulewright_tools.vocabulary import named

POSITIONS = 10_000_000
"""So many positions are looked at, if no other end is named."""
TREE_POSITIONS = 500_000
"""The number of positions of a tree with secrets."""
MEMORY = 512
"""Megabytes for them, about."""


@guarded
def solve(
    ruleset: arg.Ruleset,
    players: arg.Players = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    scenario: arg.Scenario = None,
    time: Time = None,
    positions: Annotated[int | None, named("--positions", min=1)] = None,
    cfr: Annotated[bool, named("--cfr")] = False,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Solve a game of two: who wins if both play as well as they can, the best first answers, and a line of play.

    Both must see everything, and what one wins the other must lose. Chance is weighed. A game in which positions come
    again is a draw if no player can force anything better than to play on for ever.

    With --cfr a small game may have secrets, too: it is solved by counterfactual regret minimisation, which finds how
    often to give which answer, and what that is worth whatever the other one does.

    If --time is up before, or 10 million positions are looked at, it reports what is proved by then, and the exit code
    is 1.

    Examples:

      rulewright solve tic-tac-toe
      rulewright solve connect-four --option columns=4 --option rows=4
      rulewright solve connect-four --time 3
      rulewright solve kuhn-poker --cfr
      rulewright solve my-game --scenario "two men against one" --positions 1000000 --format json
    """
    if cfr:
        if scenario is not None:
            raise CommandError("--cfr begins at the start of the game: leave out --scenario")
        return _equilibrium(arg.load(ruleset, players, variant, option), positions, time, option, format)
    if positions is None and time is None:
        positions = POSITIONS
    begin: rw.State | None = None
    if scenario is None:
        game = arg.load(ruleset, players, variant, option)
    elif players is not None or variant or option:
        raise CommandError("--scenario sets the game and its players: leave out the other options")
    else:
        game, begin = rw.Game.of_scenario(ruleset, scenario, ask_chance=True)
        game.backend = arg.MACHINE.backend
    with working(f"solving {game.title}") as shown:
        found = lab.solve(
            game,
            begin,
            positions,
            time,
            MEMORY,
            lambda done: shown.describe(f"solving {game.title}: {plural(done, 'position')}"),
        )
    if format is Format.JSON:
        names = {"ruleset": game.name, "title": game.title, "variants": list(game.variants)}
        print_json({**names, "parameters": arg.options_of(option), "from": scenario, **found.data()})
    else:
        solution_text.solution(game, found)
    return Exit.FINE if found.value.exact else Exit.FINDINGS


def _equilibrium(
    game: rw.Game, positions: int | None, time: float | None, option: list[str] | None, format: Format
) -> Exit:
    """Mixed strategies, for a game with secrets."""
    with working(f"solving {game.title}") as shown:
        found = lab.equilibrium(
            game,
            positions=positions or TREE_POSITIONS,
            seconds=time,
            progress=lambda done: shown.describe(f"solving {game.title}: {plural(done, 'position')}"),
        )
    if format is Format.JSON:
        names = {"ruleset": game.name, "title": game.title, "variants": list(game.variants)}
        seen_in = solution_text.what_is_seen(game, found)
        report = found.data()
        report["strategies"] = [{**one, "seen": seen} for one, seen in zip(report["strategies"], seen_in, strict=True)]
        print_json({**names, "parameters": arg.options_of(option), **report})
    else:
        solution_text.equilibrium(game, found)
    return Exit.FINE if found.solved else Exit.FINDINGS
