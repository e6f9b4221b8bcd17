"""`rulewright play --scenario`: a game from the position that a scenario lays out."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app

TITLE = "the stone chosen last is refused"


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    assert CliRunner().invoke(app, ["new", str(tmp_path / "pond")]).exit_code == 0
    return tmp_path / "pond"


def test_the_rules_of_the_scenario_are_played(pond: Path) -> None:
    """The stone chosen last is refused there, and after the turn nothing goes on."""
    words = ["play", str(pond), "--scenario", TITLE, "--seats", "human,human"]
    done = CliRunner().invoke(app, words, input="")
    assert done.exit_code == 0, done.output
    assert "red: stone 2" in done.output
    assert "The rules that the scenario starts have come to their end." in done.output


def test_the_state_is_that_of_the_scenario(pond: Path) -> None:
    game, state = rw.Game.of_scenario(pond, TITLE)
    assert game.seats == ("red", "blue")
    assert state.decision is not None
    assert [option.key for option in state.decision.options] == ["2"]
    end = state.choose("2").choose("gold pebble")
    assert end.decision is None


def test_titles_that_there_are_not(pond: Path) -> None:
    done = CliRunner().invoke(app, ["play", str(pond), "--scenario", "the stone chosen last is refusd"])
    assert done.exit_code == 2
    assert TITLE in done.output
    done = CliRunner().invoke(app, ["play", str(pond), "--scenario", TITLE, "--players", "2"])
    assert done.exit_code == 2
