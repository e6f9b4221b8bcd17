"""EXM154: a loop in which each one is compared with all, while what is compared changes."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def compared_in_loops(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A loop asks for the most, the least, the sum or those that have it, of a field of all, and changes that field of
    one after the other: those who come later are compared with what the others have got before them. Where somebody
    is asked in it, they take turns, and that is meant.
    """
    del base
    for function in examined.functions.values():
        for end, jump in enumerate(function.code):
            if not isinstance(jump, m.Jump) or jump.to > end:
                continue
            body = function.code[jump.to : end]
            named = {i.slot for i in body[:3] if isinstance(i, m.SetLocal) and isinstance(i.value, m.First | m.Item)}
            if not named or any(isinstance(i, m.Choose | m.Chance | m.Turn) for i in examined.carried_out(body)):
                continue
            changed = {
                i.field
                for i in body
                if isinstance(i, m.SetField) and any(m.Local(slot) in i.index for slot in named)
                if examined.fields[i.field].ty.kind == "int"
            }
            for name in sorted(changed):
                if any(_compares(examined, i, name) for i in body if isinstance(i, m.JumpUnless | m.SetField)):
                    yield Suspect(
                        "EXM154",
                        function.name,
                        name,
                        f"`{name}` of one after the other changes in this loop, which asks for it of all each time: "
                        "those who come later are compared with what has changed already",
                        "ask before the loop, and note it: `let …`",
                        kinds=(ast.Assign,),
                        words=frozenset((name,)),
                    )


def _compares(examined: ExaminedProgram, i: m.Instr, name: str) -> bool:
    """True if an instruction asks for the most, the least, or the sum of a field, itself or by a query."""
    asked = [i, *(examined.queries[node.query].body for node in nodes(i) if isinstance(node, m.CallQuery))]
    for e in asked:
        for node in nodes(e):
            match node:
                case m.Fold("max" | "min" | "sum", binds, _, body) if body is not None:
                    names, read = {one.var for one in binds}, body
                case m.Best(_, var, key):
                    names, read = {var}, key
                case _:
                    continue
            found = [inner for inner in nodes(read) if isinstance(inner, m.FieldGet) and inner.field == name]
            if any(isinstance(key, m.Var) and key.name in names for inner in found for key in inner.index):
                return True
    return False


__all__ = ["compared_in_loops"]
