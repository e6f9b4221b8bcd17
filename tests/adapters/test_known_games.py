"""Go, gin rummy, hanabi, bridge and chess in the words of a newcomer: the same games elsewhere, answer for answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_games import FOLDER, KNOWN, Known, in_lockstep
from typer.testing import CliRunner

import rulewright as rw
from rulewright_tools.app import app
from sampling import sample

PROGRAMS = {"chess": "chess"}
"""The package that knows a game; all others are OpenSpiel's."""
PAGE = Path(__file__).parents[2] / "docs" / "research.md"


@pytest.mark.parametrize("one", KNOWN, ids=lambda one: one.name)
def test_beside_another_program(one: Known) -> None:
    pytest.importorskip(PROGRAMS.get(one.name, "pyspiel"), reason="the other program is not installed")
    for seed in range(sample(1 if one.name == "chess" else 2, 20)):
        assert in_lockstep(one, seed)


PERFT = {"": (20, 400, 8902), "a middle game": (48, 2039), "rooks and pawns": (14, 191, 2812), "a promotion": (6, 264)}


@pytest.mark.parametrize("scenario", PERFT)
def test_published_numbers_of_moves_of_chess(scenario: str) -> None:
    at = ("--scenario", scenario) if scenario else ()
    for depth, number in enumerate(PERFT[scenario], 1):
        printed = CliRunner().invoke(app, ["perft", str(FOLDER / "chess"), "--depth", str(depth), *at]).stdout
        assert printed.split() == [str(number)]


@pytest.mark.parametrize("one", KNOWN, ids=lambda one: one.name)
def test_written_as_printed(one: Known) -> None:
    for file in Path(one.folder).glob("*.rules"):
        text = file.read_text("utf-8")
        assert rw.format_text(text, file.name) == text


def test_the_page_counts_their_lines() -> None:
    table = PAGE.read_text("utf-8")
    for one in KNOWN:
        lines = len((Path(one.folder) / "game.rules").read_text("utf-8").splitlines())
        assert f"| {one.name} | {lines} |" in table
