"""EXM113: a restriction that can refuse nothing, as it asks for pieces where what is chosen does not lie."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.symbolic_truth import SymbolicTruth
from rulewright.ir import model as m
from rulewright.ir.comparison import mirrored
from rulewright.ir.walk import nodes


def idle_restrictions(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A piece lies in one zone at a time: one chosen from a zone is refused only if it lies in another."""
    for function in examined.functions.values():
        for i in function.code:
            if not isinstance(i, m.Choose) or not isinstance(i.source, m.ZoneGet | m.ZoneList):
                continue
            for restriction in i.restrictions:
                asked = [_elsewhere(part, i.var, i.source.zone) for part in disjuncts(restriction.condition)]
                if not restriction.unless and all(asked):
                    yield Suspect(
                        "EXM113",
                        function.name,
                        restriction.label,
                        f"`{restriction.label}` never refuses anything: what is chosen lies in `{i.source.zone}`, and "
                        f"so not in `{asked[0]}`",
                        f"ask for what the pieces in `{asked[0]}` have in common with it",
                        rule=restriction.label,
                    )


def numbers_never_refused(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A number is chosen from a range, and refused only if it is larger than the last one of it, or smaller than the
    first one."""
    for function in examined.functions.values():
        truth = SymbolicTruth(examined, function)
        for i in function.code:
            if not isinstance(i, m.Choose) or not isinstance(i.source, m.IntRange):
                continue
            for restriction in i.restrictions:
                parts = disjuncts(restriction.condition)
                if not restriction.unless and all(_is_beyond(truth, part, i.var, i.source) for part in parts):
                    yield Suspect(
                        "EXM113",
                        function.name,
                        restriction.label,
                        f"`{restriction.label}` never refuses anything: no number that is offered is so large, or so "
                        f"small",
                        "look at the range from which it is chosen",
                        rule=restriction.label,
                    )


def _is_beyond(truth: SymbolicTruth, e: m.Expr, var: str, offered: m.IntRange) -> bool:
    """True if a condition asks whether a number lies beyond the end of a range."""
    if not isinstance(e, m.Cmp):
        return False
    op, left, right = e.op, e.left, e.right
    if right == m.Var(var):
        op, left, right = mirrored(op), right, left
    if left != m.Var(var) or any(node == m.Var(var) for node in nodes(right)):
        return False
    ends = {"gt": offered.high, "ge": offered.high, "lt": offered.low, "le": offered.low}
    return op in ends and truth.of(m.Cmp(op, ends[op], right)) is False


def _elsewhere(e: m.Expr, var: str, zone: str) -> str:
    """The other zone in which a condition asks for the piece that is chosen; empty if it asks for something else."""
    match e:
        case m.Contains(m.ZoneGet(other) | m.ZoneList(other), m.Var(name)) if name == var and other != zone:
            return other
        case m.InZone((other,), m.Var(name)) if name == var and other != zone:
            return other
        case _:
            return ""


__all__ = ["idle_restrictions", "numbers_never_refused"]
