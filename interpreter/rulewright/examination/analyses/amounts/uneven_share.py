"""EXM141: an amount is shared among the others, by a number that fits only so many players."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def uneven_shares(examined: ExaminedProgram) -> Iterator[Suspect]:
    """One player pays an amount, and each of several others gets a part of it: a half, or a third. With another number
    of players what they get together is another amount than was paid.
    """
    players = examined.program.players
    for function in examined.functions.values():
        paid = {part for i in function.code for part in _paid(i)}
        for i in function.code:
            match i:
                case m.SetField(
                    name, (m.Local(slot),), m.Arith("add", m.FieldGet(read), m.Arith(op, amount, m.Const(parts)))
                ) if name == read and op.startswith("div") and (name, amount) in paid and parts > 1:
                    several = _receivers(function, slot, players)
                    if several is not None and several != parts:
                        yield Suspect(
                            "EXM141",
                            function.name,
                            name,
                            f"with more, or fewer, players than {parts + players - several} those who get a part of "
                            f"`{name}` are not {parts}, by which it is divided: together they get another amount than "
                            "was paid",
                            "divide by the number of those who get something, `size(players) - 1`",
                            kinds=(ast.Divide,),
                            words=frozenset((str(parts),)),
                        )
                case _:
                    pass


def _paid(i: m.Instr) -> Iterator[tuple[str, m.Expr]]:
    match i:
        case m.SetField(name, index, m.Arith("sub", m.FieldGet(read, of), amount)) if (name, index) == (read, of):
            yield name, amount
        case _:
            pass


def _receivers(function: m.Function, slot: int, players: int) -> int | None:
    """The number of players through whom a loop goes: all, or all but one; None if it is not known."""
    lefts = [
        i.value.of.slot
        for i in function.code
        if isinstance(i, m.SetLocal)
        and i.slot == slot
        and isinstance(i.value, m.First)
        and isinstance(i.value.of, m.Local)
    ]
    for left in lefts:
        filled = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == left]
        match filled[0] if filled else None:
            case m.SetOp("minus", m.Alive("Player"), m.MakeSet((one,))) if not any(
                n == m.Local(left) for n in nodes(one)
            ):
                return players - 1
            case m.Alive("Player"):
                return players
            case _:
                pass
    return None


__all__ = ["uneven_shares"]
