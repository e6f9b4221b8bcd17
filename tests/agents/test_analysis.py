"""Analyses of games that were played: the answer that has lost a game is a turning point, with the better one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from agent_games import after, shipped

import rulewright as rw
import rulewright_lab as lab
from rulewright.engine import ALL_PASSES, log_data
from rulewright_lab.agents.search_agents import MonteCarloAgent
from sampling import thorough

SCHEMA = Path(__file__).parents[2] / "schemas" / "analysis-report.schema.json"


def test_what_has_lost_a_game_is_told() -> None:
    """The second player does not meet the threat of the first one, who wins."""
    game = shipped("connect-four")
    state = after(game, *"3031323")  # three in a column, then a row elsewhere
    lost = list(rw.analysis.analysed(game, after(game, *"3030361"), lab.agent(game, "mcts:400")))
    assert [one.answer for one in lost] == list("3030361")
    blunder = lost[5]
    assert (blunder.best, blunder.answer) == ("3", "6")
    assert blunder.lost is not None
    assert blunder.lost > 0.2
    assert lost[6].best == "3"
    assert lost[6].chances == (1.0, 0.0)
    assert [one.number for one in rw.analysis.analysed(game, state, lab.agent(game, "flat:30"))] == list(range(1, 8))


def test_games_of_secrets_and_chance_are_analysed() -> None:
    game = shipped("baron")
    state = game.start(3)
    for _ in range(6):
        state = state.choose(0)
    found = list(rw.analysis.analysed(game, state, lab.agent(game, "mcts:20")))
    assert 0 < len(found) <= 6
    assert all(sum(one.chances) == pytest.approx(1) for one in found)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rulewright_tools.app import app

    save, svg = tmp_path / "game.json", tmp_path / "curve.svg"
    save.write_text(json.dumps(after(shipped("connect-four"), *"303036").save()))
    for more in (["--format", "json", "--output", str(svg)], []):
        with pytest.raises(SystemExit):
            app(["analyse", "connect-four", str(save), "--agent", "mcts:300", *more])
        said = capsys.readouterr().out
        if more:
            report = json.loads(said)
            jsonschema.validate(report, json.loads(SCHEMA.read_text("utf-8")))
            assert report["decisions"][-1]["turning"]
            assert "</svg>" in svg.read_text()
        else:
            assert "turning point" in said


def report(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    """The report of the command, which fits its schema."""
    from rulewright_tools.app import app

    with pytest.raises(SystemExit) as left:
        app(["analyse", *args, "--format", "json"])
    assert left.value.code == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    jsonschema.validate(found, json.loads(SCHEMA.read_text("utf-8")))
    return found


def answers(found: dict[str, Any]) -> list[str]:
    return [one["answer"] for one in found["decisions"]]


@pytest.mark.parametrize(
    ("name", "players"), [("carolus-magnus", 3), ("kuhn-poker", 2), pytest.param("loewenherz", 4, marks=thorough)]
)
@pytest.mark.parametrize("word", ["mcts:12", "mo-ismcts:12", "flat:12", "oos:40"])
def test_chances_of_all_seats(name: str, players: int, word: str) -> None:
    """Also of three and four who see everything, and where the rules say what is paid."""
    game = rw.load(name, players)
    state = game.start(2)
    for _ in range(2):
        assert state.decision is not None
        state = state.choose(len(state.decision.options) - 1)
    found = list(rw.analysis.analysed(game, state, lab.agent(game, word)))
    assert found
    for one in found:
        assert len(one.chances) == players
        assert sum(one.chances) == pytest.approx(1)


def test_who_has_won_has_all_the_chances(tmp_path: Path) -> None:
    """Of three, the second can win at once."""
    rules = """\
game race
players 3
field gold[Player]: 0.. = 0
procedure play
    each p in players
        p chooses n from {0 .. 2}
        gold[p] = n
        if n is 2 and p.seat is 2 then finish paying 5 if q is p else -1 for q in players
    finish paying gold[q] for q in players
"""
    (tmp_path / "game.rules").write_text(rules)
    manifest = {"name": "race", "title": "Race", "rules": ["game.rules"]}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest))
    game = rw.load(tmp_path)
    found = game.search(lab.agent(game, "mcts:60")).analyse(game.start(0).choose("1"), rw.playing.Dice(1, "tests"))
    assert found.chances == (0, 1, 0)


@pytest.mark.parametrize("engine", ["native", "python"])
def test_chances_change_no_answer(engine: rw.playing.EngineName) -> None:
    """An analysis that counts who wins finds what the search of the agent finds without."""
    game = rw.load("carolus-magnus", 3, engine=engine)
    state, agent = game.start(1), lab.agent(game, "mcts:40")
    assert isinstance(agent, MonteCarloAgent)
    choose = agent.begin(game.program, engine, ALL_PASSES)
    found = game.search(agent).analyse(state, rw.playing.Dice(4, "tests"))
    assert found.answers[0].option == choose(state, rw.playing.Dice(4, "tests"))


def test_the_record_of_a_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rulewright_tools.app import app

    pytest.importorskip("choix")
    record = tmp_path / "games.jsonl"
    with pytest.raises(SystemExit):
        app(["tournament", "tic-tac-toe", "mcts:8", "random", "--games", "4", "--seed", "3", "--keep", str(record)])
    capsys.readouterr()
    rows = [json.loads(line) for line in record.read_text().splitlines()]
    found = report(capsys, "tic-tac-toe", f"{record}:3", "--agent", "mcts:20")
    assert len(found["decisions"]) in (rows[3]["decisions"], rows[3]["decisions"] - 1)  # the last cell is no choice
    rows[3]["decisions"] += 1
    record.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for more, said in ((":3", "do not play this game again"), ("", "holds 4 games"), (":9", "no game 9")):
        with pytest.raises(SystemExit) as left:
            app(["analyse", "tic-tac-toe", f"{record}{more}"])
        assert left.value.code == 2
        assert said in capsys.readouterr().err


def test_games_of_the_fuzzer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One of a corpus, and one of a report: there chance is answered like the players."""
    from rulewright_tools.app import app

    corpus = tmp_path / "corpus"
    with pytest.raises(SystemExit):
        app(["fuzz", "kuhn-poker", "--games", "6", "--keep", str(corpus)])
    capsys.readouterr()
    kept = [file for file in sorted(corpus.glob("*.json")) if "decisions" in json.loads(file.read_text())]
    assert kept
    lengths = [len(json.loads(one.read_text())["decisions"]) for one in kept]
    longest = kept[lengths.index(max(lengths))]
    found = report(capsys, "kuhn-poker", str(longest), "--agent", "mcts:10")
    assert len(found["decisions"]) == max(lengths) - 2  # two of chance
    game = json.loads(longest.read_text())["decisions"]
    told = {"rules": [], "found": [{"players": 2, "variants": [], "options": {}, "game": game}]}
    (tmp_path / "report.json").write_text(json.dumps(told))
    again = report(capsys, "kuhn-poker", str(tmp_path / "report.json"), "--agent", "mcts:10")
    assert answers(again) == answers(found)
    runs = next(file for file in sorted(corpus.glob("*.json")) if "runs" in json.loads(file.read_text()))
    assert report(capsys, "kuhn-poker", str(runs), "--agent", "mcts:10")["decisions"]


def test_logs_saves_seeds_and_scenarios(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = rw.load("tic-tac-toe")
    played = game.playout(7, keep=True)
    state = game.start(7)
    for answer in played.answers:
        state = state.choose(answer)
    (tmp_path / "save.json").write_text(json.dumps(state.save()))
    (tmp_path / "log.json").write_text(json.dumps(log_data(state)))
    ways = [["--seed", "7"], [str(tmp_path / "save.json")], [str(tmp_path / "log.json")]]
    given = [answers(report(capsys, "tic-tac-toe", *way, "--agent", "mcts:9")) for way in ways]
    assert given[0] == given[1] == given[2] != []
    title = "a row wins, and a taken cell is refused"
    (asked,) = report(capsys, "tic-tac-toe", "--scenario", title, "--agent", "mcts:200")["decisions"]
    assert (asked["answer"], asked["lost"], asked["turning"]) == (None, None, False)
    assert asked["best"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nowhere.json", "--players", "2"], "leave out the other"),
        (["nowhere.json", "--scenario", "x"], "leave out the file"),
        (["--seed", "1", "--scenario", "no such title"], "no scenario of this title"),
    ],
)
def test_wrong_arguments(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    from rulewright_tools.app import app

    with pytest.raises(SystemExit) as left:
        app(["analyse", "tic-tac-toe", *args])
    assert left.value.code == 2
    assert said in capsys.readouterr().err
