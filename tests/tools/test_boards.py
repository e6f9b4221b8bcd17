"""Boards in the terminal, letter by letter: what stands where, with and without colours."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

import rulewright as rw
from rulewright_tools.console import out
from rulewright_tools.render.ground import grounds
from rulewright_tools.render.picture import Item, gathered
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.terminal.board import Board
from rulewright_tools.render.terminal.boxes import HEAVY, LIGHT, Lines
from rulewright_tools.render.theme import palette_of, piece_keys
from rulewright_tools.session.option_choice import Choices
from rulewright_tools.text_wrapping import wrapped

from .conftest import Run

HERE = Path(__file__).parent
COURT, ISLE = HERE / "court", HERE / "isle"


@cache
def game_of(ruleset: str | Path, players: int | None = None) -> rw.Game:
    return rw.load(ruleset, players)


def after(ruleset: str | Path, *answers: str) -> tuple[rw.Game, rw.State]:
    game = game_of(ruleset)
    state = game.start(seed=1)
    for answer in answers:
        state = state.choose(answer)
    return game, state


def board(game: rw.Game, state: rw.State, width: int = 80, viewer: int | None = None) -> list[Text]:
    possible = Choices(game).possible(state.decision)
    return Board(palette_of(game), piece_keys(game), width).draw(picture_of(game, state, viewer), possible)


def plain(lines: list[Text]) -> str:
    return "\n".join(line.plain.rstrip() for line in lines)


ONE_TURN = ("(1, 1)", "red keep 1", "(1, 1)|(1, 2)", "(1, 1)|(2, 1)", "coin")


def test_a_grid_with_walls() -> None:
    assert (
        plain(board(*after(COURT, *ONE_TURN)))
        == """\
     0     1     2     3
  ┏━━━━━━━━━━━━━━━━━━━━━━━┓  rK1 red keep 1
0 ┃f   • f   • f   • f   •┃     meadow
  ┃     ·     ╻     ·     ┃  f forest
1 ┃  •    rK1 ┃  •   Go  •┃  Go gold mine
  ┃     ╺━━━━━┛     ·     ┃  l lake
2 ┃l     l     l     Go  •┃  ━━ walled
  ┗━━━━━━━━━━━━━━━━━━━━━━━┛  •  possible

red   guarded 0   coins 3
  stock 3 red guard, red keep 2
blue   guarded 0   coins 2
  stock 3 blue guard, blue keep 1, 2
table   walls left 15"""
    )


def test_edges_that_may_be_chosen_are_thin_lines() -> None:
    game, state = after(COURT, *ONE_TURN, "(2, 3)", "blue guard", "(2, 2)|(2, 3)")
    expected = """\
     0     1     2     3     bG blue guard
  ┏━━━━━┯━━━━━┯━━━━━┯━━━━━┓  rK1 red keep 1
0 ┃f    │f    │f    │f    ┃     meadow
  ┠─────┼─────╁─────┼─────┨  f forest
1 ┃     │ rK1 ┃     │Go   ┃  Go gold mine
  ┠─────┾━━━━━╃─────╁─────┨  l lake
2 ┃l    │l    │l    ┃Go bG┃  ━━ walled
  ┗━━━━━┷━━━━━┷━━━━━┻━━━━━┛  ── possible"""
    assert plain(board(game, state)[:8]) == expected


def test_a_hex_field_without_hints() -> None:
    assert (
        plain(board(*after(ISLE, "(0, 0)", "(0, -1)|(0, 0)")))
        == """\
    ┏━━━━━━━┯━━━━━━━┓
    ┃  0,-1 │  1,-1 ┃      r red
    ┃h     •│s      ┃      s sea
┏━━━┹───┮━━━┵───┬───┺━━━┓  w woods
┃  -1,0 │  0,0  │  1,0  ┃  h hills
┃w     •│w  r   │w     •┃  ━━ river
┗━━━┱───┴───┬───┴───┲━━━┛  •  possible
    ┃  -1,1 │  0,1  ┃
    ┃s      │h     •┃
    ┗━━━━━━━┷━━━━━━━┛
"""
    )


@pytest.mark.parametrize("width", [40, 50, 60, 80, 100, 120])
@pytest.mark.parametrize("ruleset", [COURT, ISLE, "domaine"])
def test_boards_fit(ruleset: str | Path, width: int) -> None:
    game = game_of(ruleset, 2)
    state = game.playout(3).state
    lines = board(game, state, width)
    assert max(line.cell_len for line in lines) <= width
    assert "0" in lines[0].plain or "━" in lines[0].plain, "the map itself fits too"


def test_a_large_board_fits_a_window() -> None:
    game = game_of("domaine", 3)
    state = game.start(seed=3)
    for answer in game.playout(3, keep=True).answers[:200]:
        state = state.choose(answer)
    lines = board(game, state, 100, viewer=1)
    assert len(lines) <= 37, "with the question it is forty lines"
    assert any("score" in line.plain and "ducats" in line.plain for line in lines)
    assert any("markers left" in line.plain for line in lines)
    hands = [line.plain for line in lines if "hand" in line.plain]
    assert sum("face down" in line for line in hands) == 2, "hands of others are only counted"


@pytest.mark.parametrize("seed", [1, 2])
def test_walls_stand_where_the_state_has_them(seed: int) -> None:
    game = game_of("domaine", 2)
    state = game.playout(seed).state
    rows = [line.plain for line in board(game, state, 80)]
    walled = state.view(None)["fields"]["walled"]["values"]
    assert len(walled) > 10
    for key in next(u.keys for u in game.program.universes if u.name == "Border"):
        (r, c), (r2, c2) = (tuple(map(int, place.strip("()").split(", "))) for place in key.split("|"))
        found = {rows[2 + 2 * r][3 + 6 * c2]} if r == r2 else set(rows[1 + 2 * r2][4 + 6 * c : 9 + 6 * c])
        wall = {"┃"} if r == r2 else {"━"}
        assert found == (wall if key in walled else {" "}), key


def test_ground_has_colour_and_letter() -> None:
    game, state = after(COURT)
    row = board(game, state)[4]
    styles = {str(span.style) for span in row.spans}
    assert any("#c9d99a" in style for style in styles), "meadows need no sign but have their colour"
    assert "Go" in row.plain
    assert any("#3366cc" in str(span.style) for span in board(game, state)[6].spans), "the hint counts"


def test_no_colour_when_piped(run: Run) -> None:
    out = run("play", COURT, stdin="quit\n").out
    assert "\x1b" not in out
    assert "┃f   • f   • f   • f   •┃" in out


def test_plain_letters_where_there_are_no_others() -> None:
    """Piped output has no box letters on some systems."""
    command = [sys.executable, "-m", "rulewright_tools", "play", str(COURT), "--seats", "human,human"]
    answers = "\n".join(ONE_TURN) + "\n"
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(command, input=answers, capture_output=True, text=True, env=environment, check=True)
    expected = """\
  +=======================+  rK1 red keep 1
0 #f   * f   * f   * f   *#     meadow
  #     .     +     .     #  f forest
1 #  *    rK1 #  *   Go  *#  Go gold mine
  #     +=====+     .     #  l lake
2 #l     l     l     Go  *#  == walled
  +=======================+  *  possible
"""
    assert expected in done.stdout


def test_ground_without_hints() -> None:
    found = grounds(["forest", "deep_forest", "gold_mine", "x", "y"], {}, {}, {})
    assert [ground.sign for ground in found.values()] == ["f", "df", "gm", "x", "y"]
    assert found["forest"].icon == "trees"
    assert found["gold_mine"].accent == "#c99a2e"
    assert found["x"].colour != found["y"].colour
    many = grounds([f"same {n}" for n in range(50)], {}, {}, {})
    assert len({ground.sign for ground in many.values()}) == 50
    assert max(len(ground.sign) for ground in many.values()) <= 2


def test_hints_that_do_not_fit_the_rules_are_passed_over(tmp_path: Path) -> None:
    for file in COURT.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    manifest = json.loads((tmp_path / "ruleset.json").read_text(encoding="utf-8"))
    draw = manifest["draw"]
    draw |= {"ground": {"field": "lamd"}, "walls": {"field": "wolled"}, "tint": "turn", "shows": ["nothing", "printed"]}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    text = plain(board(*after(tmp_path, *ONE_TURN)))
    assert "walled (1, 1) – (1, 2)" in text.replace("(1, 1)|(1, 2)", "(1, 1) – (1, 2)")
    assert "land forest" not in text.splitlines()[0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"ground": {"sign": {}}},
        {"ground": {"signs": {"lake": "too long"}}},
        {"ground": {"signs": {"lake": "\x1b["}}},
        {"ground": {"icons": {"lake": "dragons"}}},
        {"walls": {"colour": "#12"}},
        {"shows": "score"},
        {"hides": ["a", "a"]},
    ],
)
def test_bad_hints_are_told(run: Run, tmp_path: Path, wrong: dict[str, Any]) -> None:
    for file in COURT.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    manifest = json.loads((tmp_path / "ruleset.json").read_text(encoding="utf-8"))
    manifest["draw"] |= wrong
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    outcome = run("play", tmp_path, stdin="quit\n")
    assert outcome.code == 2
    assert f"draw.{next(iter(wrong))}" in outcome.err or "draw" in outcome.err


def test_lines_meet() -> None:
    lines = Lines()
    lines.across(2, 0, 4, HEAVY)
    lines.down(2, 0, 4, LIGHT)
    lines.down(4, 2, 4, HEAVY)
    text = ["".join(lines.sign(row, column) for column in range(5)) for row in range(5)]
    assert text == ["  ╷  ", "  │  ", "╺━┿━┓", "  │ ┃", "  ╵ ╹"]


def test_pieces_told_in_one() -> None:
    items = [Item(f"keep {n}", 1) for n in (1, 2, 3, 5)] + [Item("guard", 4), Item("", 2, back=True), Item("keep 7", 2)]
    assert [words for _, words in gathered(items)] == ["keep 1–3, 5", "4 guard", "2 face down", "2 keep 7"]
    cards = [Item("c expansion_1", 1, name="c Erweitern um 1"), Item("c expansions_2", 1, name="c Erweitern um 2")]
    assert [words for _, words in gathered(cards)] == ["c Erweitern um 1", "c Erweitern um 2"]


def test_a_market_is_listed_in_its_order_with_its_prices() -> None:
    for title, told in (
        (
            "of two equal tiles side by side the first is free",
            "display meadow (price 0), meadow (price 1), village (price 3)",
        ),
        (
            "B5 otherwise: what is left stays at its place and keeps its price",
            "display pond (price 0), village (price 1), meadow (price 3)",
        ),
    ):
        game, state = rw.Game.of_scenario("baron", title)
        assert told in plain(board(game, state)).replace("\n    ", " ")
    state = state.choose("village")
    assert "display pond (price 0), meadow (price 3)" in plain(board(game, state)).replace("\n    ", " ")


def test_an_edition_calls_things_by_its_own_words() -> None:
    game, state = rw.Game.of_scenario("loewenherz", "one marker between the two is turned")
    drawn = plain(board(game, state))
    assert "Burg" in drawn
    assert "castle" not in drawn
    assert "━━ Grenze" in drawn
    assert "\nblau" in drawn
    for answer in ("orange castle 1", "blue castle 1"):
        assert state.decision is not None
        typed = answer.replace("castle", "Burg").replace("blue", "blau")
        meant = Choices(game).wanted(state.decision, typed, picture_of(game, state, None))
        assert meant.option is not None
        assert meant.option.key == answer
        state = state.choose(meant.option)
    drawn = plain(board(game, state))
    assert "╬  Bündnis" in drawn
    assert drawn.count("╬") == 2  # on one border, and in the legend
    base, before = rw.Game.of_scenario("domaine", "one marker between the two is turned")
    assert "castle" in plain(board(base, before))


def test_a_grid_shows_whose_land_a_place_is() -> None:
    """The letter of the colour stands at the end of each place, and is explained beside the map."""
    game, state = rw.Game.of_scenario("domaine", "one marker between the two is turned")
    rows = plain(board(game, state)).split("\n")
    place = [rows[2][4 + 6 * column : 9 + 6 * column] for column in range(4)]
    assert [one[-1] for one in place] == ["o", "o", "b", "b"]
    assert any("b o r  Domaine of" in line for line in rows)


def test_a_board_says_nothing_in_another_language() -> None:
    game = game_of("loewenherz", 2)
    shown = plain(board(game, game.start(3)))
    assert "Tisch" in shown
    assert "auf 5" in shown
    assert "weiteren" in shown
    assert not {"table", "more", "possible", "on"} & set(shown.split())


def test_a_team_is_called_by_its_members() -> None:
    game = game_of("carolus-magnus", 4)
    shown = plain(board(game, game.start(3)))
    assert "north+south" in shown
    assert "team" not in shown


FIGURES = """\
game figures
players 2

piece Figure
    begins in stock
piece Man is a Figure from "men.json"
    colour: {red, blue}
    named "{colour} man"
piece Rider is a Figure from "men.json"
    colour: {red, blue}
    named "{colour} rider"
zone stock: set of Figure, seen by everyone

procedure play
    finish with winner players
"""


def test_hints_of_a_kind_hold_for_those_below_it(tmp_path: Path) -> None:
    hints = {"shapes": {"Figure": "shield", "Rider": "tower"}, "colours": {"Figure": "#123456"}}
    manifest = {"name": "figures", "title": "Figures", "rules": ["game.rules"], "draw": hints}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest))
    (tmp_path / "men.json").write_text('{"rows": [{"colour": "red"}, {"colour": "blue"}]}')
    (tmp_path / "game.rules").write_text(FIGURES)
    palette = palette_of(rw.load(tmp_path))
    assert [palette.shape(key) for key in ("red man", "blue rider")] == ["shield", "tower"]
    assert palette.colour("red man") == "#123456"


def test_lines_are_broken_between_words_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "      red knight: reserve of black → court of black, and so on"
    out().print(long)
    assert capsys.readouterr().out == f"{long}\n"
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out().print(long)
    assert Text.from_ansi(capsys.readouterr().out).plain.strip("\n").split("\n") == [
        "      red knight: reserve of black →",
        "        court of black, and so on",
    ]


def test_what_is_too_long_for_any_line_is_cut() -> None:
    parts = wrapped(Text("    " + "x" * 50 + " and more"), 40, 6)
    assert [part.plain for part in parts] == ["    " + "x" * 36, "      " + "x" * 14 + " and more"]
