"""Floods that are only asked whether they come to a place stop at the first; games are the same with and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulewright as rw
from program_texts import rewritten

FLOOD = "ReachFrom('Board', $0, Alive('Cell'), none, none)"
OWN = "Cmp('eq', FieldGet('owner', [c]), 1)"
ROW = "Cmp('eq', Attr('Cell.row', c), 3)"
WRONG = "Cmp('eq', Arith('div_down', 1, $0), 1)"
SAME, OTHER = "Cmp('eq', found, asked)", "Cmp('eq', found1, found)"
CLOSURE = "Closure('Cell', $0, none, 'x', NeighboursOf('Board', x))"


def flood(start: str) -> str:
    """All places around another one."""
    return f"ReachFrom('Board', {start}, none, none, none)"


def fold(kind: str, source: str, where: str = OWN, body: str = "none") -> str:
    """A question about the places of a set."""
    return f"Fold('{kind}', [Bound('c', {source})], {where}, {body})"


def reaches(where: str, source: str = FLOOD, var: str = "c") -> str:
    """The question whether a flood comes to a place."""
    return f"Reaches({source}, '{var}', {where})"


BEFORE_AND_AFTER = {
    "some": (fold("some", FLOOD), reaches(OWN)),
    "no": (fold("no", FLOOD), f"Not({reaches(OWN)})"),
    "every": (fold("every", FLOOD, "none", OWN), f"Not({reaches(f'Not({OWN})')})"),
    "every one for which something holds": (
        fold("every", FLOOD, ROW, OWN),
        f"Not({reaches(f'And([{ROW}, Not({OWN})])')})",
    ),
    "a count is made": (fold("count", FLOOD), fold("count", FLOOD)),
    "a set that is empty": (
        f"Cmp('eq', Size(Filter({FLOOD}, 'c', {OWN})), 0)",
        f"Not({reaches(OWN)})",
    ),
    "members of members": (
        fold("some", f"Filter({FLOOD}, 'd', {ROW.replace('c)', 'd)')})"),
        reaches(f"And([{ROW}, {OWN}])"),
    ),
    "what it has in common with a set": (
        fold("some", f"SetOp('inter', $1, {FLOOD})"),
        reaches(f"And([Contains($1, c), {OWN}])"),
    ),
    "what a set has not": (
        fold("some", f"SetOp('minus', {FLOOD}, $1)"),
        reaches(f"And([Not(Contains($1, c)), {OWN}])"),
    ),
    "a place that is known": (f"Contains({FLOOD}, $1)", reaches("Cmp('eq', found, $1)", var="found")),
    "one that is worked out": (
        f"Contains({FLOOD}, PlaceOf('Cell', $1))",
        f"LetIn('asked', PlaceOf('Cell', $1), {reaches(SAME, var='found')})",
    ),
    "steps that an expression tells": (fold("some", CLOSURE), reaches(OWN, CLOSURE)),
    "two members": (
        f"Fold('some', [Bound('c', {FLOOD}), Bound('d', NeighboursOf('Board', c))], {OWN}, none)",
        reaches(f"Fold('some', [Bound('d', NeighboursOf('Board', c))], {OWN}, none)"),
    ),
    "what can be an error is made whole": (fold("some", FLOOD, WRONG), fold("some", FLOOD, WRONG)),
    "one flood for all of a loop": (
        f"Fold('count', [Bound('d', Alive('Cell'))], Contains({FLOOD}, d), none)",
        f"Fold('count', [Bound('d', Alive('Cell'))], Contains({FLOOD}, d), none)",
    ),
    "one flood for each of a loop": (
        f"Fold('count', [Bound('d', Alive('Cell'))], {fold('some', flood('d'))}, none)",
        f"Fold('count', [Bound('d', Alive('Cell'))], {reaches(OWN, flood('d'))}, none)",
    ),
    "a name that is taken": (
        f"Fold('count', [Bound('found', Alive('Cell'))], Contains({flood('found')}, found), none)",
        f"Fold('count', [Bound('found', Alive('Cell'))], {reaches(OTHER, flood('found'), 'found1')}, none)",
    ),
}


@pytest.mark.parametrize("what", BEFORE_AND_AFTER)
def test_first_place_decides(what: str) -> None:
    before, after = BEFORE_AND_AFTER[what]
    assert rewritten(before, passes=("emptiness", "floods")) == after


def test_no_name_hides_another_one() -> None:
    """The condition of the inner members is about the outer one of the same name."""
    like = f"Filter({FLOOD}, 'd', Cmp('eq', Attr('Cell.row', d), Attr('Cell.row', c)))"
    asked = fold("count", "Alive('Cell')", fold("some", like))
    assert rewritten(asked, passes=("floods",)) == asked


def test_conditions_of_all_places_at_once_come_first() -> None:
    asked = reaches(f"And([{OWN}, {ROW}])")
    mask = "Contains(Preimage('Cell.row', 3), c)"
    assert rewritten(asked, passes=("masks",)) == reaches(f"And([{mask}, {OWN}])")


RULES = """\
game small
players 2
place Cell
edge Gap
map Board: grid 6 by %d of Cell, edges Gap
field man[Cell]: Player or none
field shut[Gap]: Bool
field x[Player]: Int = 0
query own(p: Player) -> set of Cell = {d in Cell where man[d] is p}
query open(c: Cell) -> set of Cell = reach(from c across g where not shut[g])
query mine(c: Cell) -> set of Cell = reach(from c within own(man[c]) across g where not shut[g])
query step(c: Cell) -> set of Cell = {d in c.neighbours where man[d] is not none}
procedure play
    repeat 5 times
        each p in players
            turn(p)
    finish ranking p in players by x[p]
procedure turn(p: Player)
    p chooses c from Cell where man[c] is none
    man[c] = p
    p chooses g from Gap where not shut[g]
    shut[g] = true
    x[p] += count(c in Cell where c.column < 2 and %s)
effect wall(c: Cell)
    if towards(c, east) is not none then shut[c|towards(c, east)] = true
"""
ASKED = {
    "the first row": "some(d in open(c) where d.row is 0)",
    "the last row": "some(d in open(c) where d.row is 5)",
    "a row that no stone has": "some(d in mine(c) where d.row is x[p])",
    "a man": "some(d in open(c) where man[d] is p and d.column > 1)",
    "a man beside": "no(d in mine(c), e in d.neighbours where man[e] is p.left)",
    "only men": "every(d in mine(c) has d.column < 2)",
    "one place": "(2, 2) in open(c)",
    "a place that may be none": "towards(c, east, 3) in open(c)",
    "a start that may be none": "some(d in open(towards(c, south)) where d.row is 1)",
    "after something": "some(d in open(c) where d.row is 3) after wall(c)",
    "over places": "some(d in reach(from c by e to step(e)) where d.row is 2)",
    "to a man": "no(d in reach(from c within {e in Cell where man[e] is none}) where man[d] is p)",
}


@pytest.mark.parametrize("columns", [5, 12])
@pytest.mark.parametrize("what", ASKED)
def test_games_are_the_same(tmp_path: Path, what: str, columns: int) -> None:
    rules = RULES % (columns, ASKED[what])
    (tmp_path / "game.rules").write_text(rules, "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}))
    ends = [rw.load(tmp_path, engine="python", passes=passes).playouts(4) for passes in ("all", "-floods")]
    ends += [rw.load(tmp_path, engine="native", passes=p).playouts(4) for p in ("all", "-floods", "floods", "-masks")]
    assert all(end == ends[0] for end in ends)
