"""Queries of what is printed become tables; what is none, what can be an error and what changes stays a query."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import rulewright as rw
from instruction_texts import function_text, query_text
from node_text import read, written
from program_texts import program_of
from rulewright.ir import model as m
from rulewright.ir.transform.optimizer import Optimizer

RULES = """\
game small
players 2
place Cell
edge Line
map Board: grid 5 by 4 of Cell, edges Line
param line[Player] = [0, 3]
field man[Cell]: Player or none
field last: Cell or none
field drawn[Line]: Bool
field x[Player]: Int = 0
query owner(c: Cell) -> Player = first(players) if c.row < 2 else first(players).left
query half(p: Player) -> set of Cell = {c in Cell where owner(c) is p and c.row is not line[p]}
query rim(c: Cell) -> Bool = size(c.neighbours) < 4
query diagonal(c: Cell) -> Bool = c.row is c.column or some(d in Cell where d.row + d.column is 3 and d is c)
query beyond(c: Cell) -> Cell or none = towards(c, east, 2)
query weight(c: Cell) -> Int = 12 / (c.column + 1) rounded down + count(n in c.neighbours where diagonal(n))
query ways(c: Cell) -> set of Direction = {d in Direction where towards(c, d) is none}
query around(c: Cell) -> set of Line = {c|towards(c, east), c|towards(c, south), towards(c, east)|c}
query lines(c: Cell) -> Int = count(l in c.borders where some(d in c.neighbours where c|d is l and rim(d)))
query near(c: Cell, p: Player) -> set of Cell = {d in c.neighbours where owner(d) is p}
query lost(p: Player or none, c: Cell) -> set of Cell = {d in c.neighbours where p is none or owner(d) is p}
query man_at(c: Cell or none) -> Cell or none = c if man[c] is none else none
query taken(c: Cell) -> Bool = man[c] is not none
query broken(c: Cell) -> Int = 6 / c.row rounded down
procedure play
    repeat 5 times
        each p in players
            turn(p)
    finish ranking p in players by x[p]
procedure turn(p: Player)
    p chooses c from Cell where man[c] is none
    x[p] += %s
    man[c] = p
    last = c
    each l in c.borders
        drawn[l] = not drawn[l]
"""
ASKED = {
    "of a player": "count(d in Cell where owner(d) is p and man[d] is none)",
    "a set": "size(half(p)) + count(d in half(p.left) where man[d] is p)",
    "a set in a set": "size({d for e in {f in Cell where man[f] is p}, d in ways(e)})",
    "a truth": "count(d in Cell where rim(d) and man[d] is p) + (1 if rim(c) else 0)",
    "another query": "count(d in Cell where diagonal(d) and not rim(d) and man[d] is none)",
    "a place or none": "count(d in Cell where man[beyond(d)] is p) + (1 if beyond(c) is none else 0)",
    "a number": "weight(c) + sum(weight(d) for d in Cell where man[d] is p)",
    "of what may be none": "(1 if owner(last) is p else 0) + (2 if rim(beyond(c)) else 0) + size(ways(last))",
    "of the best": "size(best(d in Cell where man[d] is none by weight(d)))",
    "of each step": "size(reach(from c within {d in Cell where man[d] is none or rim(d)}))",
    "edges": "count(d in Cell where every(l in around(d) has drawn[l])) + size(around(last)) + lines(c)",
    "two arguments": "size(near(c, p.left)) + size(near(last, p)) + size(near(beyond(c), man[c]))",
    "a second one that may be none": "size(lost(man[c], c)) + size(lost(p, c))",
    "what is said of none": "(3 if rim(man_at(last)) else 0) + size(ways(beyond(last))) + (1 if rim(c) else 0)",
    "what changes": "count(d in Cell where taken(d) and rim(d))",
    "an error for some": "broken(c) if c.row > 0 else 0",
}


@pytest.mark.parametrize("what", ASKED)
def test_games_are_the_same(tmp_path: Path, what: str) -> None:
    (tmp_path / "game.rules").write_text(RULES % ASKED[what], "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    ends = [rw.load(tmp_path, engine="python", passes=passes).playouts(6) for passes in ("all", "-tables", "tables")]
    ends += [
        rw.load(tmp_path, engine="native", passes=p).playouts(6) for p in ("all", "-tables", "tables", "-inlining")
    ]
    assert all(end == ends[0] for end in ends)


def tables(folder: Path, asked: str, more: str = "") -> set[str]:
    """The queries that are tables of what is asked."""
    (folder / "game.rules").write_text(RULES.replace("procedure play", more + "procedure play") % asked, "utf-8")
    (folder / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    program = rw.load(folder).program
    optimizer = Optimizer(program)
    return {table.name for table in optimizer.whole.tables} - {table.name for table in program.tables}


def test_what_is_printed_becomes_a_table(tmp_path: Path) -> None:
    assert tables(tmp_path, ASKED["a set"]) >= {"Cell.owner", "Player.half"}
    assert tables(tmp_path, ASKED["edges"]) >= {"Cell.around", "Cell.lines"}
    assert tables(tmp_path, ASKED["two arguments"]) >= {"Cell.near 0", "Cell.near 1"}
    assert tables(tmp_path, ASKED["a number"]) >= {"Cell.weight", "Cell.diagonal"}


def test_what_changes_or_can_be_an_error_does_not(tmp_path: Path) -> None:
    assert "Cell.taken" not in tables(tmp_path, ASKED["what changes"])
    assert "Cell.broken" not in tables(tmp_path, ASKED["an error for some"])


def test_two_arguments_choose_between_tables(tmp_path: Path) -> None:
    (tmp_path / "game.rules").write_text(RULES % ASKED["two arguments"], "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    program = rw.load(tmp_path).program
    chosen = "(if (p_2 == 0) then Cell.near 0(c_1) else (if (p_2 == 1) then Cell.near 1(c_1) else {}))"
    assert chosen in query_text(Optimizer(program, {"tables"}).query("near"))
    assert "owner(d_3)" in query_text(Optimizer(program, ()).query("near"))


def test_no_table_is_chosen_for_none(tmp_path: Path) -> None:
    made = tables(tmp_path, ASKED["a second one that may be none"])
    assert not {name for name in made if name.startswith("Cell.lost")}


def test_a_table_says_nothing_of_none(tmp_path: Path) -> None:
    """Of none a rim has no neighbours, so it is one; nothing is printed on it."""
    (tmp_path / "game.rules").write_text(RULES % ASKED["of what may be none"], "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    program = rw.load(tmp_path).program
    (turn,) = (number for number, function in enumerate(program.functions) if function.name == "turn")
    told = function_text(Optimizer(program, {"tables"}).function(turn))
    assert "(if rim(Cell.beyond(" in told


def test_what_takes_long_does_not(tmp_path: Path) -> None:
    """A few nodes for each of 20 cells, for each of 20, are worked out; they are not for each of 20 once more."""
    said = "d.row + e.row + c.row > d.column + e.column"
    short = f"query short(c: Cell) -> Int = count(d in Cell, e in {{c}} where {said})\n"
    long = f"query long(c: Cell) -> Int = count(d in Cell, e in {{e in Cell where e.row is 9}} where {said})\n"
    made = tables(tmp_path, "short(c) + long(c)", short + long)
    assert "Cell.short" in made
    assert "Cell.long" not in made


def test_there_are_not_too_many_tables(tmp_path: Path) -> None:
    """None of them takes long, but all together would."""
    condition = " and ".join(f"d.row + c.row is not {n}" for n in range(20, 26))
    many = "".join(f"query many{n}(c: Cell) -> Int = count(d in Cell where {condition}) + {n}\n" for n in range(8))
    asked = " + ".join(f"many{n}(c)" for n in range(8))
    made = {name for name in tables(tmp_path, asked, many) if name.startswith("Cell.many")}
    assert "Cell.many0" in made
    assert "Cell.many7" not in made


def test_what_masks_know_is_no_table(tmp_path: Path) -> None:
    """A condition on what is printed costs no more than its table."""
    low = "query low(c: Cell) -> Bool = c.row is 0 or c.column is 0\n"
    assert "Cell.low" not in tables(tmp_path, "1 if low(c) else 0", low)


@pytest.mark.parametrize(("again", "table"), [("d", True), ("c", False)])
def test_a_variable_is_a_member_until_another_has_its_name(again: str, table: bool) -> None:
    """The items of a list may be none, of which a rim says something else than what is printed on it."""
    program = program_of("rim(c) = Cmp('lt', Size(NeighboursOf('Board', c)), 8)")
    place = m.Slot("c", m.Ty("entity", "Cell", optional=True))
    program = replace(program, queries=tuple(replace(query, params=(place,)) for query in program.queries))
    binds = f"[Bound('c', Alive('Cell')), Bound('{again}', ListConst([3, 4]), true)]"
    before = f"Fold('count', {binds}, CallQuery('rim', [c]), none)"
    after = before.replace("CallQuery('rim', [c])", "Attr('Cell.rim', c)") if table else before
    assert written(Optimizer(program, {"tables"}).rewritten("test", read(before))) == after
