"""``rulewright analyse``: a game that was played, with the chances at each decision and better answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import (
    CommandError,
    Exit,
    Format,
    plural,
    print_json,
    print_note,
    print_text,
    will_write,
    write_file,
    write_page,
)
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require, require_pictures
from rulewright_tools.limit_options import limited
from rulewright_tools.progress import working
from rulewright_tools.recorded_games import answered, recorded_game
from rulewright_tools.render.chance_curve import curve
from rulewright_tools.session.seat_policies import Policies, policies_of, split

TURNING = 0.2
"""A decision that has cost so much of the payoff to expect is a turning point."""


@guarded
@limited
def analyse(
    context: typer.Context,
    ruleset: arg.Ruleset,
    played: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A saved game or the log of one, the record of a tournament, a game or the report of the fuzzer; "
            "without it the game of the seed.",
        ),
    ] = None,
    agent: Annotated[
        str, typer.Option("--with", metavar="AGENT", help="The agent that searches: mcts:2000, alphabeta:6:score …")
    ] = "mcts:500",
    number: Annotated[
        int | None, typer.Option("--game", min=1, metavar="N", help="The game of a file that holds several, from 1.")
    ] = None,
    scenario: Annotated[
        str | None, typer.Option("--from", metavar="TITLE", help="Analyse the position that a scenario lays out.")
    ] = None,
    seats: Policies = None,
    players: arg.Players = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    seed: arg.Seed = 0,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Draw the chances of all seats as a curve.")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
    report: arg.Report = None,
) -> Exit:
    """Analyse a game that was played: each seat's chances at each decision, the turning points, better answers.

    At each decision the agent knows no more than the seat to decide. A turning point is an answer with which the
    payoff to expect is lower by 0.2 or more than with the best one (from a loss to a win it is 2).

    Examples:

      rulewright analyse connect-four evening.json --with mcts:2000

      rulewright analyse my-game evening.json --svg chances.svg --format json

      rulewright analyse my-game games.jsonl --game 3

      rulewright analyse my-game --players 3 --seed 7 --seats greedy:score

      rulewright analyse my-game --from "two men against one"
    """
    if svg is not None:
        require("drawsvg")
    if report is not None:
        require_pictures()
    will_write(report)
    if played is not None and scenario is not None:
        raise CommandError("--from names a position: leave out the file")
    if (played is not None or scenario is not None) and (seats or players is not None or variant or option):
        raise CommandError("the file, or --from, sets the game and its players: leave out the other options")
    if number is not None and played is None:
        raise CommandError("--game is about the games of a file: name it")
    words = split(seats)
    if played is not None:
        game, state = recorded_game(played, ruleset, number)
    elif scenario is not None:
        game, state = rw.Game.of_scenario(ruleset, scenario)
    else:
        game = arg.load(ruleset, players, variant, option)
        agents = policies_of(game, words)
        state = answered(game, seed, game.playout(seed, keep=True, policies=agents).answers)
    thinking = lab.agent(game, agent)
    found: list[rw.analysis.Decided] = []
    interrupted = False
    with working("thinking") as shown:
        try:
            if scenario is not None:
                analysed = rw.analysis.decision_in(game, state, thinking, seed)
                found += [analysed] if analysed is not None else []
            else:
                for one in rw.analysis.analysed(
                    game, state, thinking, seed, lambda at, of: shown.describe(f"{at} of {of}")
                ):
                    found.append(one)
        except KeyboardInterrupt:
            interrupted = True
    if not found:
        where = f"{played} holds" if played is not None else "this game has"
        raise CommandError(f"{where} no decision at which there was a choice")
    if format is Format.JSON:
        print_json(_report(game, str(thinking), found, interrupted))
    else:
        print_text("\n".join(_lines(game, found)) + "\n")
    if svg is not None:
        write_file(svg, curve(game.seats, [(one.number, one.chances) for one in found if one.chances]))
        print_note(f"wrote {svg}")
    if report is not None:
        from rulewright_tools.reports.html.repeating import command_line
        from rulewright_tools.reports.pages.analysis_page import analysis_page

        report_data = _report(game, str(thinking), found, interrupted)
        write_page(report, analysis_page(report_data, game, command_line(context)))
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
        if one.answer is None:
            lines.append(rw.characters.printable(f"{one.number:>4}  {chances}  {one.who} is asked; best: {one.best}"))
            continue
        better = "" if one.answer == one.best else f"  better: {one.best}"
        lost = "" if not one.lost or one.answer == one.best else f" (by {one.lost:.2f})"
        mark = "  <-- turning point" if _turns(one) else ""
        lines.append(
            rw.characters.printable(f"{one.number:>4}  {chances}  {one.who}: {one.answer}{better}{lost}{mark}")
        )
    return lines
