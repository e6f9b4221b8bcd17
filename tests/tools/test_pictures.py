"""SVG pictures: their elements are counted and placed."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter
from functools import cache
from math import hypot
from pathlib import Path
from textwrap import dedent

import pytest

import rulewright as rw
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.svg import icons, sheet
from rulewright_tools.render.svg.geometry import Geometry
from rulewright_tools.render.svg.place_content import PlaceContent
from rulewright_tools.render.theme import palette_of

from .conftest import Run

HERE = Path(__file__).parent
COURT, ISLE = HERE / "court", HERE / "isle"
SVG = "{http://www.w3.org/2000/svg}"


@cache
def game_of(ruleset: str | Path, players: int | None = None) -> rw.Game:
    return rw.load(ruleset, players)


def drawn(game: rw.Game, state: rw.State) -> ElementTree.Element:
    return ElementTree.fromstring(sheet.draw(picture_of(game, state, None), palette_of(game)))


def titled(root: ElementTree.Element, tag: str) -> dict[str, list[ElementTree.Element]]:
    """Elements by the title that is shown when one points at them."""
    found: dict[str, list[ElementTree.Element]] = {}
    for element in root.iter(f"{SVG}{tag}"):
        for title in element.findall(f"{SVG}title"):
            found.setdefault(title.text or "", []).append(element)
    return found


def ends(line: ElementTree.Element) -> list[tuple[float, ...]]:
    """The points of a path of straight lines."""
    points = line.get("d", "").replace("M", "").replace("Z", "").split("L")
    return [tuple(map(float, point.split(","))) for point in points]


def middle(rectangle: ElementTree.Element) -> tuple[float, float]:
    x, y, width, height = (float(rectangle.get(name, "nan")) for name in ("x", "y", "width", "height"))
    return x + width / 2, y + height / 2


@pytest.mark.parametrize("seed", [1, 4])
def test_walls_lie_between_their_places(seed: int) -> None:
    game = game_of("domaine", 2)
    state = game.playout(seed).state
    root = drawn(game, state)
    view = state.view(None)
    walled = view["fields"]["walled"]["values"]
    terrain = view["fields"]["terrain"]
    paths = titled(root, "path").items()
    lines = {title.removeprefix("border "): group[0] for title, group in paths if title.startswith("border ")}
    assert sorted(lines) == sorted(walled)
    assert len(lines) > 10
    squares = titled(root, "rect")
    for key, line in lines.items():
        assert line.get("class") == "wall"
        (x1, y1), (x2, y2) = ends(line)
        places = []
        for place in key.split("|"):
            ground = terrain["values"].get(place, terrain["default"]).replace("_", " ")
            places.append(middle(squares[f"{place} {ground}"][0]))
        (ax, ay), (bx, by) = places
        step = hypot(ax - bx, ay - by)
        assert ((x1 + x2) / 2, (y1 + y2) / 2) == pytest.approx(((ax + bx) / 2, (ay + by) / 2), abs=0.1)
        assert hypot(x1 - x2, y1 - y2) == pytest.approx(step, abs=0.1)
        assert (x2 - x1) * (bx - ax) + (y2 - y1) * (by - ay) == pytest.approx(0, abs=0.5)


def test_pieces_lie_on_their_places() -> None:
    game = game_of("domaine", 2)
    root = drawn(game, game.playout(4).state)
    castles = [title for title in titled(root, "path") if "castle" in title]
    knights = [element for title, group in titled(root, "path").items() if "knight" in title for element in group]
    on = game.playout(4).state.view(None)["zones"]["on"]["values"].values()
    keys = [zone["pieces"][0]["key"] for zone in on]
    assert sorted(castles) == sorted(key for key in keys if "castle" in key)
    assert len(knights) == sum("knight" in key for key in keys)
    assert len({element.get("fill") for element in knights}) > 1


def test_the_panel_tells_numbers() -> None:
    game = game_of(COURT)
    state = game.start(seed=1)
    texts = [element.text for element in drawn(game, state).iter(f"{SVG}text")]
    for word in (
        "Court",
        "red",
        "blue",
        "guarded",
        "coins",
        "walls left",
        "17",
        "3 red guard",
        "red keep 1, 2",
        "gold mine",
    ):
        assert word in texts
    assert "rounds" not in texts, "it is hidden"


def test_what_lies_on_two_joined_places_lies_between_them() -> None:
    game = game_of("carolus-magnus", 2)
    for seed in range(20):
        (_, state), *_ = game.states(seed, [60])
        picture = picture_of(game, state, None)
        sizes = Counter(spot.region for spot in picture.spots)
        geometry = Geometry(picture, "circle")
        content = PlaceContent(picture, palette_of(game), geometry, "circle")
        for region in (region for region, size in sizes.items() if size == 2):
            spots = [spot for spot in picture.spots if spot.region == region]
            drawn_on = [element for spot in spots for element in content.draw(spot)]
            parts = [part for element in drawn_on for part in (element.children or [element])]
            placed = [e.args["x"] + e.args["width"] / 2 for e in parts if "width" in e.args]
            assert placed
            between = sum(geometry.at(spot)[0] for spot in spots) / 2
            assert abs(sum(placed) / len(placed) - between) < geometry.radius / 2
            return
    raise AssertionError("no two places were joined")


def test_lands_are_tinted() -> None:
    game = game_of(COURT)
    state = game.start(seed=1)
    state = state.choose("(0, 0)").choose("red keep 1").choose("(0, 0)|(0, 1)").choose("(0, 0)|(1, 0)").choose("coin")
    lands = [element for element in drawn(game, state).iter() if element.get("class") == "land"]
    assert [element.get("fill") for element in lands] == ["#c0392b"]


def test_hexes_touch_and_rivers_lie_on_their_sides() -> None:
    game = game_of(ISLE)
    state = game.start(seed=1).choose("(0, 0)").choose("(0, 0)|(1, 0)")
    root = drawn(game, state)
    paths = titled(root, "path")
    (river,) = paths.pop("river (0, 0)|(1, 0)")
    assert sorted(paths) == ["(-1, 0) woods", "(-1, 1) sea", "(0, -1) hills", "(0, 0) woods", "(0, 1) hills",
                             "(1, -1) sea", "(1, 0) woods"]  # fmt: skip
    for x, y in ends(river):
        for key in ("(0, 0) woods", "(1, 0) woods"):
            corners = ends(paths[key][0])
            assert len(corners) == 6
            assert min(hypot(x - cx, y - cy) for cx, cy in corners) < 0.5


@pytest.mark.parametrize(
    "name", sorted({"trees", "grass", "houses", "town", "mine", "hills", "peaks", "waves", "dunes", "reeds"})
)
def test_icons_stay_on_their_place(name: str) -> None:
    assert icons.icon(name, 50, 50, 20, "#c9d99a", "")
    schema = json.loads((HERE.parents[1] / "schemas/ruleset.schema.json").read_text(encoding="utf-8"))
    known = schema["$defs"]["draw"]["properties"]["ground"]["properties"]["icons"]["additionalProperties"]["enum"]
    assert name in known
    assert icons.icon("none", 0, 0, 9, "#c9d99a", "") == []


def test_pictures_are_the_same_each_time(run: Run, tmp_path: Path) -> None:
    options = ("--players", "2", "--seed", "4", "--decisions", "60")
    file = tmp_path / "board.svg"
    assert run("draw", "domaine", *options, "-o", file).code == 0
    assert run("draw", "domaine", *options).out == file.read_text(encoding="utf-8")


def test_decisions_of_a_random_game(run: Run, tmp_path: Path) -> None:
    game = game_of(COURT)
    state = game.start(seed=3)
    for answer in game.playout(3, keep=True).answers[:7]:
        state = state.choose(answer)
    expected = sheet.draw(picture_of(game, state, None), palette_of(game))
    assert run("draw", COURT, "--seed", "3", "--decisions", "7").out == expected
    assert run("draw", COURT, "--seed", "3", "--decisions", "100000").code == 0
    save = tmp_path / "save.json"
    save.write_text(json.dumps(state.save()), encoding="utf-8")
    assert run("draw", COURT, save).out == expected
    assert run("draw", COURT, save, "--decisions", "7").code == 2
    assert run("draw", COURT, "--decisions", "-1").code == 2


def test_players_without_a_colour_word_have_one_each() -> None:
    game = rw.load("carolus-magnus", 4)
    palette = palette_of(game)
    owners = [*game.seats, "team 1", "team 2"]
    assert len({palette.colour(owner) for owner in owners}) == len(owners)


def small(folder: Path, rules: str) -> Path:
    """A ruleset in a folder."""
    (folder / "game.rules").write_text(dedent(rules), "utf-8")
    head = {"name": "small", "title": "Small", "rules": ["game.rules"]}
    (folder / "ruleset.json").write_text(json.dumps(head), "utf-8")
    return folder


def colour_of(element: ElementTree.Element) -> str:
    """The colour of a piece, which is a group or a shape."""
    inked = (part.get("fill") for part in element.iter())
    return next(colour for colour in inked if colour and colour != "none")


def test_figures_are_kinds_in_the_colour_of_their_owner() -> None:
    game = game_of(HERE / "chessmen")
    root = drawn(game, game.start())
    titles = {title for tag in ("circle", "g", "path", "rect") for title in titled(root, tag)}
    assert {"white king", "black queen", "white pawn"} <= titles
    signs = Counter(text.text for text in root.iter(f"{SVG}text"))
    assert signs["♚"] == 2
    assert signs["♟"] == 16
    palette = palette_of(game)
    fills = {colour_of(disc) for disc in titled(root, "circle")["white pawn"]}
    assert fills == {palette.colour("white")}


def test_the_picture_of_the_guide_is_drawn_from_the_rules(run: Run, tmp_path: Path) -> None:
    run("draw", HERE / "chessmen", "--decisions", "0", "-o", tmp_path / "chessmen.svg")
    guide = HERE.parents[1] / "docs" / "chessmen.svg"
    assert (tmp_path / "chessmen.svg").read_text("utf-8") == guide.read_text("utf-8")


def test_lines_go_from_place_to_place_in_the_colour_of_both() -> None:
    game = game_of(HERE / "pegs")
    state = game.start()
    for hole in ("a1", "a3", "b1"):  # anna has a1 and b1, bert a3
        state = state.choose(hole)
    picture = picture_of(game, state, None)
    geometry = Geometry(picture, "circle")
    at = {spot.key: geometry.at(spot) for spot in picture.spots}
    lines = titled(drawn(game, state), "path")
    (line,) = lines["linked a1|b1 anna"]
    assert set(ends(line)) == {at["a1"], at["b1"]}
    assert line.get("stroke") == palette_of(game).colour("anna")
    assert len(lines) == 1
    nearest = min(hypot(a[0] - b[0], a[1] - b[1]) for a in at.values() for b in at.values() if a != b)
    assert 2 * geometry.radius <= nearest


def test_dots_are_small_and_lines_are_owned() -> None:
    game = game_of(HERE / "dots")
    state = game.start().choose("(0, 0)|(0, 1)").choose("(1, 1)|(2, 1)")
    root = drawn(game, state)
    lines = titled(root, "path")
    assert set(lines) == {"whose (0, 0)|(0, 1) anna", "whose (1, 1)|(2, 1) bert"}
    assert all(float(dot.get("r", "")) < 10 for dot in titled(root, "circle")["(0, 0)"])
    assert not titled(root, "rect").get("(0, 0)")


def test_many_numbers_of_a_player_stay_in_their_frame(tmp_path: Path) -> None:
    """A number for each of nine places has no room beside the name: they are a line of their own below it."""
    rules = """
        game army
        players 2
        place Cell
        map Board: ring of 9 Cell
        field warriors[Cell, Player]: 0..
        field gold[Player]: 0.. = 7
        procedure play
            each p in players
                each c in Cell
                    warriors[c, p] = 2
            each p in players
                p chooses cell from Cell
                warriors[cell, p] += 1
                gold[p] += 1
            finish with winner players
    """
    game = rw.load(small(tmp_path, rules))
    panel = drawn(game, game.start())
    frames = [float(rect.attrib["x"]) for rect in panel.iter(f"{SVG}rect") if rect.attrib.get("rx") == "11"]
    assert frames
    assert min(frames) > 0
    texts = [element.text for element in panel.iter(f"{SVG}text")]
    assert {"warriors", "gold", "7", "1 2,"} <= set(texts)


def test_a_field_of_a_player_that_points_at_a_place_is_a_disc_there(tmp_path: Path) -> None:
    rules = """
        game pawns
        players 2
        place Cell
        map Board: grid 3 by 3 of Cell
        field pawn[Player]: Cell or none
        procedure play
            each p in players
                p chooses cell from Cell
                pawn[p] = cell
            finish with winner players
    """
    game = rw.load(small(tmp_path, rules))
    state = game.start().choose("(2, 1)")
    (pawn,) = [spot for spot in picture_of(game, state, None).spots if spot.items]
    assert (pawn.key, [item.key for item in pawn.items]) == ("(2, 1)", ["player_1"])
    plates = [text.text for text in drawn(game, state).iter(f"{SVG}text")]
    assert {"player 1", "player 2", "to move"} <= set(plates)


def test_lattices_in_the_terminal(run: Run) -> None:
    text = run("draw", HERE / "dots", "--decisions", "5", "--format", "text").out
    assert "───" in text
    assert "━━━" in text
    assert len(text.splitlines()) < 12
    pegs = run("draw", HERE / "pegs", "--decisions", "8", "--format", "text").out.splitlines()
    assert [line.split()[0] for line in pegs[:5:2]] == ["a1", "a2", "a3"]
    assert any(line.startswith("linked: ") for line in pegs)


def test_long_edges_pass_empty_positions_in_the_terminal(run: Run, tmp_path: Path) -> None:
    """Of a square of four places and its cross; an edge that would pass a place is not drawn through it."""
    rules = """
        game square
        players 2
        place Point
        edge Line
        map Board: graph from "board.json" of Point, edges Line
        procedure play
            each p in players
                p chooses point from Point
            finish with winner players
    """
    folder = small(tmp_path, rules)
    places = {"a": (0, 0), "b": (2, 0), "c": (4, 0), "d": (0, 4), "e": (2, 4), "f": (4, 4), "w": (0, 2), "x": (4, 2)}
    joined = ["ab", "bc", "ac", "be", "wx", "de", "ef", "cf"]
    board = {
        "shape": "graph",
        "places": [{"name": name, "at": at} for name, at in places.items()],
        "edges": [{"between": list(ends)} for ends in joined],
    }
    (folder / "board.json").write_text(json.dumps(board), "utf-8")
    down = ["        │"] * 3
    rows = ["a───────b───────c", *down, "w───────┼───────x", *down, "d───────e───────f"]
    assert run("draw", folder, "--format", "text").out.splitlines()[:9] == rows


def test_wide_fields_of_hexes_have_one_line_a_row(run: Run, tmp_path: Path) -> None:
    rules = """
        game wide
        players 2
        place Cell
        map Board: hexes of radius 7 of Cell
        field stone[Cell]: Player or none
        procedure play
            repeat 9 times
                each p in players
                    p chooses cell from Cell where stone[cell] is none
                    stone[cell] = p
            finish with winner players
    """
    lines = run("draw", small(tmp_path, rules), "--decisions", "6", "--format", "text")
    rows = [line for line in lines.out.splitlines() if "·" in line]
    assert len(rows) == 15
    assert max(map(len, rows)) <= 80
    assert sum(row.count("·") for row in rows) == 169 - 6
