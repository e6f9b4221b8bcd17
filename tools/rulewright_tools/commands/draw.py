"""``rulewright draw``: the map with what is on it, as SVG."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, out, print_note, put, write_file
from rulewright_tools.error_boundary import guarded
from rulewright_tools.outputs import by_ending
from rulewright_tools.render.drawing import svg_of
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.terminal.board import Board
from rulewright_tools.render.theme import palette_of, piece_keys
from rulewright_tools.vocabulary import named


class DrawFormat(StrEnum):
    """Forms of pictures."""

    SVG = "svg"
    TEXT = "text"


@guarded
def draw(
    ruleset: arg.Ruleset,
    saved: arg.Saved = None,
    output: arg.Output = None,
    format: Annotated[DrawFormat, named("--format")] = DrawFormat.SVG,
    decisions: Annotated[int | None, named("--decisions", min=0, hidden=False)] = None,
    seat: arg.Seat = None,
    reveal: arg.Reveal = False,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    variant: arg.Variants = None,
    option: arg.Options = None,
) -> Exit:
    """Draw the board as an SVG picture or as text: at the first decision of a game, later on, or at the end of a saved
    game.

    What the rules hide from the viewer is left out: a seat, or without one everybody. With --decisions it is the
    position of the random game of the seed after so many.

    Examples:

      rulewright draw tic-tac-toe --format text
      rulewright draw baron --players 3 --decisions 40 --output board.svg
      rulewright draw connect-four evening.json --output board.svg
      rulewright draw my-game evening.json --seat white --output board.svg
    """
    if saved is not None and decisions is not None:
        raise CommandError("a saved game and --decisions cannot be combined: it has its own position")
    game, state = arg.position(saved, ruleset, players, variant, option, seed, decisions or 0)
    text = format is DrawFormat.TEXT
    file = next(iter(by_ending(output, ".txt" if text else ".svg").values()), None)
    viewer = arg.viewer_of(game, seat, reveal)
    picture = picture_of(game, state, viewer)
    if viewer == rw.playing.PUBLIC and picture != picture_of(game, state, None):
        print_note(f"drawn as everybody may see it; --seat {game.seats[0]} draws what a seat sees, --reveal everything")
    drawn = _as_text(game, picture, plain=file is not None) if text else svg_of(game, picture)
    if file is not None:
        write_file(file, drawn)
        print_note(f"wrote {file}")
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
