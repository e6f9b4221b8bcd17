"""Pictures of who stands where: stacks, badges, markers and whose land it is, in SVG and in the terminal."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import cos, pi, tan
from pathlib import Path
from typing import Any

import drawsvg as svg
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulewright as rw
from rulewright_tools.render.colours import Palette
from rulewright_tools.render.picture import Holder, Item, MapStyle, Picture, Pile, Spot, Stack
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.svg import sheet
from rulewright_tools.render.svg.region_outlines import BAND
from rulewright_tools.render.svg.side_panel import Panel
from rulewright_tools.render.svg.svg_primitives import truncated, wide
from rulewright_tools.render.terminal.board import Board
from rulewright_tools.render.theme import palette_of, piece_keys

from .conftest import Run

FRONTIER = Path(__file__).parent / "frontier"
SVG = "{http://www.w3.org/2000/svg}"
RED, BLUE = "#c0392b", "#2e6fbb"
ANNA, BERT = "#aa0000", "#0000aa"


@cache
def game_of(ruleset: str | Path, players: int | None = None) -> rw.Game:
    return rw.load(ruleset, players)


def frontier(viewer: int | None) -> Picture:
    game = game_of(FRONTIER)
    return picture_of(game, game.start(seed=1), viewer)


def drawn(picture: Picture, palette: Palette | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(sheet.draw(picture, palette or palette_of(game_of(FRONTIER))))


def of_class(root: ElementTree.Element, word: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if word in element.get("class", "").split()]


def told(element: ElementTree.Element) -> str:
    return element.findtext(f"{SVG}title") or ""


def texts(element: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def board(game: rw.Game, picture: Picture, width: int = 80) -> str:
    lines = Board(palette_of(game), piece_keys(game), width).draw(picture)
    return "\n".join(line.plain.rstrip() for line in lines)


# ---------------------------------------------------------------------------------------- who stands where


def test_stacks_as_their_owner_sees_them() -> None:
    plates = {told(plate): plate for plate in of_class(drawn(frontier(0)), "plate")}
    assert sorted(plates) == [
        "blue: 2 face down",
        "blue: blue guard 4",
        "blue: face down",
        "red: 2 red scout 2, face down",
        "red: red giant 9, face down",
        "red: red guard 4",
    ]
    for title, plate in plates.items():
        rims = {box.get("stroke") for box in plate.iter(f"{SVG}rect")}
        assert rims == {RED if title.startswith("red") else BLUE}, "the owner's colour is the rim"
    assert texts(plates["red: red guard 4"]) == ["4", "red guard"]
    assert texts(plates["blue: 2 face down"]) == ["2"]
    assert len(list(plates["blue: 2 face down"].iter(f"{SVG}rect"))) == 2, "one lies upon the other"


def test_land_has_a_rim_and_keeps_its_ground() -> None:
    root = drawn(frontier(0))
    assert {rim.get("fill") for rim in of_class(root, "rim")} == {RED, BLUE}
    assert not of_class(root, "land"), "no tint over the ground"
    # Two hexes side by side are one land: of twelve sides ten are its outline.
    assert sum(rim.get("fill") == RED for rim in of_class(root, "rim")) == 10
    assert sum(rim.get("fill") == BLUE for rim in of_class(root, "rim")) == 6


def test_markers_stand_where_the_rules_say() -> None:
    root = drawn(frontier(0))
    found = sorted(told(marker) for marker in of_class(root, "marker"))
    # One of each kind is in the legend.
    assert found == ["contested", "contested", "start", "start: blue", "start: red"]
    game = game_of(FRONTIER)
    state = game.start(seed=1).choose("(0, 1)")
    storms = [spot.key for spot in picture_of(game, state, 0).spots if any(m.kind == "storm" for m in spot.markers)]
    assert storms == ["(0, 1)"]


def test_levels_stand_on_forts() -> None:
    root = drawn(frontier(1))
    towers = [path for path in root.iter(f"{SVG}path") if told(path) == "tower T"]
    assert len(towers) == 2
    assert sum(text.text == "T" for text in root.iter(f"{SVG}text")) == 2


def test_the_terminal_shows_the_same() -> None:
    expected = """\
       ┌─────────────┬─────────────┐
       │     0,-1    │R    1,-1    │         T tower
       │j            │p            │         p plains
       │             │             │         j jungle
┌──────┴──────┬──────┴──────┬──────┴──────┐  *  start
│     -1,0    │R    0,0   *!│B    1,0    *│  !  contested
│p            │j     T      │p     T      │  B  blue
│             │  R1#3 B#1   │    B1#2     │  R  red
└──────┬──────┴──────┬──────┴──────┬──────┘  2#3 2 face up, 3 down
       │     -1,1    │     0,1     │
       │p            │j            │
       │             │             │
       └─────────────┴─────────────┘

red
  0,0 2 red scout 2, red guard 4, red giant 9
blue
  0,0 face down   1,0 blue guard 4, 2 face down
table
  bank keep K"""
    assert board(game_of(FRONTIER), frontier(0)) == expected


def test_a_narrow_terminal_shows_the_same() -> None:
    expected = """\
    ┌───────┬───────┐
    │  0,-1 │R 1,-1 │
    │j      │p      │
    │       │       │
┌───┴───┬───┴───┬───┴───┐
│  -1,0 │R 0,0*!│B 1,0 *│
│p      │j  T   │p  T   │
│       │R1#3B#1│ B1#2  │
└───┬───┴───┬───┴───┬───┘"""
    assert board(game_of(FRONTIER), frontier(0), 40).startswith(expected)


def test_draw_writes_text(run: Run, tmp_path: Path) -> None:
    told = run("draw", FRONTIER, "--seat", "red", "--format", "text").out
    assert told.rstrip() == board(game_of(FRONTIER), picture_of(game_of(FRONTIER), game_of(FRONTIER).start(0), 0))
    assert run("draw", FRONTIER, "--seat", "red", "--format", "text", "-o", tmp_path / "board.txt").code == 0
    assert (tmp_path / "board.txt").read_text(encoding="utf-8") == told


# ------------------------------------------------------------------------------------------------- secrets


@pytest.mark.parametrize("viewer", [0, 1, rw.playing.PUBLIC])
def test_what_a_viewer_may_not_know_is_nowhere(viewer: int) -> None:
    picture = frontier(viewer)
    both = sheet.draw(picture, palette_of(game_of(FRONTIER))) + board(game_of(FRONTIER), picture)
    for seat, colour in enumerate(("red", "blue")):
        for hidden in ("scout", "giant"):
            assert (f"{colour} {hidden}" in both) == (seat == viewer), (colour, hidden)
    assert "marker giants" not in both, "a query that reads what is hidden is asked for nobody"
    assert "marker giants" in sheet.draw(frontier(None), palette_of(game_of(FRONTIER))), "but where all is shown"


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(5))
def test_a_picture_depends_on_the_view_only(seat: int, seed: int) -> None:
    """The picture is the same if other hidden pieces lie there."""
    game = game_of(FRONTIER)
    state = game.start(seed=1)
    assert picture_of(game, state.imagine(seat, seed), seat) == picture_of(game, state, seat)


def test_a_field_that_nobody_sees_is_no_badge(tmp_path: Path) -> None:
    for file in FRONTIER.iterdir():
        text = file.read_text(encoding="utf-8")
        text = text.replace('"Man": "strength"', '"Man": "tired"')
        text = text.replace("field storm:", "field tired[Man]: 0..9 = 7, seen by {}\nfield storm:")
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    game = rw.load(tmp_path)
    assert "red guard 7" in board(game, picture_of(game, game.start(seed=1), None))
    assert "guard 7" not in board(game, picture_of(game, game.start(seed=1), 0))


# ------------------------------------------------------------------------------------------- room for it all


@given(st.text(st.sampled_from("abcdefghijWm .'-"), max_size=40), st.integers(4, 14), st.integers(0, 200))
def test_texts_fit(text: str, size: int, room: int) -> None:
    short = truncated(text, size, room)
    assert not short or wide(short, size) <= room
    assert short or not text or wide(f"{text[0]}\N{HORIZONTAL ELLIPSIS}", size) > room
    assert wide(text, size) > room or short == text


def numbers(rectangle: ElementTree.Element) -> tuple[float, ...]:
    return tuple(float(rectangle.get(name, "nan")) for name in ("x", "y", "width", "height"))


def crowded(anna: int, bert: int, hidden: int, shape: str) -> Picture:
    """A place with so many pieces."""
    items = tuple(Item(f"mountain giant {number}", 1, badge="4") for number in range(anna))
    backs = (Item("", hidden, back=True, down=True),) if hidden else ()
    men = (*(Item(f"bird of paradise {number}", 1, badge="1", down=True) for number in range(bert)), *backs)
    stacks = tuple(Stack(owner, held) for owner, held in (("anna", items), ("bert", men)) if held)
    spot = Spot("a", 0, 0, (Item("tower", 1),), (), "a", rim="anna", stacks=stacks)
    style = MapStyle(places=shape, stacked=True, owners=("anna", "bert"))
    spots = (spot, Spot("b", 1000, 0, (), (), "b"))
    return Picture("", "graph", style, spots, ((0, 1),), (), Holder("", (), ()))


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 9), st.sampled_from(["hexagon", "square", "circle"]))
def test_plates_stay_on_their_place_and_apart(anna: int, bert: int, hidden: int, shape: str) -> None:
    root = drawn(crowded(anna, bert, hidden, shape), Palette({"anna": ANNA, "bert": BERT}))
    radius, band = 70, 70 * BAND
    boxes = []
    said = 0
    for plate in of_class(root, "plate"):
        *_, box = [r for r in plate.iter(f"{SVG}rect") if r.get("fill-opacity") is None]
        boxes.append(numbers(box))
        (count, *_) = [int(found) for found in re.findall(r": (\d+) ", told(plate))] or [1]
        said += count
        for text in plate.iter(f"{SVG}text"):
            assert wide(text.text or "", float(text.get("font-size", "nan"))) <= boxes[-1][2] + 1
    assert said == anna + bert + hidden, "all are told, one by one or as so many more"
    assert len(boxes) >= min(anna + bert + bool(hidden), 8)
    for x, y, w, h in boxes:
        for cx, cy in ((x, y), (x + w, y), (x, y + h), (x + w, y + h)):
            dx, dy = abs(cx - radius), abs(cy - (radius / cos(pi / 6) if shape == "hexagon" else radius))
            inside = {
                "hexagon": dx <= radius - band and dx + 2 * band <= (radius / cos(pi / 6) - dy) * tan(pi / 3) + 0.1,
                "square": dx <= radius and dy <= radius,
                "circle": dx * dx + dy * dy <= radius * radius,
            }
            assert inside[shape]
    for one, other in combinations(boxes, 2):
        apart_across = one[0] + one[2] <= other[0] + 0.02 or other[0] + other[2] <= one[0] + 0.02
        apart_down = one[1] + one[3] <= other[1] + 0.02 or other[1] + other[3] <= one[1] + 0.02
        assert apart_across or apart_down


def test_three_plates_on_a_hexagon_are_as_wide_as_each_other_nearly() -> None:
    """The lowest name has room, too, though the place gets narrow there."""
    root = drawn(crowded(3, 0, 0, "hexagon"), Palette({"anna": ANNA, "bert": BERT}))
    boxes = [numbers(next(plate.iter(f"{SVG}rect"))) for plate in of_class(root, "plate")]
    assert len(boxes) == 3
    assert len({x + wide / 2 for x, _, wide, _ in boxes}) == 1, "one column"
    assert min(box[2] for box in boxes) > 0.8 * max(box[2] for box in boxes)


@pytest.mark.parametrize("height", [0, 200, 500, 900])
@pytest.mark.parametrize("count", [1, 3, 8])
def test_the_panel_is_no_longer_than_the_map(count: int, height: int) -> None:
    piles = tuple(Pile(f"a pile with a long name {number}", (Item("red knight", 3),)) for number in range(4))
    holders = tuple(Holder(f"seat {number}", piles, (("gold", "3"),)) for number in range(count))
    picture = Picture("", "", MapStyle(), (), (), holders, Holder("", (), ()))
    panel = Panel(picture, Palette(), height)
    block = 42 + 21 * 4
    assert panel.height <= (max(height, block) if height else count * (block + 12))
    assert len(panel.elements) == count
    names = [text for text in words(panel.elements) if text.startswith("a pile")]
    assert len(names) == 4 * count
    assert all(wide(name, 11) <= 150 - 18 for name in names), "they end before what lies there"


def words(elements: Sequence[svg.DrawingElement]) -> Iterator[str]:
    """All texts in some elements."""
    for element in elements:
        if isinstance(element, svg.Text):
            yield element.escaped_text
        yield from words(getattr(element, "children", ()))


# --------------------------------------------------------------------------------------- other games, mistakes


def test_other_games_use_the_same_means() -> None:
    game = game_of("carolus-magnus", 2)
    state = game.playout(3).state
    (crown,) = [marker for marker in of_class(drawn(picture_of(game, state, 0)), "emperor") if marker is not None][:1]
    assert told(crown) == "emperor"
    emperor = state.view(0)["fields"]["emperor"]
    marked = [spot.key for spot in picture_of(game, state, 0).spots if spot.markers]
    assert marked == [emperor]


def test_the_worth_of_a_barony_stands_on_its_baron() -> None:
    game, state = rw.Game.of_scenario("baron", "Z10: the chip less the battlefield")
    chips = state.view(None)["fields"]["chip"]["values"]
    assert chips
    told = {item.key: item.badge for spot in picture_of(game, state, 0).spots for item in spot.items if item.badge}
    assert {key.partition(" #")[0]: str(value) for key, value in chips.items()} == {
        key.partition(" (")[0]: badge for key, badge in told.items()
    }


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"rim": ["owned_by"]}, "DAT011", "draw.rim"),
    ({"stacks": "army"}, "DAT011", "draw.stacks"),
    ({"stacks": ["army", "army"]}, "DAT013", "draw.stacks"),
    ({"badges": {"Man": 3}}, "DAT011", "draw.badges.Man"),
    ({"markers": {"home": "*"}}, "DAT011", "draw.markers.home"),
    ({"markers": {"home": {"icon": "flag"}}}, "DAT010", "draw.markers.home"),
    ({"markers": {"home": {"sign": "abc"}}}, "DAT013", "draw.markers.home.sign"),
    ({"markers": {"home": {"sign": "a "}}}, "DAT012", "draw.markers.home.sign"),
    ({"markers": {"home": {"sign": "*", "icon": "dragon"}}}, "DAT012", "draw.markers.home.icon"),
    ({"markers": {"home": {"sign": "*", "colour": "#12"}}}, "DAT012", "draw.markers.home.colour"),
    ({"markers": {"home": {"sign": "*", "size": 3}}}, "DAT015", "draw.markers.home.size"),
]


@pytest.mark.parametrize(("wrong", "code", "where"), WRONG)
def test_wrong_hints_are_told(tmp_path: Path, wrong: dict[str, Any], code: str, where: str) -> None:
    for file in FRONTIER.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    manifest = json.loads((tmp_path / "ruleset.json").read_text(encoding="utf-8"))
    manifest["draw"] |= wrong
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(rw.RulesetError) as caught:
        rw.load(tmp_path)
    assert {(found.code, found.path) for found in caught.value.diagnostics} == {(code, where)}


def test_hints_that_name_nothing_are_passed_over(tmp_path: Path) -> None:
    for file in FRONTIER.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    manifest = json.loads((tmp_path / "ruleset.json").read_text(encoding="utf-8"))
    manifest["draw"] |= {
        "rim": "play",
        "stacks": ["bank", "nothing"],
        "badges": {"Nobody": "strength", "Man": "nothing"},
        "markers": {"nothing": {"sign": "?"}, "stands": {"sign": "!"}},
    }
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    game = rw.load(tmp_path)
    picture = picture_of(game, game.start(seed=1), None)
    assert not any(spot.rim or spot.markers for spot in picture.spots)
    assert "red guard" in board(game, picture)
