"""``rulewright simulate`` says what figures tell against the rules, and of rules that cannot fire that they cannot."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import rulewright as rw
from sampling import THOROUGH

from .conftest import Run
from .test_reports import fits

RULES = """\
game race
players 2 to 3
param goal = 6
param early = 0
param style: {plain, fancy} = plain

field points[Player]: 0.. = 0

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses either
        option walk: points[p] += 1
        option run_on
            points[p] += 2
            if style is fancy
                bonus(p)
        option fly
            forbid not_today: goal < 5
            points[p] += 3
    if early > 3 and points[p] > 0
        bonus(p)

effect bonus(p: Player)
    points[p] += 1

end arrived for p in players when points[p] >= goal, after turn
    finish with winner p
end overtaken for p in players when early > 0 and points[p] >= early, after turn
    finish with winner p
end far_ahead for p in players when some(q in players where points[p] >= points[q] + 4), after turn
    finish with winner p
"""


@pytest.fixture
def race(tmp_path: Path) -> Path:
    """A small ruleset with ends and options that parameters switch on."""
    folder = tmp_path / "race"
    folder.mkdir()
    (folder / "ruleset.json").write_text(json.dumps({"name": "race", "title": "Race", "rules": ["game.rules"]}))
    (folder / "game.rules").write_text(RULES)
    return folder


def variant(folder: Path, *lines: str) -> Path:
    file = folder.parent / "tried.rules"
    file.write_text('variant "Tried" of race\n' + "".join(f"    {line}\n" for line in lines))
    return file


def kinds(report: Any) -> list[tuple[str, list[str]]]:
    return [(one["kind"], one["rules"]) for one in report["warnings"]]


def test_all_numbers_of_players_are_played(race: Path, run: Run) -> None:
    report = run("simulate", race, "--games", 20, "--format", "json").json
    fits("simulate-report", report)
    assert [one["players"] for one in report["reports"]] == [2, 3]
    assert [one["games"] for one in report["reports"]] == [20, 20]
    only = run("simulate", race, "--games", 20, "--players", 3, "--format", "json").json
    fits("simulate-report", only)
    assert only == report["reports"][1]
    text = run("simulate", race, "--games", 20).out
    assert text.index("Race, 2 players: 20 games, seed 0") < text.index("Race, 3 players: 20 games, seed 0")
    if THOROUGH:  # two pools of processes; every day one is enough (test_simulations)
        assert run("simulate", race, "--games", 20, "--jobs", 2, "--format", "json").json == report


def test_policies_of_each_seat_say_how_many_play(race: Path, run: Run) -> None:
    report = run("simulate", race, "--games", 2, "--seats", "random,random,random", "--format", "json").json
    assert report["players"] == 3


def test_rules_that_cannot_fire_are_not_missed(race: Path, run: Run) -> None:
    done = run("simulate", race, "--players", 2, "--games", 40, "--format", "json")
    assert done.json["never_fired"] == []
    assert done.json["cannot_fire"] == ["overtaken", "bonus"]
    assert done.code == 0
    assert rw.load(race).flow.endings == ("arrived", "far_ahead")
    fancy = run("simulate", race, "--players", 2, "--games", 40, "--option", "style=fancy", "--format", "json").json
    assert fancy["cannot_fire"] == ["overtaken"]
    low = run("simulate", race, "--players", 2, "--games", 5, "--option", "goal=3", "--format", "json").json
    assert "turn.fly" in low["cannot_fire"]
    text = run("simulate", race, "--players", 2, "--games", 5).out
    assert "rules that cannot fire as the parameters are set: overtaken, bonus" in text


def test_all_games_end_alike(race: Path, run: Run) -> None:
    arguments = ("simulate", race, "--players", 2, "--option", "goal=2")
    done = run(*arguments, "--games", 40, "--format", "json")
    assert done.code == 1
    assert kinds(done.json) == [("one ending", ["arrived"])]
    assert "warning: all games end by `arrived`, none by `far_ahead`" in run(*arguments, "--games", 40).out
    accepted = run(*arguments, "--games", 40, "--accept", "one ending")
    assert "accepted: all games end by `arrived`, none by `far_ahead`" in accepted.out
    assert (done.code, accepted.code) == (1, 0)
    assert run(*arguments, "--games", 40, "--accept", "cut off").code == 1
    assert run(*arguments, "--games", 5).code == 0, "of five games that says nothing"


def test_an_end_of_the_base_that_comes_no_more(race: Path, run: Run) -> None:
    short = variant(race, "set goal = 3")
    done = run("simulate", short, "--players", 2, "--games", 100, "--format", "json")
    assert done.code == 1
    assert kinds(done.json) == [("one ending", ["arrived"]), ("lost ending", ["far_ahead"])]
    assert run("simulate", short, "--players", 2, "--games", 10).code == 0, (
        "so few of the base do that it may be chance"
    )
    assert run("simulate", variant(race, "set goal = 7"), "--players", 2, "--games", 25).code == 0
    removed = run("simulate", variant(race, "remove far_ahead"), "--players", 2, "--games", 25)
    assert removed.code == 0, "who removes an end does not miss it"


def test_what_the_base_does_as_well_is_no_warning_about_a_variant(race: Path, run: Run) -> None:
    rules = race / "game.rules"
    rules.write_text(rules.read_text().replace("param goal = 6", "param goal = 2"))
    alone = run("simulate", race, "--players", 2, "--games", 40, "--format", "json")
    assert (alone.code, kinds(alone.json)) == (1, [("one ending", ["arrived"])])
    tried = run("simulate", variant(race, "set style = fancy"), "--players", 2, "--games", 40, "--format", "json")
    assert (tried.code, kinds(tried.json)) == (0, []), tried.json["warnings"]


def test_what_a_variant_brought_and_nobody_used(race: Path, run: Run) -> None:
    tried = variant(
        race,
        "in turn.walk",
        "    forbid never: points[p] > 99",
        "    forbid sometimes: points[p] > 3",
        "in turn.either_1",
        "    option sleep",
        "        forbid awake: points[p] < 99",
        "        points[p] += 1",
    )
    done = run("simulate", tried, "--games", 25, "--format", "json")
    assert done.code == 1, done.err
    fits("simulate-report", done.json)
    assert kinds(done.json) == [("never used", ["turn.sleep"]), ("never used", ["turn.never"])]
    told = run("simulate", tried, "--games", 25).out
    assert "warning: `turn.never`, which is new here, was never of any use" in told


def test_what_is_repeated_switched_off_or_never_asked_is_not_new(race: Path, run: Run) -> None:
    tried = variant(
        race,
        "replace turn.trip",
        "    p chooses n from {1 .. 3}",
        "        forbid too_far: early > 5 and n > 2      # said again",
        "        forbid far: early > 6 and n > 1",
        "        forbid near: points[p] > 99",
        "    points[p] += n",
        "    if points[p] > 98",
        "        p chooses k from {1 .. 3}",
        "            forbid small: k < 2",
        "        points[p] += k",
    )
    rules = (
        (race / "game.rules")
        .read_text()
        .replace(
            "    if early > 3",
            """    step trip
        p chooses n from {1 .. 3}
            forbid too_far: early > 5 and n > 2
        points[p] += n
    if early > 3""",
        )
    )
    (race / "game.rules").write_text(rules)
    done = run("simulate", tried, "--games", 5, "--format", "json")
    assert done.code == 1, done.err
    assert kinds(done.json) == [("never used", ["turn.near"])]
    early = run("simulate", tried, "--games", 5, "--option", "early=7", "--format", "json")
    assert ("never used", ["turn.far"]) not in kinds(early.json)


def test_a_restriction_that_refuses_everything_is_of_use(race: Path, run: Run) -> None:
    """Questions of which nothing is left are passed over: no state shows them."""
    tried = variant(
        race,
        "replace turn.trip",
        "    p chooses n from {1 .. 3}",
        "        forbid none_left: points[p] >= 0",
        "        forbid never: points[p] > 99",
        "    then",
        "        points[p] += n",
        "    else",
        "        points[p] += 0",
    )
    text = (
        (race / "game.rules")
        .read_text()
        .replace("    if early > 3", "    step trip\n        points[p] += 0\n    if early > 3")
    )
    (race / "game.rules").write_text(text)
    done = run("simulate", tried, "--games", 5, "--format", "json")
    assert done.code == 1, done.err
    assert kinds(done.json) == [("never used", ["turn.never"])]


def test_games_that_are_cut_off(race: Path, run: Run) -> None:
    done = run("simulate", race, "--players", 2, "--games", 3, "--decisions", 2, "--format", "json")
    assert done.code == 1
    assert kinds(done.json) == [("cut off", [])]
    text = run("simulate", race, "--players", 2, "--games", 3, "--decisions", 2).out
    assert "warning: 3 games not over after 2 decisions (the first has seed 0)" in text
    assert not re.search(r"\b0 decisions a second", text)


def test_an_error_tells_its_game_and_what_came_before(race: Path, run: Run) -> None:
    walks = ("in turn.walk", "    forbid no_walk: points[p] > 1", "in turn.run_on", "    forbid no_run: points[p] > 1")
    tried = variant(race, *walks, "in turn.fly", "    forbid no_fly: points[p] > 1")
    done = run("simulate", tried, "--players", 2, "--games", 5)
    assert done.code == 2
    assert "[RUN007]" in done.err
    assert "an `else` below the question says what happens then" in done.err
    assert re.search(r"in the game of seed 0 with 2 players, after [23] decisions", done.err)
    assert "before: player 1: points 0" in done.err
    [scenario] = re.findall(r"note: this scenario shows it\n\n(scenario (?:.+\n)+)", done.err)
    assert "start turn(" in scenario
    assert "before:" not in run("simulate", tried, "--players", 2, "--seats", "greedy:points", "--games", 1).err
