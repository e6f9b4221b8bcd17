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
    write_file,
    write_page,
)
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require, require_pictures
from rulewright_tools.limit_options import Time, ending_at
from rulewright_tools.outputs import by_ending
from rulewright_tools.progress import working
from rulewright_tools.recorded_games import answered, recorded_game
from rulewright_tools.render.chance_curve import curve
from rulewright_tools.session.seat_policies import policies_of, split
from rulewright_tools.vocabulary import named

AGENT = "mcts:500"
TURNING = 0.2
"""A decision that has cost so much of the payoff to expect is a turning point."""


@guarded
def analyse(
    context: typer.Context,
    ruleset: arg.Ruleset,
    played: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", help="A saved game, or a file with games: the third is FILE:3; else that of the seed."
        ),
    ] = None,
    agent: Annotated[list[str] | None, named("--agent")] = None,
    scenario: arg.Scenario = None,
    seats: arg.Seats = None,
    players: arg.Players = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    seed: arg.Seed = 0,
    time: Time = None,
    output: arg.Output = None,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Analyse a game that was played: each seat's chances at each decision, the turning points, better answers.

    At each decision the agent (mcts:500 if not named) knows no more than the seat to decide. A turning point is an
    answer with which the payoff to expect is lower by 0.2 or more than with the best one (from a loss to a win it is
    2).

    A file is a save, a log, the games that a tournament keeps, a game or the JSON report of the fuzzer. --output takes
    FILE.html for a page, and FILE.svg for the curve of the chances.

    Examples:

      rulewright analyse connect-four evening.json --agent mcts:50
      rulewright analyse tic-tac-toe games.jsonl:3 --agent mcts:20
      rulewright analyse tic-tac-toe --seed 7 --output chances.svg
      rulewright analyse my-game --players 3 --seed 7 --seats greedy:score --output game.html
      rulewright analyse my-game --scenario "two men against one" --format json
    """
    outputs = by_ending(output, ".html", ".svg")
    report, svg = outputs.page, outputs.get(".svg")
    if svg is not None:
        require("drawsvg")
    if report is not None:
        require_pictures()
    if played is not None and scenario is not None:
        raise CommandError("--scenario names a position: leave out the file")
    if (played is not None or scenario is not None) and (seats or players is not None or variant or option):
        raise CommandError("the file, or --scenario, sets the game and its players: leave out the other options")
    if agent is not None and len(agent) > 1:
        raise CommandError("--agent names the one that thinks: give it once")
    words = split(seats)
    if played is not None:
        game, state = recorded_game(*_numbered(played), ruleset)
    elif scenario is not None:
        game, state = rw.Game.of_scenario(ruleset, scenario)
    else:
        game = arg.load(ruleset, players, variant, option)
        agents = policies_of(game, words)
        state = answered(game, seed, game.playout(seed, keep=True, policies=agents).answers)
    thinking = lab.agent(game, agent[0] if agent else AGENT)
    found: list[rw.analysis.Decided] = []
    with working("thinking") as shown, ending_at(time) as ending:
        if scenario is not None:
            analysed = rw.analysis.decision_in(game, state, thinking, seed)
            found += [analysed] if analysed is not None else []
        else:
            for one in rw.analysis.analysed(
                game, state, thinking, seed, lambda at, of: shown.describe(f"{at} of {of}")
            ):
                found.append(one)
    if not found:
        where = f"{played} holds" if played is not None else "this game has"
        raise CommandError(f"{where} no decision at which there was a choice")
    if format is Format.JSON:
        print_json(_report(game, str(thinking), found, ending.early))
    else:
        print_text("\n".join(_lines(game, found)) + "\n")
    if svg is not None:
        write_file(svg, curve(game.seats, [(one.number, one.chances) for one in found if one.chances]))
        print_note(f"wrote {svg}")
    if report is not None:
        from rulewright_tools.reports.html.repeating import command_line
        from rulewright_tools.reports.pages.analysis_page import analysis_page

        report_data = _report(game, str(thinking), found, ending.early)
        write_page(report, analysis_page(report_data, game, command_line(context)))
    if ending.early:
        print_note(ending.note(plural(len(found), "decision")))
    return ending.exit()


def _numbered(text: str) -> tuple[Path, int | None]:
    """The file, and the number of the game in it."""
    name, colon, number = text.rpartition(":")
    return (Path(name), int(number)) if colon and number.isdecimal() and int(number) else (Path(text), None)


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
