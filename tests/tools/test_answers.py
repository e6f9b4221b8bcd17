"""Answers by place, direction and name, and what is said to those that mean nothing."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import rulewright as rw
from rulewright_tools.render.place_lookup import PlaceLookup
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.session.option_choice import Choices
from rulewright_tools.session.prompts import Asking
from sampling import sample

from .conftest import Run

HERE = Path(__file__).parent
COURT, ISLE = HERE / "court", HERE / "isle"


@cache
def game_of(ruleset: str | Path, players: int | None = None) -> rw.Game:
    return rw.load(ruleset, players)


@pytest.mark.parametrize("text", ["1 2", "1,2", "(1, 2)", "(1,2)", " 1  2 ", "1/2", "1;2"])
def test_places(text: str) -> None:
    assert PlaceLookup(game_of(COURT)).place(text) == "(1, 2)"


@pytest.mark.parametrize(
    "text",
    ["1 2 e", "1,2e", "(1, 2) east", "1 2 EAST", "1 3 w", "1 2 1 3", "1,2 - 1,3", "(1, 2)|(1, 3)", "1 3 to 1 2",
     "(1,3)|(1,2)"],
)  # fmt: skip
def test_edges(text: str) -> None:
    assert PlaceLookup(game_of(COURT)).edge(text) == "(1, 2)|(1, 3)"


@pytest.mark.parametrize(
    "text", ["", "1", "1 2", "1 2 ne", "0 0 n", "9 9 e", "1 2 3 3", "e", "| |", "1 2 e e", "1 2 q"]
)
def test_no_edges(text: str) -> None:
    assert PlaceLookup(game_of(COURT)).edge(text) is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("0 0 ne", "(1, -1)|(0, 0)"),
        ("-1 0 south_east", "(-1, 0)|(-1, 1)"),
        ("-1,0 south east", "(-1, 0)|(-1, 1)"),
        ("0 0 w", "(-1, 0)|(0, 0)"),
    ],
)
def test_edges_of_hexes(text: str, key: str) -> None:
    assert PlaceLookup(game_of(ISLE)).edge(text) == key


def test_rings_and_graphs_have_places_too() -> None:
    atlas = PlaceLookup(game_of("carolus-magnus"))
    assert atlas.place("15") == "15"
    assert atlas.place("16") is None
    assert atlas.edge("1 2") is None, "the rules do not speak of its edges"


def test_a_game_without_a_map() -> None:
    state = game_of("connect-four").start()
    assert PlaceLookup(game_of("connect-four")).place("0 0") == "(0, 0)"
    assert state.decision is not None
    assert Choices(game_of("connect-four")).sort(state.decision) == "other", "columns are numbers, not places"


def test_a_piece_by_the_place_where_it_lies() -> None:
    game = game_of("domaine", 2)
    choices = Choices(game)
    state = game.start(seed=2)
    picture = picture_of(game, state, None)
    decision = rw.Decision("orange", 0, "f.c", "c", (), ())
    assert choices.wanted(decision, "3 3", picture).option is None
    while "castle" not in "".join(item.key for spot in picture.spots for item in spot.items):
        assert state.decision is not None
        state = state.choose(0)
        picture = picture_of(game, state, None)
    spot, castle = next((spot.key, item.key) for spot in picture.spots for item in spot.items if "castle" in item.key)
    number = next(u.keys for u in game.program.universes if u.name == "Piece").index(castle)
    other = rw.Option("neutral castle 1", 1, number + 1)
    decision = rw.Decision("orange", 0, "f.c", "c", (rw.Option(castle, 0, number), other), ())
    assert choices.wanted(decision, spot, picture).option == decision.options[0]


# --------------------------------------------------------------------------------------------- whole games


TURNS = [
    "1 1\nkeep 1\n1 1 e\n1 1 south\ncoin\n",
    "(2, 3)\nblue guard\n2,3w\n0 0 - 0 1\nnothing\n",
    "0 0\nred g\n(0, 2)|(1, 2)\n1 0 1 1\n1\n",
    "1,2\nblue keep 2\n0 3 s\n1 2 e\ncoi\n",
]


def test_a_whole_game_by_place(run: Run) -> None:
    outcome = run("play", COURT, "--seats", "human,human", stdin="".join(TURNS))
    assert outcome.code == 0
    assert "ended by" in outcome.out
    assert "after 20 decisions" in outcome.out
    assert "is not an option" not in outcome.out
    assert "There is nothing" not in outcome.out
    last = outcome.out[outcome.out.rindex("     0     1     2     3") :]
    assert "0 ┃f rG ┃f     f     f    ┃" in last


def test_a_long_game_by_place(run: Run, tmp_path: Path) -> None:
    """Answers written by place, as people do, lead to the very game that was played by keys."""
    game = game_of("domaine", 3)
    state = game.start(seed=8)
    lines: list[str] = []
    for answer in game.playout(8, keep=True).answers[: sample(30, 60)]:
        assert state.decision is not None
        key = state.decision.options[answer].key
        lines.append(_as_written(key, len(lines)))
        state = state.choose(answer)
    save = tmp_path / "game.json"
    outcome = run(
        "play", "domaine", "-n", "3", "--seed", "8", "--seats", "human,human,human",
        stdin="\n".join([*lines, f"save {save}", "quit"]),
    )  # fmt: skip
    assert f"saved to {save}" in outcome.out
    assert "is not an option" not in outcome.out
    assert game.load(json.loads(save.read_text(encoding="utf-8"))) == state
    assert any(re.fullmatch(r"\d+ \d+ [a-z]+", line) for line in lines), "edges were among them"


def _as_written(key: str, turn: int) -> str:
    places = [tuple(map(int, place)) for place in re.findall(r"\((\d+), (\d+)\)", key)]
    if len(places) == 2:
        (r, c), (r2, _) = places
        way = "e" if r == r2 else "south"
        return [f"{r} {c} {way}", f"{r},{c} {way}", key][turn % 3]
    return f"{places[0][0]} {places[0][1]}" if places else key


# -------------------------------------------------------------------------------------------- what is said


def said(run: Run, *lines: str) -> str:
    out = run("play", COURT, "--seats", "human,human", stdin="\n".join(lines) + "\n").out
    return out.split(f"> {lines[-1]}\n")[-1]


def test_refused_places_tell_the_reason(run: Run) -> None:
    turn = TURNS[0].splitlines()
    answer = said(run, *turn, "1 1")
    assert answer.startswith("(1, 1) is not possible:\n  taken (turn.taken)\n      @C-2  There is room for one man")
    assert "wet (turn.wet)" in said(run, "2 1")
    assert "@C-3  No wall is built twice." in said(run, *turn[:3], "1 1 e")
    assert "@C-3" in said(run, *turn[:3], "why 1 2 w")
    assert "This is possible." in said(run, *turn[:3], "why 0 0 e")


def test_many_edges_are_told_in_a_line(run: Run) -> None:
    out = said(run, "1 1", "keep 1")
    assert "17 edges, drawn as thin lines: write `0 0 e` for (0, 0)|(0, 1); `list` shows all" in out
    assert "(1, 1)|(1, 2)" not in out
    row = said(run, "1 1", "keep 1", "list 2").split("\n\n")[0]
    assert row.count("|") == 7
    assert all(edge.count("(2,") for edge in re.findall(r"\S+ \d\)\|\(\d, \d\)", row))
    assert said(run, "1 1", "keep 1", "list").count("|") >= 17
    assert "No option has 'moat' in it." in said(run, "1 1", "keep 1", "list moat")


def test_half_answers_get_help(run: Run) -> None:
    assert "Which side of (1, 1)? Possible: n, w, e, s" in _sorted_ways(said(run, "1 1", "keep 1", "1 1"))
    assert "is an edge; red chooses a place" in said(run, "1 1 e")
    assert "There is nothing at '7 7' on the map." in said(run, "7 7")
    assert "There is nothing at '0 0 n' on the map." in said(run, "1 1", "keep 1", "0 0 n")
    assert "'red' may mean red guard, red keep 1, red keep 2." in said(run, "1 1", "red")
    assert "Write `why KEY`." in said(run, "why")


def _sorted_ways(text: str) -> str:
    order = {"n": 0, "w": 1, "e": 2, "s": 3}
    found = re.search(r"Possible: ([nesw, ]+);", text)
    assert found is not None
    return text.replace(found[1], ", ".join(sorted(found[1].split(", "), key=order.__getitem__)))


@pytest.mark.parametrize(
    "line",
    ["((((", "9" * 5000, "9 " * 3000, "- - -", "|", "1 1 e e e e", "\N{SUPERSCRIPT TWO}",
     "\N{FULLWIDTH DIGIT THREE} x", "why |", "list (", "list 99999999999999999999", "[red]x[/red]",
     "%s{0}", "e", "to", " - ", "1 1 -", "\x00", "🐉 🐉"],
)  # fmt: skip
def test_hostile_answers(run: Run, line: str) -> None:
    answers = [line, "1 1", line, "red keep 1", line, "quit"]
    outcome = run("play", COURT, "--seats", "human,human", stdin="\n".join(answers) + "\n")
    assert outcome.code == 0
    assert "The game stops after 2 decisions" in outcome.out
    assert "inside Rulewright" not in outcome.all


def test_what_is_printed_on_pieces_is_told() -> None:
    """Of cards and the like, whose key does not say all."""
    game = game_of("domaine", 3)
    state = game.start(seed=8)
    while state.decision is not None and state.decision.name != "turn.offer":
        state = state.choose(0)
    assert state.decision is not None
    lines = Asking(game, Choices(game)).lines(state.decision, picture_of(game, state, None), 80)
    assert lines
    assert all(re.fullmatch(r" +\d [ABCD] \d [\w ]+ +price \d, sale \d", line) for line in lines)
