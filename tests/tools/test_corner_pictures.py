"""Pictures of corners and sides: they are drawn on the board whose corners they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from math import hypot
from pathlib import Path

import pytest

import rulewright as rw
from rulewright_tools.render import drawing
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.svg.board import draw_board
from rulewright_tools.render.svg.map_picture import Maps
from rulewright_tools.render.svg.svg_primitives import INK
from rulewright_tools.render.theme import palette_of

HERE = Path(__file__).parent
MANIFEST = '{"name": "coast", "title": "Shore", "rules": ["game.rules"], "seats": {"2": ["anna", "bert"]}}'
RULES = """\
game coast
players 2
place Land
place Corner
edge Way
map Coast: corners of Island of Corner, edges Way
map Island: {shape}
piece Ship from "ships.json"
    named "ship"
    begins in dock
zone dock: set of Ship, seen by everyone
zone harbour[Corner]: set of Ship, seen by everyone
zone mine[Land]: set of Ship, seen by everyone
field house[Corner]: Player or none
field road[Way]: Player or none
procedure play
    each p in players
        p chooses c from Corner
        house[c] = p
        p chooses w from Way
        road[w] = p
        p chooses ship from dock
        move ship to harbour[c]
        p chooses l from Land
        p chooses other from dock
        move other to mine[l]
    finish with nobody winning
"""
SHAPES = (
    "hexes of radius 2 of Land",
    "hexes in rhombus 3 by 2 of Land",
    "grid 3 by 4 of Land",
    "grid 3 by 3 of Land with diagonals",
)


@pytest.fixture(scope="module")
def coast(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], rw.Game]:
    @lru_cache
    def of_shape(shape: str) -> rw.Game:
        folder = tmp_path_factory.mktemp("coast")
        (folder / "ruleset.json").write_text(MANIFEST)
        (folder / "game.rules").write_text(RULES.replace("{shape}", shape))
        (folder / "ships.json").write_text('{"rows": [{"count": 4}]}')
        return rw.load(folder)

    return of_shape


def played(game: rw.Game, answers: int) -> rw.State:
    state = game.start(seed=1)
    for _ in range(answers):
        assert state.decision is not None
        state = state.choose(state.decision.options[0])
    return state


@pytest.mark.parametrize("shape", SHAPES)
def test_each_corner_lies_at_the_corners_of_its_cells(coast: Callable[[str], rw.Game], shape: str) -> None:
    game = coast(shape)
    (land, top), (coasts, same) = Maps(picture_of(game, played(game, 0), None), palette_of(game), INK).maps
    assert (land.picture.place, coasts.picture.place, top, same) == ("Land", "Corner", 0.0, 0.0)
    shapes = [corner for spot in land.picture.spots for _, ends, _ in land.geometry.sides(spot) for corner in ends]
    drawn = {spot.key: coasts.geometry.at(spot) for spot in coasts.picture.spots}
    for x, y in shapes:
        assert min(hypot(x - left, y - up) for left, up in drawn.values()) < 0.2
    for x, y in drawn.values():
        assert min(hypot(x - left, y - up) for left, up in shapes) < 0.2
        assert -0.2 < x < land.width + 0.2
        assert -0.2 < y < land.height + 0.2
    # A corner has room of its own: it leaves the middle of each cell free, and does not reach the next corner.
    middles = [land.geometry.at(spot) for spot in land.picture.spots]
    assert min(hypot(x - a, y - b) for x, y in middles for a, b in drawn.values()) > 1.5 * coasts.radius
    apart = [hypot(x - a, y - b) for x, y in drawn.values() for a, b in drawn.values() if (x, y) != (a, b)]
    assert min(apart) > 2 * coasts.radius


def test_the_elements_over_corners_and_sides_lie_over_those_of_cells(
    coast: Callable[[str], rw.Game], golden: Callable[[Path, str], None]
) -> None:
    game = coast("grid 1 by 1 of Land")
    board = draw_board(
        picture_of(game, played(game, 5), None),
        palette_of(game),
        {("Land", "(0, 0)"): 0, **{("Corner", key): n for n, key in enumerate(game.model.keys("Corner"), 1)}},
        {("Corner", key): n for n, key in enumerate(game.model.keys("Way"))},
    )
    assert Counter((thing.kind, thing.universe) for thing in board.things) == {
        ("place", "Land"): 1, ("place", "Corner"): 4, ("edge", "Corner"): 4, ("piece", ""): 3,
    }  # fmt: skip
    assert [thing.key for thing in board.things if thing.kind == "piece"] == ["ship", "ship", "anna"]
    assert board.things[0].universe == "Land"
    golden(HERE / "corners.svg", board.frame + "\n" + "\n".join(element for layer in board.layers for element in layer))


def test_one_board_without_a_heading(coast: Callable[[str], rw.Game]) -> None:
    game = coast("grid 2 by 2 of Land")
    state = played(game, 2)
    text = drawing.svg(game, state, None)
    assert not {">Island<", ">Coast<"} & {f">{part.split('<')[0]}<" for part in text.split(">")}
    assert text.count('class="line"') == 1
    assert {"Island", "Coast"} <= set(drawing.text(game, state, None, 80).split("\n"))


def test_a_program_that_is_read_again_knows_whose_corners_they_are(coast: Callable[[str], rw.Game]) -> None:
    program = coast("grid 2 by 2 of Land").program
    assert {graph.place: graph.base for graph in program.graphs} == {"Land": "", "Corner": "Land"}
    again = rw.ir.codec.from_json(rw.ir.codec.to_json(program))
    assert again.graphs == program.graphs
