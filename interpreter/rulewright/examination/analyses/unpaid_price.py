"""EXM101: a price that is asked for, and not paid."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes


def unpaid_prices(examined: ExaminedProgram) -> Iterator[Suspect]:
    """An option is refused to who has too little of something, and does not take it.

    Only of what is a currency: elsewhere an option that asks for it takes it. That something must be there which
    stays, a strength or a rank, is no price.
    """
    guarded = [one for f in examined.functions.values() for one in _guarded(examined, f)]
    currencies = {resource for _, _, resource, paid in guarded if paid}
    for function, label, resource, paid in guarded:
        if not paid and resource in currencies:
            yield Suspect(
                "EXM101",
                function,
                label,
                f"`{label}` asks for `{resource}`, but nothing of it is ever taken here",
                f"take it where it is asked for: `{resource}[…] -= …`",
                rule=label,
            )


Guarded = tuple[str, str, str, bool]
"""A function, the label of a restriction in it, the field of which it asks for an amount, and whether that is paid."""


def _guarded(examined: ExaminedProgram, function: m.Function) -> Iterator[Guarded]:
    """The restrictions of a function that ask for an amount; paid is what is taken by what they guard, or behind it."""
    code = function.code
    for pc, i in enumerate(code):
        if not isinstance(i, m.Choose):
            continue
        yield from _asking(examined, function, i.restrictions, code[pc + 1 :])
        starts = sorted(extra.to for extra in i.extras)
        ends = [code[to - 1] for to in starts[1:] if 0 < to <= len(code)]
        joined = max((end.to for end in ends if isinstance(end, m.Jump)), default=len(code))
        for extra in i.extras:
            later = [to for to in starts if to > extra.to]
            own = code[extra.to : later[0] if later else joined]
            behind = code[joined:] if joined > extra.to else code[extra.to :]
            yield from _asking(examined, function, extra.restrictions, (*own, *behind))


def _asking(
    examined: ExaminedProgram, function: m.Function, restrictions: tuple[m.Restriction, ...], code: tuple[m.Instr, ...]
) -> Iterator[Guarded]:
    for restriction in restrictions:
        for part in disjuncts(restriction.condition):
            if not restriction.unless and (resource := _lacking(examined, part)) is not None:
                paid = any(_takes(one, resource) for one in examined.carried_out(code))
                yield function.name, restriction.label, resource, paid


def _lacking(examined: ExaminedProgram, e: m.Expr) -> str | None:
    """The field of a player of which there is too little if a condition holds."""
    match e:
        case m.Cmp("lt" | "le", m.FieldGet(name, index), _) | m.Cmp("gt" | "ge", _, m.FieldGet(name, index)):
            known = examined.fields[name]
            return name if index and known.ty.kind == "int" and known.index[0] == "Player" else None
        case _:
            return None


def _takes(i: m.Instr, resource: str) -> bool:
    """True if an instruction may leave less of a field than there was."""
    match i:
        case m.SetField(name, _, value) if name == resource:
            match value:
                case m.Arith("add", m.FieldGet(read), amount) if read == resource:
                    return any(isinstance(node, m.Arith) and node.op == "sub" for node in nodes(amount))
                case _:
                    return True
        case m.Reset(names):
            return resource in names
        case _:
            return False


__all__ = ["unpaid_prices"]
