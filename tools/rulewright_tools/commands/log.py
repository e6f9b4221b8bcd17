"""``rulewright log``: what has happened in a game, in lines that a player can follow."""

from __future__ import annotations

from typing import Annotated

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, Format, print_json, print_text
from rulewright_tools.error_boundary import guarded
from rulewright_tools.session.last_moments import until_error
from rulewright_tools.session.prompts import statements_of
from rulewright_tools.session.story_text import story_lines
from rulewright_tools.vocabulary import named


@guarded
def log(
    ruleset: arg.Ruleset,
    saved: arg.Saved = None,
    decisions: Annotated[int | None, named("--decisions", min=0, hidden=False)] = None,
    seat: arg.Seat = None,
    reveal: arg.Reveal = False,
    quote: arg.Quote = False,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    variant: arg.Variants = None,
    option: arg.Options = None,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Print the log of a game line by line: answers, chance, and changes.

    What is hidden from the reader is left out. If the rules stop with an error, the log up to it is printed first.

    Examples:

      rulewright log tic-tac-toe --seed 7
      rulewright log connect-four evening.json
      rulewright log baron --players 3 --decisions 60 --quote
      rulewright log my-game evening.json --seat white
    """
    if saved is not None and decisions is not None:
        raise CommandError("a saved game and --decisions cannot be combined: it has its own end")
    error = None
    if saved is not None:
        game, state = arg.position(saved, ruleset, players, variant, option, seed, None)
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
