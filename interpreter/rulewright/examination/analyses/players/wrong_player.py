"""EXM103: whether there is some player is asked, and then the things of another one are changed."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot, slots_stored
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
            parts = conjuncts(i.condition)
            for part in parts:
                who = _somebody(examined, function, part)
                if who is None or any(node == who for one in body for node in nodes(one)):
                    continue
                asked_more = isinstance(who, m.Local) and any(
                    node == who for p in parts if p != part for node in nodes(p)
                )
                changed = next((name for one in body for name in _changed(examined, one, asked_more)), None)
                if changed is not None:
                    yield Suspect(
                        "EXM103",
                        function.name,
                        changed,
                        f"the condition asks whether some player is there, but `{changed}` of another one is changed",
                        f"if the one that is asked about is meant, write them into the brackets of `{changed}[…]`",
                        kinds=(ast.Assign, ast.Move, ast.Draw, ast.MoveHeld),
                        words=frozenset((changed,)),
                    )


def _somebody(examined: ExaminedProgram, function: m.Function, e: m.Expr) -> m.Expr | None:
    """The computed player of whom a condition asks whether it is none; or the name that was given to it for that."""
    match e:
        case m.Cmp("ne", m.Local(slot) as who, m.Const(m.NONE)) if slot >= function.params:
            stored = [i for i in function.code if slot in slots_stored(i)]
            asked = [i for i in function.code if reads_slot(i, frozenset((slot,)))]
            if len(stored) == len(asked) == 1 and isinstance(stored[0], m.SetLocal):
                return who if _is_computed(examined, stored[0].value) else None
            return None
        case m.Cmp("ne", who, m.Const(m.NONE)) if _is_computed(examined, who):
            return who
        case _:
            return None


def _is_computed(examined: ExaminedProgram, e: m.Expr) -> bool:
    match e:
        case m.Attr(table):
            return examined.tables[table].ty.universe == "Player"
        case m.CallQuery(query):
            ty = examined.queries[query].ty
            return ty.kind == "entity" and ty.universe == "Player"
        case _:
            return False


def _changed(examined: ExaminedProgram, i: m.Instr, beside: bool) -> Iterator[str]:
    """Things of a player that an instruction changes; `beside`: of one beside another, not of one with a name."""
    match i:
        case m.SetField(name, (whose, *_)) if examined.fields[name].index[0] == "Player":
            known = name
        case m.Move(zone=name, index=(whose, *_)):
            zone = next(z for z in examined.program.zones if z.name == name)
            if zone.index[0] != "Player":
                return
            known = name
        case _:
            return
    if not beside or isinstance(whose, m.Attr):
        yield known


__all__ = ["wrong_players"]
