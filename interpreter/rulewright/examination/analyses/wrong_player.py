"""EXM103: whether there is some player is asked, and then the things of another one are changed."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def wrong_players(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A branch asks whether a computed player is somebody, does nothing with them, and changes what another one has.

    Fields do not count as such players: that of a place says who stands there, and whoever stands there may be the
    reason for something that happens to somebody else.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.JumpUnless) or i.to <= pc:
                continue
            body = function.code[pc + 1 : i.to]
            for part in conjuncts(i.condition):
                who = _somebody(examined, part)
                if who is None or any(node == who for one in body for node in nodes(one)):
                    continue
                changed = next((name for one in body for name in _changed(examined, one)), None)
                if changed is not None:
                    yield Suspect(
                        "EXM103",
                        function.name,
                        changed,
                        f"the condition asks whether some player is there, but `{changed}` of another one is changed",
                        f"if the one that is asked about is meant, write them into the brackets of `{changed}[…]`",
                        kinds=(ast.If,),
                        words=frozenset((changed,)),
                    )


def _somebody(examined: ExaminedProgram, e: m.Expr) -> m.Expr | None:
    """The computed player of whom a condition asks whether it is none."""
    match e:
        case m.Cmp("ne", m.Attr(table) as who, m.Const(m.NONE)) if examined.tables[table].ty.universe == "Player":
            return who
        case m.Cmp("ne", m.CallQuery(query) as who, m.Const(m.NONE)) if (
            examined.queries[query].ty.kind == "entity" and examined.queries[query].ty.universe == "Player"
        ):
            return who
        case _:
            return None


def _changed(examined: ExaminedProgram, i: m.Instr) -> Iterator[str]:
    match i:
        case m.SetField(name, (_, *_)) if examined.fields[name].index[0] == "Player":
            yield name
        case m.Move(zone=zone, index=(_, *_)):
            known = next(z for z in examined.program.zones if z.name == zone)
            if known.index[0] == "Player":
                yield zone
        case _:
            pass


__all__ = ["wrong_players"]
