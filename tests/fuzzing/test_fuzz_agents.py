"""Whole games that agents play: they come to where nobody comes who does not care."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from fuzz_helpers import ROOT, command, compared, written

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import EngineName, laid
from rulewright.findings.fuzzing import FuzzOptions, Setting
from rulewright.findings.fuzzing.search.coverage import Reached
from rulewright.findings.fuzzing.search.exploration import Exploration, Explorers, explore
from rulewright.findings.fuzzing.search.players import Seats
from rulewright.findings.fuzzing.search.portion_search import Portion, search
from rulewright.findings.fuzzing.search.runs import game_of

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


@pytest.mark.parametrize("engine", ["native", "python"])
def test_runs_go_on_from_games_of_agents(engine: EngineName, ladder: Path, tmp_path: Path) -> None:
    """Positions are found again, by other machine code too, and is kept with the agents' answers before it."""
    rules = (
        (ladder / "game.rules").read_text("utf-8").replace("invariant below_the_top for p in players: rung[p] < 12", "")
    )
    property_of_turns = "property at_most_one_up after each turn for p in players: rung[p] <= old(rung[p]) + 1\n"
    game = rw.load(written(tmp_path / "ladder", rules + property_of_turns), 2)
    game.backend = engine
    seats = Seats(("greedy:climbed", "random"), noise=0)
    origins = search(game, Portion(Setting(2), 5, 1, 500, Reached(), seats=seats)).origins
    assert origins
    late = max(origins, key=lambda origin: len(origin.numbers))
    machine, other = (
        Explorers().of(game, frozenset()),
        Explorers().of(game, frozenset([("property", "at_most_one_up")])),
    )
    portion = Exploration(Setting(2), 3, 1 << 12, 500, (late,), b"")
    found = explore(game, machine, portion)
    assert found.stopped == 0, "a run that begins within a turn is left alone by the property of turns"
    assert found.found is None
    assert any(one.origin.seeded_runs for one in found.reached)
    for one in found.reached:
        assert one.origin.numbers == late.numbers
        _, state = game_of(game, one.origin.way)
        again = other.restored(one.origin, lambda numbers: game_of(game, (numbers, ()))[1])
        assert state is not None
        assert again is not None
        assert again.way == one.origin.way
        rest = laid(state).rest
        assert rest is not None
        if engine == "native":
            assert again.state == one.origin.state
        elif again.rest is not None:
            assert compared(game, again.rest.cells, again.rest.stack) == compared(game, rest.cells, rest.stack)
    kept = tmp_path / "kept"
    report = rw.fuzzing.fuzz(tmp_path / "ladder", FuzzOptions(games=2, seats=seats.words, corpus=kept, engine=engine))
    assert report.runs
    files = [json.loads(file.read_text("utf-8")) for file in kept.glob("*.json")]
    assert any("decisions" in file and "runs" in file for file in files) or engine == "python"


CLIMB = """\
game small
players 2

field rung: 0..40 = 0

witness top: rung >= 12

procedure play
    repeat 40 times
        each p in players
            p chooses n from {0 .. 4}
            if n is 0
                rung += 1
            else
                rung = 0
    finish ranking p in players by rung
"""


def test_witnesses_are_seen_in_runs(tmp_path: Path) -> None:
    """One answer in five twelve times: no whole game comes there."""
    report = rw.fuzzing.fuzz(written(tmp_path / "climb", CLIMB), FuzzOptions(games=12, engine="native", players=2))
    assert report.witnesses == {"top": 1}
