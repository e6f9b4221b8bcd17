"""Optimizer: the passes over the expressions of a program, in their order.

Engines ask it for what they are about to write: a query or an instruction is rewritten when it is first wanted. All
other facts about a program (who may see what, what a step costs, what can be none) is found on the program as it was
before, so that it is the same with any passes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, TypeVar

from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import costly_queries
from rulewright.ir.rule_places import RulePlaces
from rulewright.ir.transform.charges import Charges
from rulewright.ir.transform.existence_tests import Emptiness, Floods
from rulewright.ir.transform.inlining import CodeSize, Inlining, chosen_queries
from rulewright.ir.transform.masks import Masks
from rulewright.ir.transform.passes import SHARED
from rulewright.ir.transform.rays import Rays
from rulewright.ir.transform.repeats import Repeats
from rulewright.ir.transform.rewriting import Rewriter, Step
from rulewright.ir.transform.tables import Tables, made_choices, made_tables, saying_else_of_none, with_none
from rulewright.ir.transform.unswitching import Unswitching
from rulewright.ir.walk import ExprFacts, conjuncts, nodes


class Records:
    """Writes counts of blocks that are like another list."""

    name = "records"
    kinds: frozenset[type] = frozenset({m.LetIn})

    def __init__(self, fields: Iterable[m.Field], rewriter: Rewriter) -> None:
        self._room = {field.name: field.ty.capacity for field in fields if field.ty.kind == "list"}
        self._rewriter = rewriter

    def describe(self, node: m.LetIn) -> str | None:
        """The field with the blocks."""
        return node.value.field if isinstance(node.value, m.FieldGet) else ""

    def rewritten(self, node: m.LetIn) -> m.Expr:
        """The number of blocks that are like another list, where nothing else of the two is used."""
        match node:
            case m.LetIn(
                known, m.FieldGet(field) as blocks, m.LetIn(now, item, m.Fold("count", (bound,), where, None))
            ) if field in self._room and where is not None and not bound.is_list:
                number, source = bound.var, bound.source
            case m.LetIn():
                return node
        width = _width(source.of if isinstance(source, m.Charged) else source, known)
        if len({known, now, number}) < 3:
            return node
        if width < 1 or self._room[field] // width >= m.MAX_NUMBER_BITS:
            return node  # more numbers than a set holds would be an error
        first = m.Arith("mul", m.Arith("sub", m.Var(number), m.Const(1)), m.Const(width))
        alike = [
            m.Cmp("eq", m.Item(m.Var(known), m.Arith("add", first, m.Const(at))), m.Item(m.Var(now), m.Const(at)))
            for at in range(width)
        ]
        if conjuncts(where) != alike or any(isinstance(one, m.Var) and one.name == known for one in nodes(item)):
            return node
        found: m.Expr = m.Occurrences(blocks, item, width)
        if isinstance(source, m.Charged):  # it costs what the loop did
            found = m.LetIn(known, blocks, m.LetIn(number, source, m.Occurrences(m.Var(known), item, width)))
        return self._rewriter.moved(node, found)


def _width(numbers: m.Expr, blocks: str) -> int:
    """The items of each block of a list, if some numbers are those of its whole blocks, from 1; else 0."""
    match numbers:
        case m.IntRange(m.Const(1), m.Arith("div_down", m.Size(m.Var(name), True), m.Const(width))) if name == blocks:
            return width
        case _:
            return 0


N = TypeVar("N")
_LATE = 2
"""So many of the last walks are not made of queries that are written where they are called."""
Walk = Mapping[type, tuple[Step, ...]]
"""Passes that go through an expression together: for each kind of nodes those that are about it."""


class Optimizer:
    """One program, and what the passes make of its parts."""

    def __init__(self, program: m.Program, passes: Collection[str] = SHARED, more: Collection[str] = ()) -> None:
        """Optimize with some passes; the queries in `more` are memoized too."""
        self.program, self._passes, self._more = program, passes, more
        self._rewriter = Rewriter()
        self.origin = self._rewriter.origin
        """The query whose body an expression is that is written where it was called; else an empty text."""
        self._bodies = {q.name: q for q in program.queries}
        self.charges = Charges(program)
        """The costs of everything, which are written into the program before any pass."""
        self.facts = ExprFacts(self.charges)
        self._bodies_inlined: dict[str, m.QueryDef] = {}
        self._queries: dict[str, m.QueryDef] = {}
        self._instructions: dict[tuple[int, int], m.Instr] = {}
        self._places, self._rules_of = RulePlaces(program), dict[int, list[str]]()
        self.done: Counter[tuple[str, str, str]] = Counter()
        """Rule, pass, and what the pass was done to (or nothing): how often."""

    @cached_property
    def _remembered(self) -> Container[str]:
        return costly_queries(self.program, self._more)

    @cached_property
    def _made_tables(self) -> Mapping[str, m.Table]:
        """The tables of queries, with what these say of none at their ends."""
        made = made_tables(self.program, self._remembered) if "tables" in self._passes else {}
        return {name: table for name, table in made.items() if not self.charges.pays(name)}

    @cached_property
    def _made_choices(self) -> Mapping[str, tuple[m.QueryDef, tuple[m.Table, ...]]]:
        """The queries that choose between tables, and these."""
        if "tables" not in self._passes:
            return {}
        found = made_choices(self.program, self._remembered, {table.name for table in self.program.tables})
        found = {name: choice for name, choice in found.items() if not self.charges.pays(name)}
        made = self._made_tables
        for name in saying_else_of_none(self.program, made):
            if made[name].ty.kind == "set":
                found[name] = with_none(self._bodies[name], made[name]), ()
        return found

    @cached_property
    def tables(self) -> Mapping[str, m.Table]:
        """All tables: of what is printed, and those that passes make."""
        made = [*self._made_tables.values(), *(one for _, tables in self._made_choices.values() for one in tables)]
        made = [replace(table, values=table.values[:-1]) for table in made]
        return {table.name: table for table in (*self.program.tables, *made)}

    @cached_property
    def size(self) -> CodeSize:
        """The sizes of queries and expressions."""
        return CodeSize(self._bodies, self._remembered)

    @cached_property
    def _walks(self) -> tuple[Walk, ...]:
        """The passes that are made, in their order: masks make other expressions of the filters of which emptiness asks
        less."""
        made: dict[str, Callable[[], Step]] = {
            "tables": lambda: Tables(self.program, self._made_tables, self._rewriter),
            "inlining": lambda: Inlining(
                chosen_queries(self.program, self.size, self._remembered), self._rewriter, self.facts, self._inlined
            ),
            "emptiness": lambda: Emptiness(self.tables, self._rewriter, self.facts),
            "floods": lambda: Floods(self._rewriter, self.facts),
            "rays": lambda: Rays(self.program.graphs, self._rewriter, self.facts),
            "records": lambda: Records(self.program.fields, self._rewriter),
            "unswitching": lambda: Unswitching(self._rewriter, self.facts),
            "masks": lambda: Masks(self.program, self.tables, self._rewriter, self.facts),
            "repeats": lambda: Repeats(self._rewriter, self.facts),
        }
        walks: tuple[tuple[str, ...], ...] = (("tables",), ("inlining",), ("emptiness",))
        walks += (("floods", "rays", "records"), ("unswitching",), ("masks",), ("repeats",))
        return tuple(_by_kind([made[name]() for name in names if name in self._passes]) for names in walks)

    def _inlined(self, name: str) -> m.QueryDef:
        """A query as it is written where it is called: without masks, as those who call it may ask less of it."""
        if name not in self._bodies_inlined:
            query, _ = self._made_choices.get(name, (self.charges[name], ()))
            if name in self._made_choices:
                self.done[name, "tables", name] += 1
            self._bodies_inlined[name] = self._made(query, self._walks[:-_LATE])
        return self._bodies_inlined[name]

    def query(self, name: str) -> m.QueryDef:
        """A query with another body."""
        if name not in self._queries:
            self._queries[name] = self._made(self._inlined(name), self._walks[-_LATE:])
        return self._queries[name]

    def _made(self, query: m.QueryDef, walks: tuple[Walk, ...]) -> m.QueryDef:
        body = self._after(walks, query.name, query.body)
        return query if body is query.body else replace(query, body=body)

    def instruction(self, function: int, pc: int) -> m.Instr:
        """An instruction with other expressions."""
        key = function, pc
        if key not in self._instructions:
            self._instructions[key] = self.rewritten(
                self._rules(function)[pc], self.charges.code(self.program.functions[function].name)[pc]
            )
        return self._instructions[key]

    def _rules(self, function: int) -> list[str]:
        """The rule to which each instruction of a function belongs."""
        if function not in self._rules_of:
            self._rules_of[function] = self._places.of(self.program.functions[function])
        return self._rules_of[function]

    def function(self, number: int) -> m.Function:
        """A function with other expressions in its instructions."""
        declared = self.program.functions[number]
        code = tuple(self.instruction(number, pc) for pc in range(len(declared.code)))
        same = all(a is b for a, b in zip(code, declared.code, strict=True))
        return declared if same else replace(declared, code=code)

    @cached_property
    def whole(self) -> m.Program:
        """The whole program."""
        queries = tuple(self.query(q.name) for q in self.program.queries)
        functions = tuple(map(self.function, range(len(self.program.functions))))
        areas = tuple(replace(a, across=self.rewritten(f"area {a.name}", a.across)) for a in self.program.areas)
        tables = tuple(self.tables.values())
        return replace(self.program, queries=queries, functions=functions, areas=areas, tables=tables)

    def rewritten(self, rule: str, node: N) -> N:
        """An expression or instruction of a rule after all passes."""
        return self._after(self._walks, rule, node)

    def _after(self, walks: tuple[Walk, ...], rule: str, node: N) -> N:
        """A node after some of the passes."""
        there = frozenset(map(type, nodes(node)))
        for steps in walks:
            if not steps.keys().isdisjoint(there):
                before, node = node, self._rewriter.rebuilt(node, steps, partial(self._changed, rule, steps))
                there = there if node is before else frozenset(map(type, nodes(node)))
        return node

    def _changed(self, rule: str, steps: Walk, node: Any) -> Any:
        """The node that passes make of another, which is noted if it is worth telling."""
        for step in steps[type(node)]:
            found = step.rewritten(node)
            if found is not node:
                if (what := step.describe(node)) is not None:
                    self.done[rule, step.name, what] += 1
                return self._changed(rule, steps, found) if type(found) in steps else found
        return node


def _by_kind(steps: Collection[Step]) -> Walk:
    kinds = {kind for step in steps for kind in step.kinds}
    return {kind: tuple(step for step in steps if kind in step.kinds) for kind in kinds}
