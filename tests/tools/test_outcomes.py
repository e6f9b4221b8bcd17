"""Ends of games, said everywhere alike: nobody, a draw, several together, a pair, a party that nobody plays."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import rulewright as rw

from .conftest import SCHEMAS, Run

HEAD = """\
game ending
{players}
party Owner: players, pirates
{more}
procedure play
    chance chooses weather from {{1 .. 4}}
    each p in players
        p chooses n from {{0 .. 3}}
"""
ENDS: dict[str, list[str]] = {
    "if weather is 1 then finish with nobody winning\n    finish with winner players": ["all together", "nobody"],
    "if weather < 3 then finish with winner {}\n    finish with a draw": ["draw", "nobody"],
    "if weather < 4 then finish with winner pirates\n    finish with winner first(players)": ["player_1", "pirates"],
    "finish ranking o in Owner by (2 if o is pirates else 1)": ["pirates"],
    "if weather is 2 then finish ranking p in players by 1\n    finish with winner first(players).left": [
        "player_2", "draw",
    ],
    "finish ranking p in {} by 1": ["nobody"],
}  # fmt: skip
TOLD = {
    "finish with nobody winning": ["nobody has won"],
    "finish with winner players": ["1. player_1, player_2", "they have won together"],
    "finish with a draw": ["1. player_1, player_2", "it is a draw"],
    "finish ranking p in players by 3": ["1. player_1, player_2", "it is a draw"],
    "finish with winner pirates": ["1. pirates", "2. player_1, player_2"],
    "finish with winner first(players)": ["1. player_1", "2. player_2"],
}


def folder(tmp_path: Path, end: str, players: str = "players 2", more: str = "") -> Path:
    manifest = {"name": "ending", "title": "Ending", "rules": ["game.rules"]}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    (tmp_path / "game.rules").write_text(f"{HEAD.format(players=players, more=more)}    {end}\n", "utf-8")
    return tmp_path


def report(run: Run, ruleset: Path, *more: object) -> Any:
    found = run("simulate", ruleset, "-g", "60", "--format", "json", *more).json
    jsonschema.validate(found, json.loads((SCHEMAS / "simulate-report.schema.json").read_text("utf-8")))
    return found


@pytest.mark.parametrize("end", ENDS)
def test_every_game_is_in_one_row(run: Run, tmp_path: Path, end: str) -> None:
    ruleset = folder(tmp_path, end)
    lines = run("simulate", ruleset, "-g", "60").out.splitlines()
    begin = next(number for number, line in enumerate(lines) if "winner" in line) + 2
    end_of_table = next(number for number, line in enumerate(lines) if line.startswith(" payoff"))
    rows = [line.split("  ") for line in lines[begin:end_of_table]]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows if "%" in "".join(row)]
    assert sum(int(row[1]) for row in cells) == 60
    assert sorted(row[0] for row in cells if row[1] != "0") == sorted(ENDS[end])
    for engine in ("python", "native"):
        found = report(run, ruleset, "--engine", engine)
        assert sum(one["games"] for one in found["winners"]) == 60
        assert sum(one["share"] for one in found["winners"]) == pytest.approx(1, abs=0.001)
        parts = [one["share"] for one in (*found["seats"], *found["parties"], found["nobody"])]
        assert sum(parts) == pytest.approx(1, abs=0.001)
        nobody = sum(one["games"] for one in found["winners"] if one["how"] == "nobody")
        assert found["nobody"]["games"] == nobody
        for seat in found["seats"]:
            assert seat["wins"] == sum(one["games"] for one in found["winners"] if seat["seat"] in one["seats"])


def test_pairs_have_rows(run: Run, tmp_path: Path) -> None:
    end = "if weather < 3 then finish with winner first(players).side\n    finish ranking s in Side by 1"
    ruleset = folder(tmp_path, end, "players 4, teams of 2", "party Side: teams")
    told = run("simulate", ruleset, "-g", "40").out
    assert "team 1: player_1, player_3" in told
    assert "team 2: player_2, player_4       0" in told
    assert " draw " in told
    assert " player_1 " not in told[: told.index(" payoff ")]
    found = report(run, ruleset)
    assert [seat["share"] for seat in found["seats"]] == [seat["share"] for seat in found["seats"][2:]] * 2
    assert sum(Fraction(str(seat["share"])) for seat in found["seats"]) == pytest.approx(1, abs=0.001)


def test_players_of_one_team_have_not_drawn(tmp_path: Path) -> None:
    """They share the first place, but they have beaten the others."""
    end = "finish ranking p in players by (1 if p.seat is 1 or p.seat is 3 else 0)"
    result = rw.load(folder(tmp_path, end, "players 4, teams of 2", "party Side: teams")).playout(1).result
    assert result is not None
    assert result.winners == ("player_1", "player_3")
    assert not result.drawn


@pytest.mark.parametrize("end", TOLD)
def test_places_are_told(run: Run, tmp_path: Path, end: str) -> None:
    ruleset = folder(tmp_path, end)
    game = rw.load(ruleset)
    state = game.start(seed=2)
    while state.decision is not None:
        state = state.choose(state.decision.options[0])
    told = [line.text for line in rw.narration.story(game, state, None) if line.kind == "end"][1:]
    assert told == [line.replace("_", " ") for line in TOLD[end]]
    for command in (("play", ruleset, "--seats", "random"), ("log", ruleset)):
        out = run(*command).out.replace("_", " ")
        for line in TOLD[end]:
            assert line.replace("_", " ") in out
        assert ("1. " in out) == (TOLD[end][0] != "nobody has won")


@pytest.mark.parametrize("end", TOLD)
def test_the_end_is_saved(tmp_path: Path, end: str) -> None:
    game = rw.load(folder(tmp_path, end))
    state = game.start(seed=2)
    while state.decision is not None:
        state = state.choose(state.decision.options[0])
    again = game.load(state.save())
    assert again.result == state.result
    view = state.view(None)
    jsonschema.validate(view, json.loads((SCHEMAS / "view.schema.json").read_text("utf-8")))
    assert view["result"]["parties"] == list(state.result.parties if state.result else ())


def test_a_scenario_says_who_has_won_instead(run: Run, tmp_path: Path) -> None:
    ruleset = folder(tmp_path, "finish with winner pirates")
    with (ruleset / "game.rules").open("a", encoding="utf-8") as file:
        file.write('\nscenario "s"\n    players anna, bert\n    start play\n    chance: weather = 1\n')
        file.write("    when anna: n = 1\n    when bert: n = 1\n    wins anna\n")
    told = run("test", ruleset)
    assert told.code == 1
    assert "anna won" in told.out
    assert "pirates won" in told.out
