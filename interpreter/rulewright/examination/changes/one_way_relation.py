"""EXM130: a relation that the base always changes both ways, and the change only one way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.text import expression_text
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def one_way_relations(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """Things of one kind are related by a field: allies, partners. Each function of the base that relates one to
    another one, or parts them, does so for both; one that the change has brought, or changed, for the first only.
    """
    for field in base.program.fields:
        if not _is_relation(field) or not _always_both_ways(base, field.name):
            continue
        for function in examined.functions.values():
            if function == base.functions.get(function.name):
                continue
            written = _written(function, field.name)
            for one in written:
                if not _is_mirrored(one, written):
                    yield _suspect(function, field.name, one)


_Pair = tuple[m.Expr, m.Expr]
"""A member, and the other one that is put into its field, or taken out of it."""


def _is_relation(field: m.Field) -> bool:
    return len(field.index) == 1 and field.ty.kind in ("set", "entity") and field.ty.universe == field.index[0]


def _always_both_ways(base: ExaminedProgram, field: str) -> bool:
    """True if something is put into a field, and nothing without its counterpart, or in a way that is not known."""
    several = [(f, _written(f, field)) for f in base.functions.values()]
    statements = sum(isinstance(i, m.SetField) and i.field == field for f, _ in several for i in f.code)
    pairs = [written for _, written in several if written]
    whole = all(_is_mirrored(one, written) for written in pairs for one in written)
    return bool(pairs) and statements == sum(map(len, pairs)) and whole


def _written(function: m.Function, field: str) -> list[_Pair]:
    """The pairs that a function relates or parts in a field."""
    found = list[_Pair]()
    for i in function.code:
        match i:
            case m.SetField(
                name,
                (one,),
                m.SetOp(_, m.FieldGet(read, (same,)), m.MakeSet((other,))),
            ) if name == read == field and one == same:
                found.append((one, other))
            case m.SetField(name, (one,), m.Local() as other) if name == field:
                found.append((one, other))
            case _:
                pass
    return found


def _is_mirrored(one: _Pair, written: Sequence[_Pair]) -> bool:
    return (one[1], one[0]) in written


def _suspect(function: m.Function, field: str, pair: _Pair) -> Suspect:
    names = [_name(function, e) for e in pair]
    slots = {function.slots[n.slot].name for n in nodes(pair) if isinstance(n, m.Local)}
    return Suspect(
        "EXM130",
        function.name,
        f"{field} of {names[0]}",
        f"`{field}` is changed for `{names[0]}` only: the base always changes it both ways, for the other one, "
        f"`{names[1]}`, as well",
        f"change `{field}[{names[1]}]` in the same way",
        kinds=(ast.Assign,),
        words=frozenset(name for name in (field, *slots) if name.isidentifier()),
    )


def _name(function: m.Function, e: m.Expr) -> str:
    return function.slots[e.slot].name if isinstance(e, m.Local) else expression_text(e)


__all__ = ["one_way_relations"]
