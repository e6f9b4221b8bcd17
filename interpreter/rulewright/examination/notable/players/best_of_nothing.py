"""EXM140: those who have most of something get something, also where nobody has any."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def bests_of_nothing(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """Each of the best players by a count that begins with nothing gets something, and nothing around it asks whether
    there is any: as long as nobody has one all of them are the best.
    """
    for function in examined.functions.values():
        code = function.code
        for pc, i in enumerate(code):
            match i:
                case m.SetLocal(left, m.Best(m.Alive("Player"), _, m.FieldGet(name, index), _)):
                    field = examined.fields[name]
                    begins = field.initial if isinstance(field.initial, tuple) else (field.initial,)
                    counted = field.ty.kind == "int" and field.ty.low == 0 and not any(begins) and index
                case _:
                    continue
            asked = any(
                isinstance(node, m.FieldGet) and node.field == name
                for one in code
                if isinstance(one, m.JumpUnless | m.SetLocal) and one is not i
                for node in nodes(one)
            )
            each = [
                one.slot for one in code[pc:] if isinstance(one, m.SetLocal) and one.value == m.First(m.Local(left))
            ]
            gains = [
                one.field
                for one in code[pc:]
                if isinstance(one, m.SetField) and any(one.index == (m.Local(slot),) for slot in each) and _adds(one)
            ]
            if counted and gains and not asked:
                yield Suspect(
                    "EXM140",
                    function.name,
                    name,
                    f"where nobody has any of `{name}` all players have most of it, none, and get `{gains[0]}`",
                    f"ask whether anybody has some: `each … in best(… where {name}[…] > 0 by …)`",
                    kinds=(ast.Each,),
                    words=frozenset((name,)),
                )


def _adds(i: m.SetField) -> bool:
    match i.value:
        case m.Arith("add", m.FieldGet(name)):
            return name == i.field
        case _:
            return False


__all__ = ["bests_of_nothing"]
