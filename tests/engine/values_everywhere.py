"""A value of every type in every place where a value can stand: what the compiler lets pass is computed by both engines.

The operations are those of the syntax tree and of the table of built-in functions, so a new one is among them, or is
found missing by a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import product, repeat
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Any, Literal, get_args

from building import c, choose, field, function, loc
from lockstep import Differs, Lockstep, Tally
from small_rules import written

import rulewright as rw
from rulewright.compiler import sources
from rulewright.compiler.driver import Compiler
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.overlays.layers import for_game
from rulewright.compiler.symbols.builtins import BUILTINS
from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.symbols.static_types import INT, Type
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.ir.verifier import validate
from rulewright.syntax import ast, parse
from rulewright.tree_fields import node_fields

RULES = """
game values_everywhere
players 2

enum Colour: red, green, blue
place Cell
edge Border
map Board: grid 3 by 3 of Cell, edges Border
place Space
map Track: ring of 5 Space
merged Region of Space
party Side: players, pirates
piece Card from "cards.json"
    worth: 1..9
    named "card {worth}"
    sides face_up, face_down
    begins in deck
piece Cube from "cubes.json"
    colour: Colour
    named "{colour} cube"
    begins in on[(1, 1)]
zone deck: stack of Card, seen by everyone
zone hand[Player]: set of Card, seen by everyone
zone on[Cell]: set of Cube, seen by everyone
zone slot[Player]: set of Card, at most 1, seen by everyone
die Die: 1 to 6
area Yard of Cell, joined across b where walled[b]

field gold[Player]: 0..99 = 3
field small: -9..9 = -2
field flag: Bool = true
field tint: Colour = green
field facing: Direction = east
field here: Cell = (1, 1)
field nowhere: Cell or none
field there: Space = "2"
field owner[Space]: Player or none
field walled[Border]: Bool
field wall: Border or none
field side: Side = pirates
field numbers: set of 0..20 = {1, 4}
field cells: set of Cell = {(0, 0), (2, 1)}
field crowd: list of Player, at most 4
field path: list of Cell, at most 4
field figures: list of 0..9, at most 4
field stood: positions of tint, at most 5

query twice(n: Int) -> Int = n + n
query paintable(t: Colour) -> Bool = possible(paint(t))
query around(c: Cell) -> set of Cell = c.neighbours
query lit(d: Direction, t: Colour) -> Bool = d is north or t is red
effect paint(t: Colour)
    tint = t
procedure play
    finish with winner players
"""
DATA = {
    "cards.json": '{"rows": [{"worth": 1, "count": 2}, {"worth": 4, "count": 2}]}',
    "cubes.json": '{"rows": [{"colour": "red", "count": 2}, {"colour": "blue"}]}',
}

VALUES = (
    # of each type one that is written out and one that is read
    "2", "small", "true", "flag", "none", "green", "tint", "north", "facing", "(0, 1)", "here", "nowhere", '"2"', "there",
    "(0, 0)|(0, 1)", "wall", "region(there)", "first(players)", "first(players).left", "pirates", "side",
    "first(deck)", "first(Cube)", "gold[first(players)]", "stood",
    "{}", "{2, 3}", "numbers", "{true}", "{red, blue}", "Direction", "{(0, 0), (0, 1)}", "cells", "Space", "{there}",
    "Border", "Region", "players", "Side", "deck", "Cube", "hand[first(players)]", "slot[first(players)]",
    "[2, -3]", "figures", "[true]", "[red]", "[north]", "[(0, 0), (1, 1)]", "path", "[there]", "[region(there)]", "crowd",
    "[first(deck)]", "[side]",
)  # fmt: skip

FORMS = (
    "-_0", "not _0", "clockwise from _0", "_0 is a Cube", "_0 is not a Card", "_0 is empty", "_0 is not empty",
    "_0 / _1 rounded up", "_0 / _1 rounded down", "_0 if _1 else _2", "{_0 .. _1}", "[_0, _1]", "{_0, _1}", "(_0, _1)",
    "{x in _0 where _1}", "{_0 for x in _1}", "{x for x in _0, y in _1}", "{x in _0 while _1}", "{x: Cube in _0 where true}",
    "count(x in _0 where _1)", "some(x in _0 where _1)", "no(x in _0 where _1)", "sum(_0 for x in _1)",
    "max(_0 for x in _1)", "min(_0 for x in _1)", "first(x in _0 where _1)", "count(_0)", "some(_0)", "no(_0)", "sum(_0)",
    "max(_0)", "min(_0)", "first(_0)", "max({_0, _1})", "count(_0 for x in _1)", "first(_0 for x in _1)",
    "best(x in _0 by _1)", "best(x in _0 where _1 by 1)", "sorted(x in _0 by _1)", "sorted(x in _0 where _1 by 1)",
    "every(x in _0 has _1)", "every(x in _0 where _1 has true)",
    "reach(from _0)", "reach(from _0 within _1)", "reach(from _0 within Cell across b where _1)",
    "reach(from _0 by x to _1)", "reach(from _0 within _1 by x to {x})",
    "_0 after paint(_1)", "_0.neighbours", "_0.borders", "_0.row", "_0.left", "_0.colour", "_0.a", "_0.members",
    "_0.other(_1)", "_0[_1]", "gold[_0]", "owner[_0]", "on[_0]", "walled[_0]",
    "twice(_0)", "around(_0)", "lit(_0, _1)", "yard(_0)", "region(_0)", "_0 in on", "possible(paint(_0))",
)  # fmt: skip
"""Expressions with places for values, but for operators and built-in functions."""

STATEMENTS = (
    "let v = _0", "var v = _0\nv = _1", "var v = _0\nv += _1", "paint(_0)", "eliminate(_0)", "record(_0)", "return _0",
    *(f"{field} {op} _0" for field in ("gold[first(players)]", "small", "flag", "tint", "here", "wall", "side", "numbers",
      "cells", "crowd", "path", "figures", "stood") for op in ("=", "+=", "-=")),
    "gold[_0] = 1", "owner[_0] = none", "gold[first(players)] = 1, small = _0", "swap tint with _0", "swap _0 with _1",
    "if _0\n    do nothing", "match _0\n    _1: do nothing\n    otherwise: small = 1",
    "each x in _0\n    small = 1", "each x in _0 where _1\n    small = 1", "each x in _0 by _1\n    small = 1",
    "each x in {1, 2}, order chosen by _0\n    small = x", "each x in _0, order chosen by first(players)\n    small = 1",
    "repeat _0 times\n    small = 1", "repeat until _0\n    stop", "repeat while true, at most _0 times\n    small = 1",
    "first(players) repeats _0 times\n    small = 1", "_0 repeats up to 2 times\n    small = 1",
    "shuffle _0", "move _0 to deck", "move _0 to _1", "move _0 of _1 to deck", "move first(deck) to hand[_0]",
    "move first(deck) to _0 on top", "move owner from _0 to _1", "draw _0 from deck to hand[first(players)]",
    "draw from _0 to _1", "draw 2 from deck to _0", "flip _0 face up", "flip _0 to face_up", "show _0 to _1", "tells \"{_0}\"",
    "merge _0 with _1", "_0 rolls Colour as n", "_0 rolls Die as n", "chance rolls _0 Die as n",
    "_0 chooses x from _1\nelse\n    do nothing", "chance chooses x from _0 where _1\nelse\n    do nothing",
    "_0 chooses exactly _1 x as xs from deck\nelse\n    do nothing", "_0 chooses either\n    option one: small = 1",
    "first(players) chooses up to _0 x as xs from _1", "first(players) chooses x from {1, 2} where _0\nelse\n    do nothing",
    "first(players) may choose x from _0\n    forbid no: _1", "each p in _0 at once\n    p chooses t from _1\neach p in players\n    small = 1",
    "forbid no: _0", "finish with winner _0", "finish ranking p in _0 by _1", "finish ranking p in players by _0 then _1",
    "first(players) chooses either\n    option one\n        forbid no: _0\n        small = 1\nelse\n    do nothing",
    "step one\n    small = 1", "first(players) chooses x from {1, 2}\nthen\n    small = x\nelse\n    do nothing",
)  # fmt: skip
"""Statements with places for values; each stands in a procedure of its own."""


@dataclass(frozen=True)
class Tried:
    """An expression or a statement, what it is compiled to, or the codes of what is wrong with it."""

    text: str
    code: tuple[m.Instr, ...]
    slots: tuple[m.Slot, ...]
    fields: tuple[m.Field, ...]
    codes: tuple[str, ...]


def operations() -> list[str]:
    """Every infix operator and every built-in function, with places for its operands."""
    (declared,) = (one.type for one in fields(ast.Binary) if one.name == "op")
    infix = get_args(eval(str(declared), {"Literal": Literal}))
    calls = [
        f"{word}({', '.join(f'_{n}' for n in range(many))})"
        for word, (fewest, most) in BUILTINS.items()
        for many in range(fewest, most + 1)
    ]
    return [*(f"_0 {op} _1" for op in infix), *calls]


@cache
def expression(text: str) -> ast.Expr:
    """The tree of an expression."""
    (query,) = parse(f"query q() -> Int = {text}\n").file.decls
    assert isinstance(query, ast.Query), text
    assert query.value is not None, text
    return query.value


@cache
def statements(text: str) -> tuple[ast.Stmt, ...]:
    """The trees of some statements."""
    (procedure,) = parse("procedure q\n" + indent(text, "    ") + "\n").file.decls
    assert isinstance(procedure, ast.Callable), text
    return procedure.body


def places(form: str) -> int:
    """The number of places in a form."""
    return sum(f"_{n}" in form for n in range(3))


def filled(node: Any, values: Sequence[ast.Expr]) -> Any:
    """A form with values in its places."""
    if isinstance(node, tuple):
        return tuple(filled(one, values) for one in node)
    if isinstance(node, ast.Name) and node.name[0] == "_":
        return values[int(node.name[1:])]
    if not hasattr(node, "span"):
        return node
    return replace(node, **{name: filled(getattr(node, name), values) for name in node_fields(type(node))})


class Everywhere:
    """The sample game, and what is tried in it."""

    def __init__(self, folder: Path) -> None:
        source, report = sources(rw.open_ruleset(written(folder, RULES, DATA))), Report()
        rules = for_game(source.rules, 2, [], report, source.by_count)
        self.compiler = Compiler(source.ruleset, rules, 2, {}, report)
        self.program = self.compiler.compile(())
        assert not report.found, report.found

    def lowered(self, form: str, values: Sequence[str]) -> Tried:
        """A form with values: an expression is stored in a field, and of an empty set or list its size."""
        text, report, trees = form, Report(), [expression(value) for value in values]
        for n, value in enumerate(values):
            text = text.replace(f"_{n}", f"({value})")
        with self.compiler.context.reporting_to(report):
            if form in STATEMENTS:
                code = FunctionBuilder("tried", "procedure", True)
                code.result = Type("int", optional=True)
                self.compiler.lowering.functions.lower(code, (), filled(statements(form), trees))
                codes = tuple(d.code for d in report.found if d.is_error)
                made = code.assemble(repeat(0, len(code.items)), ()) if not codes else None
                return Tried(text, made.code if made else (), made.slots if made else (), (), codes)
            found = self.compiler.expressions.lower(filled(expression(form), trees), Scope())
        codes = tuple(d.code for d in report.found if d.is_error)
        type, value = found.type, found.ir
        if type.is_collection and not type.universe:
            type, value = INT, m.Size(value, type.kind == "list")
        ty = type.run_time()
        code = (m.SetField("result", (), value), m.Return(m.Const(0)))
        return Tried(text, code, (), (field("result", ty, (), initial(ty)),), codes)

    def tried(self, form: str, r: Random, most: int) -> list[Tried]:
        """Up to so many of what the compiler lets pass: a form with each value in each place; of three places the last
        gets each value beside what fits the others."""
        many = places(form)
        every = list(product(VALUES, repeat=min(many, 2)))
        r.shuffle(every)
        found: list[Tried] = []
        for values in every:
            first = self.lowered(form, (*values, *values[-1:])[:many])
            found += [] if first.codes else [first]
            if many == 3:
                others = [self.lowered(form, (*values, value)) for value in r.sample(VALUES, 8)]
                found += [one for one in others if not one.codes]
            if len(found) >= most:
                break
        return found[:most]

    def lockstep(self, tried: Sequence[Tried]) -> Lockstep:
        """Both engines, on a game whose first answer says what is done; another question follows."""
        results, functions = [], []
        code: list[Any] = [choose("which", c(0), m.IntRange(c(0), c(len(tried) - 1)), 0, "Int")]
        for n, one in enumerate(tried):
            names = {one.name: f"{one.name}{n}" for one in one.fields}
            results += [replace(one, name=names[one.name]) for one in one.fields]
            done = [replace(i, field=names[i.field]) if isinstance(i, m.SetField) and i.field in names else i for i in one.code]
            functions.append(function(f"tried{n}", done, one.slots, result=m.Ty("int", optional=True)))
            code += [m.JumpUnless(m.Cmp("eq", loc(0), c(n)), f"after{n}"), m.Call(f"tried{n}", (), None, f"do{n}"), f"after{n}"]
        code += [choose("done", c(0), m.IntRange(c(0), c(1)), 0, "Int"), m.FinishWin(c(1), "play")]
        main = function("values", code, (m.Slot("which", m.Ty("int", optional=True)),))
        made = replace(
            self.program,
            fields=(*self.program.fields, *results),
            functions=(*self.program.functions, *functions, main),
            streams=tuple(dict.fromkeys((*self.program.streams, *(m.Stream(name) for name in self.compiler.context.streams)))),
            main="values",
        )
        assert validate(made) == []
        return Lockstep(made)

    def compared(self, tried: Sequence[Tried], seed: int = 0) -> Tally:
        """Do each, on both engines, and answer what is asked a few times; what differs raises."""
        both, tally = self.lockstep(tried), Tally()
        for number, one in enumerate(tried):
            try:
                tally.add(both.play(seed, 4, number))
            except Differs as difference:
                raise Differs(f"{one.text}: {difference}") from None
        return tally


def initial(ty: m.Ty) -> Any:
    """A first value of a type."""
    if ty.kind == "list":
        return ()
    return m.NONE if ty.optional else max(ty.low, 0) if ty.kind == "int" else 0


__all__ = ["FORMS", "STATEMENTS", "VALUES", "Everywhere", "Tried", "operations"]
