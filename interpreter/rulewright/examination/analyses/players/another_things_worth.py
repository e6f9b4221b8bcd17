"""EXM138: one thing is asked about, and what is printed on another one is used."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def worths_of_another(examined: ExaminedProgram) -> Iterator[Suspect]:
    """Something printed on an answer decides whether it may be given, and then it is not used any more: that of the
    answer to an earlier question is used in its place.
    """
    for function in examined.functions.values():
        code = function.code
        for pc, i in enumerate(code):
            if not isinstance(i, m.Choose) or i.universe in ("", "Player", "Int") or not i.var:
                continue
            asked = {e.table for one in i.restrictions for e in _printed(one.condition, m.Var(i.var))}
            asked |= {e.table for e in _printed(i.where, m.Var(i.var))} if i.where is not None else set()
            end = next((at for at in range(pc + 1, len(code)) if isinstance(code[at], m.Choose)), len(code))
            without = [extra.to for extra in i.extras] + ([i.on_empty] if i.on_empty is not None else [])
            behind = code[pc + 1 : min([end, *without])]
            mine = {e.table for one in behind for e in _printed(one, m.Local(i.into))}
            if any(isinstance(one, m.Call) and m.Local(i.into) in one.args for one in behind):
                continue
            for table in sorted(asked - mine):
                other = _of_another(function, code, pc, i, behind, table)
                if other is not None and not _asks_both(i, table, other):
                    yield _suspect(function, i, table, other)


def _suspect(function: m.Function, i: m.Choose, table: str, other: m.Local) -> Suspect:
    name, attribute = function.slots[other.slot].name, table.partition(".")[2]
    return Suspect(
        "EXM138",
        function.name,
        f"{attribute} of {name} for {i.label}",
        f"`{attribute}` of `{i.label}` is asked for when it is chosen, and then that of another one is used, `{name}`, "
        "which was chosen before",
        f"if this one is meant, write `{i.label}.{attribute}`",
        kinds=(ast.Assign,),
        words=frozenset((name,)),
    )


def _printed(part: object, of: m.Expr) -> Iterator[m.Attr]:
    for node in nodes(part):
        if isinstance(node, m.Attr) and node.of == of:
            yield node


def _of_another(
    function: m.Function, code: tuple[m.Instr, ...], pc: int, i: m.Choose, behind: tuple[m.Instr, ...], table: str
) -> m.Local | None:
    """The answer to an earlier question of which the same is used in what is changed."""
    earlier = [one.into for one in code[:pc] if isinstance(one, m.Choose) and one.universe == i.universe]
    for one in behind:
        for node in nodes(one.value) if isinstance(one, m.SetField) else ():
            match node:
                case m.Attr(of_table, m.Local(slot) as other) if of_table == table and slot in earlier:
                    if slot != i.into:
                        return other
                case _:
                    pass
    return None


def _asks_both(i: m.Choose, table: str, other: m.Local) -> bool:
    """True if the question compares both."""
    parts = (i.where, *(one.condition for one in i.restrictions))
    return any(node == m.Attr(table, other) for part in parts if part is not None for node in nodes(part))


__all__ = ["worths_of_another"]
