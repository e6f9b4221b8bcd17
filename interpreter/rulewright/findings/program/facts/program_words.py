"""Expressions of two programs compared by their words, and closed over the locals that they read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import slots_stored
from rulewright.ir.reads import all_reads
from rulewright.ir.text import expression_text
from rulewright.ir.walk import nodes


def same_words(program: m.Program, function: str, e: m.Expr) -> str:
    """An expression as a text that is equal for the same in another program, where slots have other numbers."""
    slots = next(f for f in program.functions if f.name == function).slots
    named = re.sub(r"%(\d+)", lambda found: slots[int(found[1])].name, expression_text(e))
    return re.sub(r"_\d+\b", "", named)


def words_of(function: m.Function, e: m.Expr) -> frozenset[str]:
    """The names that stand in an expression where it is written: fields, zones, queries, locals that it asks about."""
    slots = {function.slots[node.slot].name for node in nodes(e) if isinstance(node, m.Local)}
    found = slots | {read.name for read in all_reads(e) if read.aspect in ("field", "pieces", "order", "query")}
    return frozenset(name for name in found if name.isidentifier())


def beginning(function: m.Function, pc: int, condition: m.Expr) -> int:
    """The first of the statements that are carried out one after the other before a condition is evaluated, and store
    none of the names in it."""
    targets = {to for i in function.code for to in _targets(i)}
    slots = {node.slot for node in nodes(condition) if isinstance(node, m.Local)}
    start = pc
    while start > 0 and start not in targets:
        i = function.code[start - 1]
        if not isinstance(
            i, m.SetField | m.Move | m.Call | m.Fired | m.Tell | m.Observe | m.SetLocal | m.Show | m.Flip
        ):
            break
        if set(slots_stored(i)) & slots:
            break
        start -= 1
    return start


def conditions_of(function: m.Function, wanted: Callable[[m.Expr], bool]) -> Iterator[tuple[int, m.Expr]]:
    """The conditions of ``if``, of ``each … where`` and of ``a if C else b`` in a function, without those that the
    compiler has made, and without those that are evaluated of each member of a set."""
    headers = {i.to for pc, i in enumerate(function.code) if isinstance(i, m.Jump) and i.to <= pc}
    for pc, i in enumerate(function.code):
        if isinstance(i, m.JumpUnless):
            if pc not in headers and wanted(i.condition):
                yield pc, i.condition
        elif not isinstance(i, m.Choose):
            for condition in _of_values(i):
                if wanted(condition):
                    yield pc, condition


def _of_values(i: m.Instr) -> Iterator[m.Expr]:
    for node in nodes(i):
        if isinstance(node, m.IfElse) and not any(isinstance(one, m.Var) for one in nodes(node.condition)):
            yield node.condition


def _targets(i: m.Instr) -> Iterator[int]:
    match i:
        case m.Jump(to) | m.JumpUnless(_, to):
            yield to
        case m.Choose(extras=extras, on_empty=on_empty):
            yield from (extra.to for extra in extras)
            if on_empty is not None:
                yield on_empty
        case _:
            pass
