"""``rulewright log``: what has happened in a game, in lines that a player can follow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, Format, print_json, print_text
from rulewright_tools.error_boundary import guarded
from rulewright_tools.limit_options import limited
from rulewright_tools.session.last_moments import until_error
from rulewright_tools.session.prompts import statements_of
from rulewright_tools.session.story_text import story_lines


@guarded
@limited
def log(
    ruleset: arg.Ruleset,
    after: Annotated[
        Path | None, typer.Option("--after", metavar="LOG", help="A saved game; else the random game of the seed.")
    ] = None,
    decisions: Annotated[
        int | None,
        typer.Option("--decisions", min=0, metavar="N", help="Stop after N decisions of the random game."),
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="The view of this seat; without it that of everybody.")
    ] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Print what the rules keep hidden, too.")] = False,
    quote: Annotated[
        bool, typer.Option("--quote", help="Quote the statements of the rulebook behind questions and the end.")
    ] = False,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    variant: arg.Variants = None,
    option: arg.Options = None,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Print the log of a game line by line: answers, chance, and changes.

    What is hidden from the reader is left out. If the rules stop with an error, the log up to it is printed first.

    Examples:

      rulewright log rulesets/my-game --players 3 --seed 7

      rulewright log rulesets/my-game --after evening.json --seat white --quote
    """
    if after is not None and decisions is not None:
        raise CommandError("--after and --decisions cannot be combined: a saved game has its own end")
    error = None
    if after is not None:
        game, state = arg.position(after, ruleset, players, variant, option, seed, None)
    else:
        game = arg.load(ruleset, players, variant, option)
        state, error = until_error(game, seed, arg.MOST if decisions is None else decisions)
    viewer = arg.viewer_of(game, seat, reveal)
    lines = rw.narration.story(game, state, viewer)
    statements = statements_of(game) if quote else {}
    if format is Format.JSON:
        print_json(_report(game, lines, seat, reveal, statements))
    else:
        print_text("".join(f"{line}\n" for line in story_lines(lines, statements)))
    if error is not None:
        raise error
    return Exit.FINE


def _report(
    game: rw.Game, lines: tuple[rw.narration.Line, ...], seat: str | None, reveal: bool, statements: dict[str, str]
) -> dict[str, object]:
    """The log as plain data."""
    return {
        "ruleset": game.name,
        "players": len(game.seats),
        "reader": seat or ("everything" if reveal else "public"),
        "lines": [
            {"kind": line.kind, "text": line.text, "entries": line.entries, "cites": list(line.cites)}
            | ({"quotes": [statements.get(cite, "") for cite in line.cites]} if statements else {})
            for line in lines
        ],
    }
