"""Facts on expressions: where members come from, and of which universe they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_rules import written

import rulewright as rw
from rulewright.ir import facts
from rulewright.ir import model as m
from rulewright.ir.dataflow.held_pieces import source_zones

RULES = """game small
players 2

place City
edge Road
map Country: graph from "country.json" of City, edges Road
zone bag: set of Coin, seen by everyone
zone pile: stack of Coin, seen by everyone
piece Coin from "coins.json"
    worth: 1..9
field n[City]: 0..99 = 0
field order: list of City, at most 3

procedure play
    each p in players
        p chooses c from "south".neighbours
        n[c] += 1
        order = [c]
    finish with winner everyone
"""
DATA = {
    "country.json": '{"shape": "graph", "places": [{"name": "north"}, {"name": "south"}, {"name": "west"}],'
    ' "edges": [["north", "south"], ["south", "west"]]}',
    "coins.json": '{"rows": [{"worth": 1}, {"worth": 2}]}',
}
BROKEN = {
    'c in "south".neighbours: n[c] < 1': "north",
    'c in {"north"} + "south".neighbours: n[c] < 1': "north",
    'c in ("south".neighbours if n["north"] > 0 else {"west"}): n[c] < 1': "north",
    "c in {a.neighbours for a in City}: n[c] < 1": "north",
    'c in reach(from "south"): n[c] < 1': "north",
    'c in "south".neighbours, a in c.neighbours: n[c] + n[a] < 1': "north, south",
    'r in "south".borders: r is not "north"|"south"': "north|south",
    "c in {order[0]}: n[c] < 1": "north",
}
"""Members of invariants, and the one for which it does not hold when the first player has chosen north."""


@pytest.mark.parametrize("about", BROKEN)
def test_a_broken_invariant_names_the_member(about: str, tmp_path: Path) -> None:
    game = rw.load(written(tmp_path, f"{RULES}\ninvariant one for {about}\n", DATA))
    state = game.start(seed=1)
    assert game.broken_invariants(state.choose("north")) == [f"one ({BROKEN[about]})"]


SOUTH, COUNTRY = m.Const(1), "Country"
UNIVERSES: dict[m.Expr, str] = {
    m.Alive("City"): "City",
    m.Top("pile", (), m.Const(2)): "Piece",
    m.EdgesOf(COUNTRY, SOUTH): "Road",
    m.EdgeBetween(COUNTRY, SOUTH, m.Const(0)): "Road",
    m.Best(m.NeighboursOf(COUNTRY, SOUTH), "x", m.Const(1)): "City",
    m.Single(m.Old(m.ZoneGet("bag", ()))): "Piece",
    m.Sort(m.FieldGet("order", ()), "x", m.Const(1), is_list=True): "City",
    m.SetOp("minus", m.Const(3), m.Grown(COUNTRY)): "City",
    m.LetIn("x", m.Alive("Player"), m.Lowest(m.Var("x"), m.Const(2))): "Player",
    m.Collect(m.Alive("City"), "x", m.PlaceOf("City", m.Const(0))): "City",
    m.Collect(m.Kind("Coin"), "x", m.Var("x")): "Piece",
    m.Charged(3, m.Local(0)): "Road",
    m.MakeList((m.Const(2), m.Local(0))): "Road",
    m.IntRange(m.Const(1), m.Const(2)): "Int",
    m.Arith("add", SOUTH, SOUTH): "",
}


def test_universes(tmp_path: Path) -> None:
    program = rw.load(written(tmp_path, RULES, DATA)).program
    universes = facts.Universes(program)
    function = m.Function("f", "effect", 0, (m.Slot("r", m.Ty("entity", "Road")),), ())
    assert {e: universes.of(e, function) for e in UNIVERSES} == UNIVERSES


HAND = m.ZoneGet("bag", ())
LYING: dict[m.Expr, m.Expr | None] = {
    m.First(HAND): HAND,
    m.Best(HAND, "x", SOUTH): HAND,
    m.Sort(m.Filter(HAND, "x", SOUTH), "x", SOUTH): HAND,
    m.SetOp("minus", m.Lowest(HAND, SOUTH), m.Kind("Coin")): HAND,
    m.SetOp("union", HAND, HAND): None,
    m.Old(HAND): None,
    m.MakeSet((m.Single(m.Top("pile", (), SOUTH)),)): m.ZoneList("pile", ()),
}


def test_the_zone_in_which_all_pieces_of_a_collection_lie() -> None:
    assert {e: facts.lies_in(e) for e in LYING} == LYING


def test_zones_of_pieces(tmp_path: Path) -> None:
    program = rw.load(written(tmp_path, RULES, DATA)).program
    pile = m.Top("pile", (), SOUTH)
    both = m.SetOp("union", m.MakeSet((m.Item(m.ZoneList("pile", ()), SOUTH),)), m.LetIn("x", HAND, m.Var("x")))
    assert source_zones(program, both) == {"bag", "pile"}
    assert source_zones(program, m.Joined(pile, m.Leading(pile, "x", SOUTH))) == {"pile"}
    assert source_zones(program, m.Const(0)) == frozenset()
    assert source_zones(program, m.MakeSet((m.Const(0),))) is None  # a piece
