"""EXM139: what is paid is counted anew behind a change of what it is counted from."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, put
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import words_of
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def prices_counted_anew(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A restriction asks whether somebody has as much as something costs; then what the costs are counted from changes,
    and only behind it they are paid: another amount than was asked for.
    """
    for function in examined.functions.values():
        code = function.code
        asked = set(_asked(code))
        for pc, i in enumerate(code):
            match i:
                case m.SetField(name, index, m.Arith("sub", m.FieldGet(read, of), price)) if (
                    name == read and index == of and price in asked
                ):
                    changed = _changed_before(examined, code, pc, name, price)
                    if changed:
                        yield Suspect(
                            "EXM139",
                            function.name,
                            f"{name} behind {changed}",
                            f"this amount of `{name}` is asked for before, and counted anew here: `{changed}` just "
                            "above has changed, so another one is paid than was asked for",
                            f"pay before `{changed}` changes, or store the amount with `let`",
                            kinds=(ast.Assign,),
                            words=frozenset((name, *words_of(function, price))),
                        )
                case _:
                    pass


def _asked(code: tuple[m.Instr, ...]) -> Iterator[m.Expr]:
    """The amounts that restrictions ask for, in words of what follows the question."""
    for i in code:
        if isinstance(i, m.Choose):
            given: dict[str, m.Expr] = {i.var: m.Local(i.into)} if i.var else {}
            for one in (*i.restrictions, *(one for extra in i.extras for one in extra.restrictions)):
                for node in nodes(put(one.condition, given)):
                    if isinstance(node, m.Cmp):
                        yield from (side for side in (node.left, node.right) if not isinstance(side, m.Const | m.Local))


def _changed_before(examined: ExaminedProgram, code: tuple[m.Instr, ...], pc: int, paid: str, price: m.Expr) -> str:
    """The field, or zone, that changes in the statements just before, and from which the price is counted."""
    reads = examined.effects.reads(price) - {f"field {paid}"}
    targets = {i.to for i in code if isinstance(i, m.Jump | m.JumpUnless)}
    for at in range(pc - 1, -1, -1):
        i = code[at]
        if at + 1 in targets or not isinstance(i, m.SetField | m.Move | m.Fired | m.Tell | m.SetLocal):
            return ""
        changed = sorted(reads & examined.effects.writes(i)) if isinstance(i, m.SetField | m.Move) else []
        if changed:
            return changed[0].partition(" ")[2]
    return ""


__all__ = ["prices_counted_anew"]
