"""Analyses of games that were played: the answer that has lost a game is a turning point, with the better one."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from agent_games import after, shipped

import rulewright as rw

SCHEMA = Path(__file__).parents[2] / "schemas" / "analysis-report.schema.json"


def test_what_has_lost_a_game_is_told() -> None:
    """The second player does not meet the threat of the first one, who wins."""
    game = shipped("connect-four")
    state = after(game, *"3031323")  # three in a column, then a row elsewhere
    lost = list(rw.analysis.analysed(game, after(game, *"3030361"), game.policy("mcts:400")))
    assert [one.answer for one in lost] == list("3030361")
    blunder = lost[5]
    assert (blunder.best, blunder.answer) == ("3", "6")
    assert blunder.lost is not None
    assert blunder.lost > 0.2
    assert lost[6].best == "3"
    assert lost[6].chances == (1.0, 0.0)
    assert [one.number for one in rw.analysis.analysed(game, state, game.policy("flat:30"))] == list(range(1, 8))


def test_games_of_secrets_and_chance_are_analysed() -> None:
    game = shipped("baron")
    state = game.start(3)
    for _ in range(6):
        state = state.choose(0)
    found = list(rw.analysis.analysed(game, state, game.policy("mcts:20")))
    assert 0 < len(found) <= 6
    assert all(sum(one.chances) == pytest.approx(1) for one in found)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rulewright_tools.app import app

    save, svg = tmp_path / "game.json", tmp_path / "curve.svg"
    save.write_text(json.dumps(after(shipped("connect-four"), *"303036").save()))
    for more in (["--format", "json", "--svg", str(svg)], []):
        with pytest.raises(SystemExit):
            app(["analyse", "connect-four", str(save), "--with", "mcts:300", *more])
        said = capsys.readouterr().out
        if more:
            report = json.loads(said)
            jsonschema.validate(report, json.loads(SCHEMA.read_text("utf-8")))
            assert report["decisions"][-1]["turning"]
            assert "</svg>" in svg.read_text()
        else:
            assert "turning point" in said
