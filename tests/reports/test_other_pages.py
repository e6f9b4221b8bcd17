"""Pages of simulations, tournaments and analyses: their first sentence answers, and their figures are those of JSON."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rulewright_tools.app import app

for library in ("altair", "vl_convert", "choix"):
    pytest.importorskip(library)


def reported(tmp_path: Path, *words: str) -> tuple[str, Any]:
    """The page, and the report as data."""
    target = tmp_path / "out.html"
    done = CliRunner().invoke(app, [*words, "--output", str(target), "--format", "json"])
    assert done.exit_code in (0, 1), done.stderr
    return unescape(target.read_text("utf-8")), json.loads(done.stdout)


def first_sentence(page: str) -> str:
    found = re.search(r'<div class="answer"><p>(.*?)</p>', page)
    assert found is not None
    return found[1]


def test_a_simulation(tmp_path: Path) -> None:
    page, data = reported(tmp_path, "simulate", "tic-tac-toe", "--games", "40")
    best = data["winners"][0]
    assert f"“{best['seats'][0]} wins”: {best['games'] / 40:.1%} of games" in first_sentence(page)
    assert "On the board" in page
    assert all(f'<th scope="row">{one["rule"]}</th>' in page for one in data["endings"])


def test_a_tournament(tmp_path: Path) -> None:
    page, data = reported(tmp_path, "tournament", "tic-tac-toe", "mcts:20", "random", "--games", "20")
    assert "mcts:20 is the strongest" in first_sentence(page)
    assert all(f"{one['elo']:+.0f}" in page for one in data["agents"])


def test_an_analysis(tmp_path: Path) -> None:
    page, data = reported(tmp_path, "analyse", "tic-tac-toe", "--agent", "mcts:50", "--seed", "3")
    turning = [one for one in data["decisions"] if one["turning"]]
    assert turning
    worst = max(turning, key=lambda one: one["lost"])
    assert f"Decision {worst['number']}: {worst['seat']} answered {worst['answer']}" in first_sentence(page)
    assert page.count('<th scope="row">') == len(data["decisions"])
