"""A number for each, as people meet it: in the log, beside what is offered, when something is renamed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw

from .conftest import Run

RULES = """\
game trade
players 2

enum Good: wood, brick, wool
piece Work from "works.json"
    title: {road, house}
    cost: 0..[Good]
    named "{title}"
    begins in open

zone open: set of Work, seen by everyone
zone built[Player]: set of Work, seen by everyone
field stock[Player, Good]: 0.. = 2
field bank[Good]: 0.. = 9

procedure play
    each p in players
        turn(p)
    finish ranking p in players by sum(stock[p])

procedure turn(p: Player)
    p chooses x from open
        forbid dear: not stock[p] >= x.cost
    stock[p] -= x.cost
    bank += x.cost
    move x to built[p]

scenario "a house is paid"
    players anna, bert
    given stock[anna] = {wood: 2, brick: 1, wool: 1}
    start turn(anna)
    when anna: x = "house"
    then stock[anna] is {wood: 1}
"""
WORKS = {
    "rows": [
        {"title": "road", "cost": {"wood": 1, "brick": 1}},
        {"title": "house", "cost": {"wood": 1, "brick": 1, "wool": 1}, "count": 2},
    ]
}


@pytest.fixture
def trade(tmp_path: Path) -> Path:
    (tmp_path / "game.rules").write_text(RULES, "utf-8")
    (tmp_path / "works.json").write_text(json.dumps(WORKS), "utf-8")
    (tmp_path / "ruleset.json").write_text('{"name": "trade", "title": "Trade", "rules": ["game.rules"]}', "utf-8")
    return tmp_path


def test_what_is_paid_is_told_together(trade: Path) -> None:
    playing = rw.load(trade)
    state = playing.start().choose("road").choose("house")
    told = [line.text for line in rw.narration.story(playing, state, None)]
    assert "player 1: stock wood, brick 2 → 1 (-1)" in told
    assert "player 2: stock wood, brick, wool 2 → 1 (-1)" in told
    assert "wool: bank 9 → 10 (+1)" in told


def test_costs_stand_beside_what_is_offered(trade: Path, run: Run) -> None:
    printed = rw.load(trade).model.attribute("Piece", "cost")
    assert printed is not None
    assert printed.values == (("1 wood", "1 brick"), *[("1 wood", "1 brick", "1 wool")] * 2)
    assert "cost 1 wood, 1 brick, 1 wool" in run("play", trade, stdin="quit\n").out


def test_a_name_is_renamed_where_it_is_a_key(trade: Path, run: Run) -> None:
    assert run("rename", trade, "wood", "timber").code == 0
    assert json.loads((trade / "works.json").read_text("utf-8"))["rows"][0]["cost"] == {"timber": 1, "brick": 1}
    assert "{timber: 2, brick: 1, wool: 1}" in (trade / "game.rules").read_text("utf-8")
    assert run("test", trade).code == 0


def test_a_variant_changes_what_is_to_be_paid(trade: Path, run: Run) -> None:
    rules = 'variant "Dear" of trade\n    set row "road" of Work: cost = {wool: 3}\n\nscenario "none is built"\n'
    rules += '    players anna, bert\n    variant "Dear"\n    start turn(bert)\n    offered bert: x = {"house"}\n'
    with (trade / "game.rules").open("a", encoding="utf-8") as file:
        file.write("\n" + rules)
    assert run("test", trade).code == 0


def test_costs_are_shown_and_compared(trade: Path, run: Run, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert "cost {wood: 1, brick: 1}" in run("show", trade, "Work").out
    other = tmp_path_factory.mktemp("other")
    for file in trade.iterdir():
        (other / file.name).write_text(file.read_text("utf-8").replace('"brick": 1}', '"brick": 2}'), "utf-8")
    assert "{wood: 1, brick: 1} → {wood: 1, brick: 2}" in run("compare", trade, other).out


def test_a_name_in_a_cell_is_used(trade: Path, run: Run) -> None:
    """The lint of names that nothing uses: `brick` stands in the table alone."""
    rules = (trade / "game.rules").read_text("utf-8").partition("scenario")[0]
    (trade / "game.rules").write_text(rules, "utf-8")
    assert "brick" not in run("check", trade).out
