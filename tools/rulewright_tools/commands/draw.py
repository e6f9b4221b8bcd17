"""``rulewright draw``: the map with what is on it, as SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, out, print_note, put, write_file
from rulewright_tools.error_boundary import guarded
from rulewright_tools.limit_options import limited
from rulewright_tools.render.drawing import svg_of
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.terminal.board import Board
from rulewright_tools.render.theme import palette_of, piece_keys


@guarded
@limited
def draw(
    ruleset: arg.Ruleset,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.svg", help="File to write; stdout if not given.")
    ] = None,
    after: Annotated[
        Path | None, typer.Option("--after", metavar="LOG", help="A saved game: draw the position at its end.")
    ] = None,
    decisions: Annotated[
        int | None,
        typer.Option("--decisions", min=0, metavar="N", help="Draw the random game of the seed after N decisions."),
    ] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="Draw what this seat sees; without it what everybody may see.")
    ] = None,
    reveal: Annotated[bool, typer.Option("--reveal", help="Draw what the rules keep hidden, too.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="Draw the board with letters, as `play` does, instead of as SVG.")
    ] = False,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    variant: arg.Variants = None,
    option: arg.Options = None,
) -> Exit:
    """Draw the board as an SVG picture or as text: at the first decision of a game, later on, or at the end of a saved
    game.

    What the rules hide from the viewer is left out: a seat, or without one everybody.

    Examples:

      rulewright draw rulesets/my-game -o board.svg

      rulewright draw rulesets/my-game --players 3 --seed 7 --decisions 100 -o board.svg

      rulewright draw rulesets/my-game --after evening.json --seat white -o board.svg

      rulewright draw rulesets/my-game --players 3 --seed 7 --decisions 100 --text
    """
    if after is not None and decisions is not None:
        raise CommandError("--after and --decisions cannot be combined: a saved game has its own position")
    game, state = arg.position(after, ruleset, players, variant, option, seed, decisions or 0)
    viewer = arg.viewer_of(game, seat, reveal)
    picture = picture_of(game, state, viewer)
    if viewer == rw.playing.PUBLIC and picture != picture_of(game, state, None):
        print_note(f"drawn as everybody may see it; --seat {game.seats[0]} draws what a seat sees, --reveal everything")
    drawn = _as_text(game, picture, plain=output is not None) if text else svg_of(game, picture)
    if output is not None:
        write_file(output, drawn)
        print_note(f"wrote {output}")
    elif not text:
        put(drawn)
    return Exit.FINE


def _as_text(game: rw.Game, picture: Picture, *, plain: bool) -> str:
    """The board as lines; also printed, with colours where there are any, unless only the plain text is wanted."""
    console = out()
    lines = Board(palette_of(game), piece_keys(game), console.width).draw(picture)
    for line in () if plain else lines:
        console.print(line)
    return "".join(f"{line.plain.rstrip()}\n" for line in lines)
