"""Experiments: games and measures, alike in any process and with every engine; wrong questions are told before."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

import rulewright_lab as lab
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.playing.game_player import GamePlayer
from rulewright_tools.app import app

pytest.importorskip("scipy")

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "schemas" / "experiment-report.schema.json").read_text("utf-8"))
FAULTY = """
game faulty
players 2
param divisor = 1
field at: 0..9
procedure play
    chance chooses number from {0 .. 1}
    at = 6 / (number + divisor) rounded down
    finish with winner first(players)
query left = 9 - at
"""


def asked(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["experiment", *words])
    return done.exit_code, done.stdout, done.stderr


def report(*words: str) -> Any:
    code, out, err = asked(*words, "--format", "json")
    assert code in (0, 1), err
    found = json.loads(out)
    jsonschema.validate(found, SCHEMA)
    return found


def measured(found: Any, name: str) -> list[float]:
    (row,) = [one for one in found["measures"] if one["measure"] == name]
    return [one["mean"] for one in row["arms"]]


def test_measures_are_those_of_the_games() -> None:
    """Columns hold what the game says itself, state by state."""
    (arm,) = lab.experiments.read_arms(("baron",))
    columns = GamePlayer(arm).play(range(3))
    for seed in range(3):
        played = arm.game.playout(seed, keep=True)
        state, sizes = arm.game.start(seed), []
        for answer in played.answers:
            assert state.decision is not None
            sizes.append(len(state.decision.options))
            state = state.choose(answer)
        found = {name: columns.column(name)[seed] for name in columns.packed}
        assert state.result is not None
        assert found["decisions"] == len(sizes)
        assert found["options"] == sum(sizes) / len(sizes)
        assert found["forced"] == sizes.count(1) / len(sizes)
        assert found["payoff(seat 2)"] == state.result.payoffs[1]
        assert found["points(seat 1)"] == state.ask("points", arm.game.seats[0])
        assert found["ties"] == state.result.drawn
        assert found["wins(seat 1)"] == (state.result.places[0] == 1) / state.result.places.count(1)


def test_portions_survive_as_bytes() -> None:
    (arm,) = lab.experiments.read_arms(("connect-four",))
    player = GamePlayer(arm, most=12)
    raw = player.play(range(5, 25)).to_bytes()
    assert PortionColumns.from_bytes(raw).to_bytes() == raw
    assert pickle.loads(pickle.dumps(player.play(range(5, 25)))).to_bytes() == raw
    with pytest.raises(ValueError, match="more"):
        PortionColumns.from_bytes(raw + b"x")


def test_portions_do_not_matter() -> None:
    """Results are those of the games, whatever portions they come in."""
    arms = lab.experiments.read_arms(("connect-four", ":2"))
    meant = lab.experiments.Experiment(arms, 9000, most=30)
    found = []
    for sizes in ((9000,), (1, 4095, 4096, 7, 801), (1234,) * 8):
        results, begin = meant.begin(), 0
        players = [GamePlayer(arm, most=30) for arm in arms]
        for size in sizes:
            for number in (0, 1):
                results.add(number, players[number].play(range(begin, min(begin + size, 9000))))
            begin += size
        found.append(json.dumps(results.data()))
    assert found[0] == found[1] == found[2]


def test_equal_arms_are_equal() -> None:
    found = report("connect-four", ":2", "--games", "20")
    assert {one["difference"] for one in found["differences"]} == {0}
    assert not any(one["certain"] for one in found["differences"])


def test_the_same_bytes_whoever_plays() -> None:
    words = ("tic-tac-toe", "connect-four", "--games", "25", "--seats", "mcts:5,random", "--format", "json")
    first = asked(*words)
    assert first[0] == 0, first
    assert asked(*words, "--jobs", "2")[1] == first[1]
    assert asked(*words, "--engine", "python")[1] == asked(*words, "--engine", "native")[1] == first[1]


def test_a_known_difference_is_found() -> None:
    """A smaller board is over sooner, and who searches wins more often than who does not."""
    found = report("breakthrough", ":size=5", "--games", "60", "--measure", "decisions")
    (one,) = found["differences"]
    assert one["certain"]
    assert one["interval"][1] < 0
    found = report("tic-tac-toe", "--games", "40", "--seats", "mcts:30,random")
    won, lost = measured(found, "wins(mcts:30)"), measured(found, "wins(random)")
    assert won[0] > 0.8
    assert won[0] + lost[0] == pytest.approx(1)


def test_faults_are_counted_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "ruleset.json").write_text(
        json.dumps({"name": "faulty", "title": "Faulty", "rules": ["game.rules"]}), "utf-8"
    )
    (tmp_path / "game.rules").write_text(FAULTY, "utf-8")
    code, out, err = asked(str(tmp_path), ":divisor=0", "--games", "40", "--measure", "left", "--format", "json")
    assert code == 1, err
    found = json.loads(out)
    good, bad = found["arms"]
    assert good["finished"] == 40
    assert bad["finished"] + bad["failures"][0]["games"] == 40
    assert "game.rules" in bad["failures"][0]["why"]
    (one,) = found["differences"]
    assert one["pairs"] == bad["finished"] > 0


def test_games_without_an_end_are_counted() -> None:
    found = report("connect-four", "--games", "12", "--decisions", "9")
    (arm,) = found["arms"]
    assert arm["unfinished"]["games"] + arm["finished"] == 12
    assert arm["unfinished"]["games"] > 0
    assert measured(found, "unfinished") == [arm["unfinished"]["games"] / 12]


@pytest.mark.parametrize("engine", ["native", "python"])
def test_time_ends_an_experiment_with_the_figures_so_far(engine: str) -> None:
    code, _, err = asked("breakthrough", "--games", "90000000", "--time", "0.7", "--engine", engine)
    assert code in (0, 1)
    assert "the time was over after" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("no-such-game",), "no-such-game"),
        (("connect-four", ":heigth=9"), "heigth"),
        (("breakthrough", ":size=999"), "size"),
        (("connect-four", ":9"), "9"),
        (("connect-four", "--measure", "decisons"), "did you mean `decisions`"),
        (("connect-four", "--seats", "mtcs:9"), "mtcs"),
        (("connect-four", "--seats", "random,random,random"), "3 agents"),
        (("connect-four", "--games", "0"), "without a game"),
    ],
)
def test_wrong_questions_are_one_error(words: tuple[str, ...], told: str) -> None:
    code, out, err = asked(*words, "--games", "3") if "--games" not in words else asked(*words)
    assert code == 2
    assert out == ""
    assert told in err
    assert "Traceback" not in err


def test_arms_have_equally_many_games_whenever_it_stops() -> None:
    """Their figures stand beside each other: none may be of games that the other arm does not have."""
    arms = lab.experiments.read_arms(("pig:goal=8", ":goal=40"), 2, {}, ("mcts:2",))
    meant = lab.experiments.Experiment(arms, 60, 0, ("decisions",), 2000)
    results = meant.begin()

    def stop(done: int) -> None:
        if done > 4 and done % 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        meant.run(results, 1, stop)
    first, other = results.arms
    assert first.played == other.played > 0
    one = next(one for one in results.compared() if one.measure == "decisions")
    assert (one.found.first, one.found.other) == (first.mean("decisions"), other.mean("decisions"))
    assert one.found.pairs == first.played
