"""``rulewright analyse``: a game that was played, with the chances at each decision and better answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, Format, plural, print_json, print_text, say, write_file
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.limit_options import limited
from rulewright_tools.progress import working
from rulewright_tools.render.chance_curve import curve
from rulewright_tools.session.game_session import read_save

TURNING = 0.2
"""A decision that has cost so much of the payoff to expect is a turning point."""


@guarded
@limited
def analyse(
    ruleset: arg.Ruleset,
    save: Annotated[Path, typer.Argument(metavar="SAVE", help="A saved game, or the log of one.")],
    agent: Annotated[
        str, typer.Option("--with", metavar="AGENT", help="The agent that searches: mcts:2000, alphabeta:6:score …")
    ] = "mcts:500",
    seed: arg.Seed = 0,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the chances of all seats as a curve.")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Analyse a game that was played: each seat's chances at each decision, the turning points, better answers.

    At each decision the agent knows no more than the seat that was asked. A turning point is an answer with which the
    payoff to expect is lower by 0.2 or more than with the best one (from a loss to a win it is 2).

    Examples:

      rulewright analyse connect-four evening.json --with mcts:2000

      rulewright analyse my-game evening.json --svg chances.svg --format json
    """
    if svg is not None:
        require("drawsvg")
    game, state = arg.position(read_save(save), ruleset, None, None, None, seed, None)
    thinking = game.policy(agent)
    found: list[rw.analysis.Decided] = []
    interrupted = False
    with working("thinking") as shown:
        try:
            for one in rw.analysis.analysed(game, state, thinking, seed, lambda at, of: shown.tell(f"{at} of {of}")):
                found.append(one)
        except KeyboardInterrupt:
            interrupted = True
    if not found:
        raise CommandError(f"{save} holds no decision at which there was a choice")
    if format is Format.JSON:
        print_json(_report(game, str(thinking), found, interrupted))
    else:
        print_text("\n".join(_lines(game, found)) + "\n")
    if svg is not None:
        write_file(svg, curve(game.seats, [(one.number, one.chances) for one in found if one.chances]))
        say(f"wrote {svg}")
    return Exit.INTERRUPTED if interrupted else Exit.FINE


def _turns(one: rw.analysis.Decided) -> bool:
    return one.lost is not None and one.lost >= TURNING


def _report(game: rw.Game, agent: str, found: Sequence[rw.analysis.Decided], interrupted: bool) -> dict[str, object]:
    """The report as plain data."""
    return {
        "ruleset": game.name,
        "title": game.title,
        "players": game.players,
        "agent": agent,
        "complete": not interrupted,
        "seats": list(game.seats),
        "decisions": [
            {
                "number": one.number,
                "seat": one.who,
                "question": one.question,
                "answer": one.answer,
                "best": one.best,
                "value": round(one.value, 4),
                "chances": [round(chance, 4) for chance in one.chances],
                "lost": None if one.lost is None else round(one.lost, 4),
                "turning": _turns(one),
            }
            for one in found
        ],
    }


def _lines(game: rw.Game, found: Sequence[rw.analysis.Decided]) -> list[str]:
    """The report as lines."""
    lines = [f"{game.title}: {plural(len(found), 'decision')} with a choice; chances of {', '.join(game.seats)}"]
    for one in found:
        chances = " ".join(f"{100 * chance:3.0f} %" for chance in one.chances) or f"worth {one.value:+.2f}"
        better = "" if one.answer == one.best else f"  better: {one.best}"
        lost = "" if not one.lost or one.answer == one.best else f" (by {one.lost:.2f})"
        mark = "  <-- turning point" if _turns(one) else ""
        lines.append(
            rw.characters.printable(f"{one.number:>4}  {chances}  {one.who}: {one.answer}{better}{lost}{mark}")
        )
    return lines
