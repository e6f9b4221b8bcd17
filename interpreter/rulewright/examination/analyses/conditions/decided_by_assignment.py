"""EXM102: a condition that is asked behind an assignment which decides it; EXM156: one that is taken back at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.diagnostics import Span
from rulewright.examination.examined_program import ExaminedProgram, conjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import same_words, words_of
from rulewright.examination.playing.straight_line import beginning, conditions_of
from rulewright.examination.symbolic_truth import SymbolicTruth
from rulewright.foundation.tree_fields import below
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import slots_stored
from rulewright.ir.rule_places import statement_at
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def decided_by_assignments(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A field is set, and then it is asked for what it cannot be, or surely is, with that value: whoever it belonged
    to before is overwritten. Within a stretch of statements that are carried out one after the other."""
    for function in examined.functions.values():
        truth = SymbolicTruth(examined, function)
        for pc, condition in conditions_of(function, lambda _: True):
            for part in conjuncts(condition):
                i = _setting(examined, function, pc, part)
                if i is None or truth.of(part) is not None:
                    continue
                found = truth.of(_with(part, i))
                if found is not None:
                    verb = "always holds" if found else "can never hold"
                    yield Suspect(
                        "EXM102",
                        function.name,
                        f"{i.field} {same_words(examined.program, function.name, part)}",
                        f"this condition {verb}: `{i.field}` was set just before",
                        "ask it before that",
                        kinds=(ast.Branch,) if isinstance(function.code[pc], m.JumpUnless) else (ast.IfElse,),
                        words=words_of(function, part),
                        span=_place(examined.program, function, pc),
                    )


def taken_back(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A number is raised, and lowered by the same amount at once, or the other way round."""
    for function in examined.functions.values():
        truth = SymbolicTruth(examined, function)
        for pc, second in enumerate(function.code):
            if not isinstance(second, m.SetField) or not isinstance(second.value, m.Arith):
                continue
            first = _setting(examined, function, pc, second.value)
            if first is None or (first.field, first.index) != (second.field, second.index):
                continue
            at = max(before for before in range(pc) if function.code[before] is first)
            if any(_counts_for(examined, i, second.field) for i in function.code[at + 1 : pc]):
                continue  # for so long it counts
            before = m.FieldGet(first.field, first.index)
            after = truth.number(_with(second.value, first))
            if after == truth.number(before) and truth.number(first.value) != after:
                yield Suspect(
                    "EXM156",
                    function.name,
                    same_words(examined.program, function.name, before),
                    f"`{first.field}` is what it was before: the second statement takes back what the first one does",
                    "one of them may be meant for somebody else, or for something else",
                    kinds=(ast.Assign, ast.AssignAll),
                    words=words_of(function, before) | words_of(function, second.value),
                    span=_place(examined.program, function, pc),
                )


def _counts_for(examined: ExaminedProgram, i: m.Instr, field: str) -> bool:
    """True if a field decides anything between two statements: a consequence is looked for behind each of them, but
    what it does is known to leave the field alone; an end may end the game."""
    code = list(examined.carried_out((i,)))
    is_system = isinstance(i, m.Call) and examined.functions[i.function].word == "system"
    ends = any(isinstance(one, m.FinishWin | m.FinishRank) for one in code)
    return (ends or not is_system) and any(examined.asks_for(one, field) for one in code)


def _setting(examined: ExaminedProgram, function: m.Function, pc: int, asked: m.Expr) -> m.SetField | None:
    """The last statement before that sets a field of which an expression asks nothing else.

    None if anything between may set what is read by one of both, or change where it is looked for.
    """
    effects, start = examined.effects, beginning(function, pc, asked)
    read = {(node.field, node.index) for node in nodes(asked) if isinstance(node, m.FieldGet)}
    queried = frozenset[str]().union(
        *(effects.reads_of(node.query) for node in nodes(asked) if isinstance(node, m.CallQuery))
    )
    between, stored = set[str](), set[int]()
    for at in range(pc - 1, start - 1, -1):
        i = function.code[at]
        if isinstance(i, m.SetField) and (i.field, i.index) in read:
            others = {index for field, index in read if field == i.field} != {i.index}
            own = f"field {i.field}"
            of_index = frozenset[str]().union(*map(effects.reads, i.index))
            moved = between & (effects.reads(asked) | effects.reads(i.value))
            stale = stored & {node.slot for node in nodes((i.index, i.value)) if isinstance(node, m.Local)}
            return None if others or own in queried or own in of_index or moved or stale else i
        between.update(part for one in examined.carried_out((i,)) for part in effects.writes(one))
        stored |= set(slots_stored(i))
    return None


def _place(program: m.Program, function: m.Function, pc: int) -> Span | None:
    """The place of the statement to which an instruction belongs, if it is known."""
    found = statement_at(program, function, pc)
    return found.span if found is not None else None


def _with(e: m.Expr, i: m.SetField) -> m.Expr:
    """An expression with the value that is set in the place of the field."""
    found: m.Expr = _replaced(Rewriter(), e, m.FieldGet(i.field, i.index), i.value)
    return found


def _replaced(rewriter: Rewriter, node: Any, old: m.Expr, new: m.Expr) -> Any:
    if node == old:
        return new
    if type(node) is tuple:
        return tuple(_replaced(rewriter, one, old, new) for one in node)
    parts = {name: _replaced(rewriter, getattr(node, name), old, new) for name in below(type(node)) or ()}
    return rewriter.changed(node, parts) if parts else node


__all__ = ["decided_by_assignments", "taken_back"]
