"""An oracle of the passes: expressions mean the same after each pass alone, and after all, as before any pass.

What an expression means is found out on the program as the compiler writes it, by the second evaluator, which no pass
comes near; so is what a pass over the program has made of it. Machine code with all its passes, and with one alone, is
compared in lockstep with Python code of a program on which no pass was made. What differs is made smaller.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from building import c, function
from lockstep import Differs
from oracle import Oracle, Wrong
from oracle_world import Value, bits, world
from playground import random_value
from random_expressions import DATA, ENTITIES, MEMBERS, RULES, WRITTEN, Expressions, Tree
from values_everywhere import Everywhere, Tried, expression, initial

import rulewright as rw
from rulewright.compiler.symbols.static_types import Type, stand_in
from rulewright.compiler.symbols.symbols import Binding, Scope
from rulewright.diagnostics import Report
from rulewright.engine import ALL_PASSES, PASSES, Position
from rulewright.ir import model as m
from rulewright.ir.transform.optimizer import Optimizer
from rulewright.ir.transform.passes import FIRST, SHARED
from rulewright.ir.walk import nodes

QUERIES, POSITIONS, VALUATIONS = 10, 2, 4
"""The random queries that the expressions of a program call, the positions in which these are evaluated, and how often
in each with other values of the names that are given."""
GIVEN: Mapping[str, str] = {f"{begin}{number}": kind for kind, begin in MEMBERS.items() for number in range(5)}
"""Names that expressions may ask, by their types: so each part of an expression is one by itself."""
LEAST = 3
"""A part of so many productions, or more, is compared by itself, too."""
MOST_WORK = 20_000
"""Nodes that are evaluated for one answer, at most: expressions that take more are left out, as loops nested deeply
would take as long as thousands of others. After a pass an expression may take so many times :data:`LONGER`."""
LONGER = 20
MOST_GIVEN = 4
"""A number that is given is less."""
KINDS = (
    "Bool",
    "Bool",
    "Int",
    "Tally",
    *ENTITIES,
    *(f"{{{kind}}}" for kind in MEMBERS),
    *(f"{{{kind}}}" for kind in ENTITIES),
)
"""The types of the expressions; sets are twice as frequent."""
DEPTHS = (1, 1, 1, 2, 2, 2, 3, 3)
OF_MACHINE_CODE = tuple(one.name for one in PASSES if one.name not in SHARED)


TOO_LONG = "too long"


class TooLong(Exception):
    """An answer takes more nodes than are allowed."""


class Bounded(Oracle):
    """An evaluator that gives up after some nodes for one answer."""

    left = 0

    def value(self, e: m.Expr, env: dict[str, Value]) -> Value:
        """The value of a node; raises TooLong."""
        self.left -= 1
        if self.left < 0:
            raise TooLong
        return super().value(e, env)


@dataclass
class Figures:
    """The results of some programs."""

    expressions: int = 0
    refused: int = 0
    """Those that the compiler does not let pass."""
    too_long: int = 0
    """Those whose answers take too many nodes."""
    changed: Counter[str] = field(default_factory=Counter)
    """For each pass over the program the expressions of which it made others."""
    compared: Counter[str] = field(default_factory=Counter)
    """For each set of passes the expressions that were evaluated by machine code."""

    def add(self, other: Figures) -> None:
        """Take in others."""
        self.expressions += other.expressions
        self.refused += other.refused
        self.too_long += other.too_long
        self.changed += other.changed
        self.compared += other.compared


class Batch:
    """Some expressions of one program with queries of its own, which are given or random, and positions of it; all
    follow from a seed."""

    def __init__(self, folder: Path, seed: int, count: int, given: Mapping[str, str] | None = None) -> None:
        self.random = r = Random(seed)
        self.maker = Expressions(r)
        self.queries = dict(given) if given is not None else self._queries(folder)
        self.game = Everywhere(folder, self._rules(), DATA, 3)
        laid = tuple(function(f"lay {n}", list(_laid(self.game.program, r))) for n in range(POSITIONS))
        self.game.program = replace(self.game.program, functions=(*self.game.program.functions, *laid))
        self.game.begin = (m.Call("lay 0", (), None, "lay"),)
        self.worlds = [world(Position(self.game.program).enter(one.name)) for one in laid]
        members = {name: self._members(kind) for name, kind in GIVEN.items()}
        self.values = [{name: r.choice(some) for name, some in members.items()} for _ in range(VALUATIONS)]
        self.scope = Scope({name: Binding(m.Var(name), _type(kind)) for name, kind in GIVEN.items()})
        self.figures = Figures()
        self.trees: dict[str, Tree] = {}
        self.bodies: dict[str, m.QueryDef] = {}
        while len(self.trees) < count:
            names = {f"{MEMBERS[kind]}0": kind for kind in r.sample(list(MEMBERS), r.randrange(4))}
            whole = self.maker.of(r.choice(KINDS), r.choice(DEPTHS), names)
            for tree in dict.fromkeys((whole, *whole.inside())):
                if tree is whole or (tree.size >= LEAST and tree not in self.trees.values()):
                    self._take(tree)

    def _take(self, tree: Tree) -> None:
        name = f"e{len(self.trees)}"
        if (made := self.lowered(tree, name)) is None:
            self.figures.refused += 1
        else:
            self.trees[name], self.bodies[name] = tree, made

    def _queries(self, folder: Path) -> dict[str, str]:
        """Random queries by name, those that the compiler lets pass."""
        self.queries, r = dict[str, str](), self.random
        for number in range(QUERIES):
            kind, name = r.choice(KINDS), f"q{number}"
            params = [r.choice(list(MEMBERS)) for _ in range(r.choice((0, 1, 1, 2)))]
            names = {f"{MEMBERS[one]}{n + 1}": one for n, one in enumerate(params)}
            types = {known: WRITTEN.get(one, one) for known, one in names.items()}
            written = ", ".join(f"{known}: {one}{r.choice(('', ' or none'))}" for known, one in types.items())
            of = WRITTEN.get(one := kind.strip("{}"), one)
            optional = of if kind in ("Bool", "Tally") else f"{of} or none"
            ty = f"set of {of}" if kind[0] == "{" else optional
            maker = self.maker.printed() if r.random() < 0.4 else self.maker
            body = maker.of(kind, r.choice(DEPTHS[:-1]), names)
            before = dict(self.queries)
            self.queries[name] = f"query {name}({written}) -> {ty} = {body}"
            try:
                Everywhere(folder, self._rules(), DATA, 3)
            except rw.RulesetError:
                self.queries = before
            else:
                self.maker.declare(name, params, kind)
        return self.queries

    def _rules(self) -> str:
        return RULES + "\n".join(self.queries.values()) + "\n"

    def lowered(self, tree: Tree, name: str) -> m.QueryDef | None:
        """A query of an expression; None if the compiler does not let it pass."""
        report, compiler = Report(), self.game.compiler
        with compiler.context.reporting_to(report):
            found = compiler.expressions.lower(expression(str(tree)), self.scope)
        wrong = any(one.is_error for one in report.found) or (found.type.is_collection and not found.type.universe)
        asked = {node.name for node in nodes(found.ir) if isinstance(node, m.Var)}
        params = tuple(m.Slot(given, _type(kind).run_time()) for given, kind in GIVEN.items() if given in asked)
        return None if wrong else m.QueryDef(name, params, found.type.run_time(), found.ir)

    def _members(self, kind: str) -> list[int]:
        """The values of a name that is given."""
        program = self.game.program
        sizes = {one.name: one.size for one in program.universes} | {"Int": MOST_GIVEN}
        kinds = {one.name: sorted(bits(one.members)) for one in program.kinds}
        kinds["Target"] = kinds["Card"] + kinds[stand_in("Player")]
        return kinds.get(kind) or list(range(sizes[kind]))

    # ---------------------------------------------------------------------------------------- passes over the program

    def program(self, bodies: Collection[m.QueryDef]) -> m.Program:
        """The program with some expressions as queries."""
        return replace(self.game.program, queries=(*self.game.program.queries, *bodies))

    def oracles(self, program: m.Program) -> list[Bounded]:
        """Evaluators of a program, one for each position."""
        return [Bounded(replace(one, program=program)) for one in self.worlds]

    def answers(self, oracles: Sequence[Bounded], name: str, most: int = MOST_WORK * LONGER) -> list[Any]:
        """The answers of a query in each position, with all values of what it is asked about."""
        query = oracles[0].queries[name]
        values = self.values if query.params else self.values[:1]
        return [_answer(oracle, query, one, most) for oracle in oracles for one in values]

    def expected(self) -> dict[str, list[Any]]:
        """The answers of all expressions before any pass. Those that take too long are dropped."""
        before, found = self.oracles(self.program(self.bodies.values())), dict[str, list[Any]]()
        for name in list(self.bodies):
            found[name] = self.answers(before, name, MOST_WORK)
            if TOO_LONG in found[name]:
                del self.bodies[name], self.trees[name]
                self.figures.too_long += 1
        self.figures.expressions = len(self.trees)
        return found

    def differs(self, body: m.QueryDef, passes: Collection[str]) -> str:
        """The answers of an expression before and after some passes, if they are not the same."""
        program = self.program([body])
        after = Optimizer(program, passes).whole
        one, two = (self.answers(self.oracles(made), body.name) for made in (program, after))
        return "" if one == two else f"{one} before, {two} after"

    def compare(self) -> Figures:
        """Each expression before and after each pass over the program, and all of them."""
        expected = self.expected()
        program = self.program(self.bodies.values())
        for passes in (*(frozenset({one.name}) for one in FIRST), SHARED):
            after = Optimizer(program, passes).whole
            oracles, queries = self.oracles(after), {one.name: one for one in after.queries}
            named = next(iter(passes)) if len(passes) == 1 else "all"
            for name, body in self.bodies.items():
                if queries[name].body == body.body:
                    continue
                self.figures.changed[named] += 1
                if self.answers(oracles, name) != expected[name]:
                    self._tell(self.trees[name], named, partial(self.differs, passes=passes))
        return self.figures

    # ---------------------------------------------------------------------------------------- engines

    def lockstep(self, alone: str = "") -> Figures:
        """Machine code with all passes, or one `alone`, and Python code without any."""
        passes = frozenset({alone}) if alone else ALL_PASSES
        tried = {name: self._tried(body) for name, body in self.bodies.items()}
        both = self.game.lockstep(list(tried.values()), passes)
        for number, name in enumerate(tried):
            try:
                both.play(0, 4, number)
            except Differs:
                self._tell(self.trees[name], alone or "all", lambda body: self._parted(body, passes))
        self.figures.compared[alone or "all"] += len(tried)
        return self.figures

    def _parted(self, body: m.QueryDef, passes: Collection[str]) -> str:
        """The answers of both engines that differ."""
        try:
            self.game.compared([self._tried(body)], 0, frozenset(passes))
        except Differs as difference:
            return str(difference)
        return ""

    def _tried(self, body: m.QueryDef) -> Tried:
        """An expression that is stored, with the first values of what is given."""
        made = body.body
        for name in (slot.name for slot in body.params):
            made = m.LetIn(name, c(self.values[0][name]), made)
        code = (m.SetField("result", (), made), m.Return(c(0)))
        return Tried("", code, (), (m.Field("result", (), (), body.ty, initial(body.ty), ()),), ())

    # ---------------------------------------------------------------------------------------- telling

    def _tell(self, tree: Tree, passes: str, differs: Callable[[m.QueryDef], str]) -> None:
        """Raise Differs with the least expression that still differs."""

        def told(tree: Tree) -> str:
            body = self.lowered(tree, "e")
            return "" if body is None else differs(body)

        least = shrunk(tree, lambda tree: bool(told(tree)))
        called = [
            text for name, text in self.queries.items() if f"{name}(" in "\n".join([str(least), *self.queries.values()])
        ]
        raise Differs("\n".join([f"passes {passes}: {least}", f"  is {told(least)}", *called]))


def shrunk(tree: Tree, holds: Callable[[Tree], bool]) -> Tree:
    """A tree in which nothing can be made less so that something still holds."""
    while True:
        less = next((one for one in tree.smaller() if one.size < tree.size and holds(one)), None)
        if less is None:
            return tree
        tree = less


def _answer(oracle: Bounded, query: m.QueryDef, values: Mapping[str, int], most: int) -> Any:
    """A value, or the code of an error."""
    oracle.left = most
    try:
        found = oracle.value(query.body, dict(values))
    except Wrong as wrong:
        return str(wrong)
    except TooLong:
        return TOO_LONG
    except KeyError as unbound:
        return f"{unbound} is no variable there"
    return sorted(bits(found) if isinstance(found, int) else found) if query.ty.kind == "set" else found


def _type(kind: str) -> Type:
    """The type of a name that is given."""
    if kind == "Int":
        return Type("int", low=0, high=MOST_GIVEN - 1)
    kinds = {"Card": ("Card",), "Cube": ("Cube",), "Target": ("Card", stand_in("Player"))}.get(kind)
    return Type("entity", kind) if kinds is None else Type("entity", "Piece", kinds)


def _laid(program: m.Program, r: Random) -> Iterator[m.Instr]:
    """Instructions that throw pieces and values about."""
    sizes = {one.name: one.size for one in program.universes}
    kinds = {one.name: one.members for one in program.kinds}
    for piece in r.sample(range(sizes["Piece"]), sizes["Piece"]):
        zones = [one for one in program.zones if any(kinds[kind] >> piece & 1 for kind in one.kinds)]
        if zones and r.random() < 0.8:
            zone = r.choice(zones)
            yield m.Move(m.Const(1 << piece), False, zone.name, tuple(c(r.randrange(sizes[one])) for one in zone.index))
    for declared in program.fields:
        for keys in product(*(range(sizes[one]) for one in declared.index)):
            if r.random() < 0.7 and not declared.is_internal:
                value = random_value(declared.ty, sizes, r)
                stored = m.ListConst(value) if declared.ty.kind == "list" else c(value)
                yield m.SetField(declared.name, tuple(map(c, keys)), stored)
    yield m.Return(None)


def tried(seed: int, count: int, engines: bool = False) -> Figures:
    """The expressions of one program, compared."""
    with TemporaryDirectory() as folder:
        batch = Batch(Path(folder), seed, count)
        batch.compare()
        if engines:
            batch.lockstep()
            batch.lockstep(OF_MACHINE_CODE[seed % len(OF_MACHINE_CODE)])
        return batch.figures


__all__ = ["Batch", "Figures", "tried"]
