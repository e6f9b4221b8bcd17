"""``rulewright confirm`` as a person uses it: yes, no, another clause instead, boards, and what is kept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rulewright_tools.app import app

PAIRS = Path(__file__).parents[1] / "benchmarks" / "slip_pairs"


@pytest.fixture
def corners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A variant with a slip: discs at the border count as those in the corners."""
    path = tmp_path / "corners.rules"
    shutil.copy(PAIRS / "four/15-ot-corners.rules", path)
    monkeypatch.chdir(tmp_path)
    return path


def confirmed(*arguments: str, answers: str = "") -> Result:
    return CliRunner().invoke(app, ["confirm", *arguments, "--games", "3"], input=answers)


def test_a_right_moment_is_kept_as_a_scenario(corners: Path) -> None:
    before = corners.read_text()
    result = confirmed("corners.rules", answers="y\nq\n")
    assert result.exit_code == 0, result.output
    text = corners.read_text()
    assert text.startswith(before.rstrip())
    assert text.count("scenario ") == 1
    assert CliRunner().invoke(app, ["test", "corners.rules"]).exit_code == 0


def test_a_scenario_that_does_not_hold_anyway_catches_nothing(corners: Path) -> None:
    stale = 'scenario "stale"\n    variant "Corners"\n    start play\n    then counted(black) is 99\n'
    corners.write_text(f"{corners.read_text()}\n{stale}")
    result = confirmed("corners.rules", "--limit", "1")
    assert "1 moment from" in result.output
    assert "caught by scenarios" not in result.output


def test_another_outcome_takes_the_place_of_a_clause(corners: Path) -> None:
    """The chosen clause is written, and the moments are found anew."""
    result = confirmed("corners.rules", answers="n\n1\nq\n")
    assert result.exit_code == 1
    assert "wrote corners.rules" in result.output
    assert result.output.count("1  query") + result.output.count("1  replace") >= 2
    assert corners.read_text() != (PAIRS / "four/15-ot-corners.rules").read_text()
    assert CliRunner().invoke(app, ["check", "corners.rules"]).exit_code == 0


def test_a_clause_that_contradicts_a_kept_moment_is_not_written(corners: Path) -> None:
    result = confirmed("corners.rules", answers="y\nn\n1\nq\nq\n")
    assert result.exit_code == 1
    assert "contradicts `border 1`, which was right" in result.output
    text = corners.read_text()
    assert text.startswith((PAIRS / "four/15-ot-corners.rules").read_text().rstrip())
    assert text.count("scenario ") == 1


def test_a_kept_moment_stays_where_a_clause_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(PAIRS / "four/15-ot-corners.rules", tmp_path / "corners.rules")
    result = confirmed("corners.rules", answers="y\ny\nn\n1\nq\n")
    text = Path("corners.rules").read_text()
    assert "wrote corners.rules" in result.output
    assert text.count("scenario ") == 2
    assert CliRunner().invoke(app, ["test", "corners.rules", "--select", "border"]).exit_code == 0


def test_the_rest_is_shown_where_no_answer_comes(corners: Path) -> None:
    result = confirmed("corners.rules", answers="x\nb\n")
    assert result.exit_code == 0
    assert result.output.count("[y] right") == 3  # an unknown key, the boards, and the end of the input
    assert "small changes tried" in result.output
    assert corners.read_text() == (PAIRS / "four/15-ot-corners.rules").read_text()


def test_moments_are_written_unasked_and_run_on_another_version(corners: Path, tmp_path: Path) -> None:
    result = confirmed("corners.rules", "--output", "moments.rules")
    assert result.exit_code == 0, result.output
    assert "[y] right" not in result.output
    assert "small changes tried" in result.output
    run = ["test", "corners.rules", "moments.rules"]
    assert CliRunner().invoke(app, run).exit_code == 0
    shutil.copy(PAIRS / "four/15-ot-corners-right.rules", corners)
    right = CliRunner().invoke(app, run)
    assert right.exit_code == 1
    assert "FAILED" in right.output


def test_moments_as_data(corners: Path) -> None:
    result = confirmed("corners.rules", "--format", "json")
    data = json.loads(result.stdout)
    assert data["variants"] == ["Corners"]
    assert data["moments"][0]["file"] == "corners.rules"
    assert data["moments"][0]["alternatives"]


def test_moments_of_a_ruleset_are_kept_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "pig"
    shutil.copytree(Path(__file__).parents[2] / "rulesets" / "pig", folder)
    result = confirmed(str(folder), "--limit", "2", answers="y\ns\n")
    assert result.exit_code == 0, result.output
    assert "confirmed.rules" in json.loads((folder / "ruleset.json").read_text())["scenarios"]
    assert CliRunner().invoke(app, ["test", str(folder)]).exit_code == 0


def test_rules_that_cannot_be_played(tmp_path: Path) -> None:
    path = tmp_path / "wrong.rules"
    path.write_text('variant "Wrong" of pig\n    set gaol = 50\n')
    result = confirmed(str(path))
    assert result.exit_code == 2
    assert "goal" in result.output
