"""Whole games that agents play: they come to where nobody comes who does not care."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from fuzz_helpers import ROOT, command, written

import rulewright as rw
import rulewright_lab as lab
from rulewright.findings.fuzzing import FuzzOptions

LADDER = """\
game small
players 2

field rung[Player]: 0..12 = 0

invariant below_the_top for p in players: rung[p] < 12

measure climbed(p: Player) = rung[p]

procedure play
    repeat 12 times
        each p in players
            turn(p)
    finish ranking p in players by rung[p]

procedure turn(p: Player)
    p chooses either as way
        option down
            rung[p] = max({0, rung[p] - 1})
        option fall
            rung[p] = 0
        option up
            rung[p] += 1
        option slip
            rung[p] = 0
"""
"""A game in which whoever goes upwards each time stands too high at last. It is an
invariant and not an error, as no agent takes an answer of which it knows that it leads to an error."""


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("agents") / "ladder", LADDER)


def test_agents_come_where_nobody_comes_by_chance(ladder: Path) -> None:
    assert rw.fuzzing.fuzz(ladder, FuzzOptions(games=4, seats=("random",))).passed
    asked = FuzzOptions(games=4, seats=("greedy:climbed", "random"), noise=0)
    found = rw.fuzzing.fuzz(ladder, asked)
    (story,) = found.stories
    assert story.trouble.key == ("invariant", "below_the_top")
    assert found.seats == asked.seats
    searching = rw.fuzzing.fuzz(ladder, FuzzOptions(games=1, seats=("mcts:20",), agent=lab.agent))
    assert searching.games == 1


def test_equal_seeds_give_equal_findings(ladder: Path) -> None:
    """With any number of processes, and what is printed fits its schema."""
    asked = ("fuzz", ladder, "--games", 6, "--seats", "mcts:5,greedy:climbed", "--format", "json")
    code, told = command(*asked)
    assert (code, told) == command(*asked, "--jobs", 2)
    data = json.loads(told[told.index("{\n") :])
    assert data["seats"] == ["mcts:5", "greedy:climbed"]
    jsonschema.validate(data, json.loads((ROOT / "schemas" / "fuzz-report.schema.json").read_text("utf-8")))


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ("gready:climbed", "there is no agent `gready`"),
        ("greedy:climed", "did you mean `climbed`?"),
        ("random,random,random", "3 agents are named for the seats of a game of 2 players"),
    ],
)
def test_words_that_name_no_agents(seats: str, said: str, ladder: Path) -> None:
    code, told = command("fuzz", ladder, "--games", 1, "--seats", seats)
    assert code == 2
    assert said in " ".join(told.split())
