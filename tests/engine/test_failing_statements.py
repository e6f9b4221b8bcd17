"""An error at run time is told at the statement that fails, wherever it stands, and not at its procedure."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

import rulewright as rw

GAME = """\
game debts
players 2
field gold[Player]: 0.. = 2

procedure play  @DE-1
    repeat 3 times
        each p in players
            turn(p)
    finish ranking p in players by gold[p]

procedure turn(p: Player)  @DE-2
    p chooses n from {1 .. 2}
    gold[p] += n  @DE-3

consequence rich for p in players when gold[p] >= 4
    gold[p] -= 2
    gold[p] -= 1
"""

VARIANT = """\
variant "Taxes" of debts
    before turn.assign_1
        if gold[p] > 0
            gold[p] -= 9
"""

SCENARIO = """
scenario "a tax"
    players red, blue
    start turn(red)
    when red: n = 1
"""


@pytest.fixture
def debts(tmp_path: Path) -> Path:
    """A game with a variant in which somebody pays more than there is."""
    folder = tmp_path / "debts"
    folder.mkdir()
    manifest = {"name": "debts", "title": "Debts", "rules": ["game.rules"]}
    (folder / "ruleset.json").write_text(json.dumps(manifest))
    (folder / "game.rules").write_text(GAME)
    (folder.parent / "taxes.rules").write_text(VARIANT)
    return folder


def told(game: rw.Game) -> tuple[str, int, int, tuple[str, ...]]:
    with pytest.raises(rw.RulesetError) as caught:
        game.playout(0)
    error = caught.value.diagnostics[0]
    assert error.code == "RUN001"
    return Path(error.span.file).name, error.span.line, error.span.column, error.cites


def test_a_statement_of_a_variant_in_a_procedure_of_its_base(debts: Path) -> None:
    game = rw.load(debts.parent / "taxes.rules")
    assert told(game) == ("taxes.rules", 4, 13, ()), "no sentence of the base is to blame"
    assert told(pickle.loads(pickle.dumps(game))) == ("taxes.rules", 4, 13, ())


def test_what_stands_in_a_file_cites_what_its_procedure_does(debts: Path) -> None:
    file = debts / "game.rules"
    file.write_text(GAME.replace("gold[p] += n ", "gold[p] -= 9 "))
    assert told(rw.load(debts)) == ("game.rules", 13, 5, ("DE-3",))
    file.write_text(GAME.replace("gold[p] += n  @DE-3", "gold[p] -= 9"))
    assert told(rw.load(debts)) == ("game.rules", 13, 5, ("DE-2",))


def test_a_statement_of_a_consequence(debts: Path) -> None:
    file = debts / "game.rules"
    file.write_text(GAME.replace("gold[p] -= 1", "gold[p] -= 7"))
    assert told(rw.load(debts)) == ("game.rules", 17, 5, ())


def test_a_statement_that_a_scenario_comes_to(debts: Path) -> None:
    text = GAME.replace("gold[p] += n ", "gold[p] -= 9 ") + SCENARIO
    (debts / "game.rules").write_text(text)
    _, state = rw.Game.of_scenario(debts, "a tax")
    with pytest.raises(rw.RulesetError) as caught:
        state.choose("1")
    assert caught.value.diagnostics[0].span.line == 13
