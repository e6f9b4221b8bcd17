"""A value of every type in every place where a value can stand: what the compiler lets pass both engines compute.

The operations are those of the syntax tree and of the table of built-in functions, so a new one is among them, or is
found missing by a test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product, repeat
from pathlib import Path
from random import Random
from textwrap import indent
from typing import Any, get_args

from building import c, choose, field, function, loc
from lockstep import NO_PASSES, Differs, Lockstep, Tally
from random_programs import unless
from small_rules import written
from value_forms import DATA, RULES, STATEMENTS, VALUES

import rulewright as rw
from rulewright.compiler import sources
from rulewright.compiler.driver import Compiler
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.overlays.layers import for_game
from rulewright.compiler.symbols.static_types import BUILTINS, INT, Type
from rulewright.compiler.symbols.symbols import Scope
from rulewright.diagnostics import Report
from rulewright.engine import ALL_PASSES, Passes
from rulewright.foundation.tree_fields import node_fields
from rulewright.ir import model as m
from rulewright.syntax import ast, parse
from verifier import validate


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
    infix = get_args(ast.BinaryOp)
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
    """The sample game, or another one, and what is tried in it."""

    def __init__(self, folder: Path, rules: str = RULES, data: Mapping[str, str] = DATA, players: int = 2) -> None:
        source, report = sources(rw.open_ruleset(written(folder, rules, data))), Report()
        made = for_game(source.rules, players, [], report, source.by_count)
        self.compiler = Compiler(source.ruleset, made, players, {}, report)
        self.program = self.compiler.compile(())
        if errors(report):
            raise rw.RulesetError(report.found)
        self.begin: tuple[m.Instr, ...] = ()
        """The statements before anything is tried."""

    def lowered(self, form: str, values: Sequence[str]) -> Tried:
        """A form with values: an expression is stored in a field, and of an empty set or list its size."""
        text, trees = form, [expression(value) for value in values]
        for n, value in enumerate(values):
            text = text.replace(f"_{n}", f"({value})")
        if form in STATEMENTS:
            return self._statement(text, form, trees)
        report = Report()
        with self.compiler.context.reporting_to(report):
            found = self.compiler.expressions.lower(filled(expression(form), trees), Scope())
        kind, made = found.type, found.ir
        if kind.is_collection and not kind.universe:
            kind, made = INT, m.Size(made, kind.kind == "list")
        ty = kind.run_time()
        code = (m.SetField("result", (), made), m.Return(m.Const(0)))
        return Tried(text, code, (), (field("result", ty, (), initial(ty)),), errors(report))

    def _statement(self, text: str, form: str, trees: list[ast.Expr]) -> Tried:
        report, code = Report(), FunctionBuilder("tried", "procedure", True)
        code.result = Type("int", optional=True)
        with self.compiler.context.reporting_to(report):
            self.compiler.lowering.functions.lower(code, (), filled(statements(form), trees))
        if found := errors(report):
            return Tried(text, (), (), (), found)
        made = code.assemble(repeat(0, len(code.items)), ())
        return Tried(text, made.code, made.slots, (), ())

    def tried(self, form: str, r: Random, most: int, some: bool = False) -> list[Tried]:
        """Up to so many of what the compiler lets pass, out of not too many: a form with each value in each place.

        Of three places the last gets some values beside what fits the others. Where there are `some`, one is found.
        """
        many = places(form)
        every = list(product(VALUES, repeat=min(many, 2)))
        r.shuffle(every)
        found: list[Tried] = []
        for number, values in enumerate(every):
            if many < 3 and number >= 150 * most and (found or not some):
                break
            first = self.lowered(form, (*values, *values[-1:])[:many])
            found += [] if first.codes else [first]
            if many == 3:
                others = [self.lowered(form, (*values, value)) for value in r.sample(VALUES, 8)]
                found += [one for one in others if not one.codes]
            if len(found) >= most:
                break
        return found[:most]

    def lockstep(self, tried: Sequence[Tried], passes: Passes = ALL_PASSES, of_python: Passes = NO_PASSES) -> Lockstep:
        """Both engines, on a game whose first answer says what is done; another question follows."""
        results, functions = [], []
        code: list[Any] = [*self.begin, choose("which", c(0), m.IntRange(c(0), c(len(tried) - 1)), 0, "Int")]
        for n, one in enumerate(tried):
            names = {one.name: f"{one.name}{n}" for one in one.fields}
            results += [replace(one, name=names[one.name]) for one in one.fields]
            done = [
                replace(i, field=names[i.field]) if isinstance(i, m.SetField) and i.field in names else i
                for i in one.code
            ]
            functions.append(function(f"tried{n}", done, one.slots, result=m.Ty("int", optional=True)))
            code += [
                unless(m.Cmp("eq", loc(0), c(n)), f"after{n}"),
                m.Call(f"tried{n}", (), None, f"do{n}"),
                f"after{n}",
            ]
        code += [choose("done", c(0), m.IntRange(c(0), c(1)), 0, "Int"), m.FinishWin(c(1), "play")]
        main = function("values", code, (m.Slot("which", m.Ty("int", optional=True)),))
        made = replace(
            self.program,
            fields=(*self.program.fields, *results),
            functions=(*self.program.functions, *functions, main),
            streams=tuple(
                dict.fromkeys((*self.program.streams, *(m.Stream(name) for name in self.compiler.context.streams)))
            ),
            main="values",
        )
        assert validate(made) == []
        return Lockstep(made, passes, of_python)

    def compared(
        self, tried: Sequence[Tried], seed: int = 0, passes: Passes = ALL_PASSES, of_python: Passes = NO_PASSES
    ) -> Tally:
        """Do each, on both engines, and answer what is asked a few times; what differs raises."""
        both, tally = self.lockstep(tried, passes, of_python), Tally()
        for number, one in enumerate(tried):
            try:
                tally.add(both.play(seed, 4, number))
            except Differs as difference:
                raise Differs(f"{one.text}: {difference}") from None
        return tally


def errors(report: Report) -> tuple[str, ...]:
    """The codes of what is wrong."""
    return tuple(d.code for d in report.found if d.is_error)


def initial(ty: m.Ty) -> Any:
    """A first value of a type."""
    if ty.kind == "list":
        return ()
    return m.NONE if ty.optional else max(ty.low, 0) if ty.kind == "int" else 0


__all__ = ["Everywhere", "Tried", "expression", "initial", "operations", "places", "statements"]
