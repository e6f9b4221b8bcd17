"""EXM151: somebody chooses the player from whom they get something, and may choose themselves."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def players_who_choose_themselves(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A player is chosen out of all that play, and something of that one is given to who chooses, or the other way."""
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose) or i.universe != "Player" or i.who_is != "player":
                continue
            if i.source != m.Alive("Player") or not isinstance(i.who, m.Local) or _excluded(i):
                continue
            code = function.code[pc + 1 :]
            if any(isinstance(one, m.JumpUnless) and _compares(one.condition, i) for one in code):
                continue
            for name in _handed_over(code, m.Local(i.into), i.who)[:1]:
                yield Suspect(
                    "EXM151",
                    function.name,
                    i.label,
                    f"whoever chooses `{i.label}` may choose themselves: then what is taken of `{name}` goes to the "
                    "one from whom it is taken",
                    f"leave them out: `from players except {{{function.slots[i.who.slot].name}}}`",
                    kinds=(ast.Choose,),
                    given=i.label,
                )


def _excluded(asked: m.Choose) -> bool:
    """True if who is asked has to do with what may be chosen."""
    limits = [asked.where, *(one.condition for one in asked.restrictions)]
    return any(node == asked.who for e in limits if e is not None for node in nodes(e))


def _compares(e: m.Expr, asked: m.Choose) -> bool:
    """True if a condition has to do with both players."""
    found = list(nodes(e))
    return asked.who in found and m.Local(asked.into) in found


def _handed_over(code: tuple[m.Instr, ...], one: m.Expr, other: m.Expr) -> list[str]:
    """The fields of which one of two players loses something and the other one gets it, and the zones out of which of
    one something is moved to that of the other."""
    changed = dict[tuple[str, str], set[m.Expr]]()
    found: list[str] = []
    for i in code:
        match i:
            case m.SetField(name, (whose,), m.Arith("add" | "sub" as op, m.FieldGet(read))) if read == name:
                changed.setdefault((name, op), set()).add(whose)
            case m.Move(what, zone=name, index=(whose,)) if whose in (one, other):
                lost = one if whose == other else other
                zones = (n for n in nodes(what) if isinstance(n, m.ZoneGet | m.ZoneList | m.Top))
                if any((n.zone, n.index) == (name, (lost,)) for n in zones):
                    found.append(name)
            case _:
                pass
    for (name, way), whose_get in changed.items():
        if way == "add":
            lose = changed.get((name, "sub"), set())
            if (one in whose_get and other in lose) or (other in whose_get and one in lose):
                found.append(name)
    return found


__all__ = ["players_who_choose_themselves"]
