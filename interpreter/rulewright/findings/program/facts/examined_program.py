"""A program that is examined, with the facts that several analyses ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import callees
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.reads import all_reads
from rulewright.ir.transform.rewriting import Rewriter, substituted
from rulewright.ir.walk import nodes


class ExaminedProgram:
    """A program and what is known of it."""

    def __init__(self, program: m.Program) -> None:
        self.program = program
        self.functions = {f.name: f for f in program.functions}
        self.fields = {f.name: f for f in program.fields}
        self.tables = {t.name: t for t in program.tables}
        self.queries = {q.name: q for q in program.queries}
        self._closures: dict[str, tuple[m.Function, ...]] = {}

    @cached_property
    def effects(self) -> EffectAnalysis:
        """The reads and writes of its parts."""
        return EffectAnalysis.of(self.program)

    def closure(self, function: str) -> tuple[m.Function, ...]:
        """A function with all that it calls, directly or not."""
        if function not in self._closures:
            found, waiting = dict[str, m.Function](), [function]
            while waiting:
                name = waiting.pop()
                if name not in found and name in self.functions:
                    found[name] = self.functions[name]
                    waiting += callees(self.functions[name])
            self._closures[function] = tuple(found.values())
        return self._closures[function]

    def used_by(self, name: str) -> frozenset[str]:
        """A function or query with all functions and queries that it uses, directly or not."""
        found, waiting = set[str](), [name]
        while waiting:
            one = waiting.pop()
            if one in found:
                continue
            found.add(one)
            if one in self.functions:
                code = self.functions[one].code
                waiting += callees(self.functions[one])
                waiting += (query for i in code for query in queries_in(i))
            elif one in self.queries:
                waiting += queries_in(self.queries[one].body)
        return frozenset(found)

    def asks_for(self, part: object, field: str) -> bool:
        """True if a part of the program reads a field, itself or through what it asks."""
        token = f"field {field}"
        reads_of = (node for node in nodes(part) if isinstance(node, m.FieldGet | m.CallQuery | m.Component | m.After))
        return any(token in self.effects.reads(node) for node in reads_of)

    def carried_out(self, code: tuple[m.Instr, ...]) -> Iterator[m.Instr]:
        """Some instructions with those of all functions that they call."""
        seen = set[str]()
        for i in code:
            yield i
            if isinstance(i, m.Call) and i.function not in seen:
                seen.add(i.function)
                for function in self.closure(i.function):
                    yield from function.code


def conjuncts(e: m.Expr) -> tuple[m.Expr, ...]:
    """The conditions that must all hold for one to hold."""
    return tuple(part for item in e.items for part in conjuncts(item)) if isinstance(e, m.And) else (e,)


def disjuncts(e: m.Expr) -> tuple[m.Expr, ...]:
    """The conditions of which one must hold."""
    return tuple(part for item in e.items for part in disjuncts(item)) if isinstance(e, m.Or) else (e,)


def put(e: m.Expr, given: Mapping[str, m.Expr]) -> m.Expr:
    """An expression with others in the place of some variables."""
    return substituted(Rewriter(), e, given)


def is_field(e: m.Expr, name: str) -> bool:
    """True of the value of a field, of whatever keys."""
    return isinstance(e, m.FieldGet) and e.field == name


def queries_in(e: object) -> frozenset[str]:
    """The queries that are evaluated in an expression itself."""
    return frozenset(node.query for node in nodes(e) if isinstance(node, m.CallQuery))


def names_in(e: object) -> frozenset[str]:
    """The fields and zones that are read in an expression itself."""
    return frozenset(read.name for read in all_reads(e) if read.aspect in ("field", "pieces", "order"))
