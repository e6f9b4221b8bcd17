"""EXM150: an answer that is held against what another player has, and paid by the one who gives it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes


def amounts_held_against_another(examined: ExaminedProgram) -> Iterator[Suspect]:
    """Somebody chooses a number, which is refused if another player has less than that of something; and it is they
    themselves who lose it then, at once or as what is noted as their bid.
    """
    for function in examined.functions.values():
        for i in function.code:
            if not isinstance(i, m.Choose) or i.universe != "Int" or not isinstance(i.who, m.Local):
                continue
            for restriction in i.restrictions:
                parts = [part for e in disjuncts(restriction.condition) for part in conjuncts(e)]
                asked = [held for part in parts for held in _held(part, i)]
                others = {name for name, whose in asked if isinstance(whose, m.Local) and whose != i.who}
                own = {name for name, whose in _all_held(i) if whose == i.who}
                for name in sorted(others - own):
                    if _pays(examined, function, i, name):
                        yield Suspect(
                            "EXM150",
                            function.name,
                            restriction.label,
                            f"`{restriction.label}` compares `{i.label}` with `{name}` of another player, but it is "
                            "paid by the one who is asked",
                            f"compare it with what they have themselves: `{name}[{function.slots[i.who.slot].name}]`",
                            rule=restriction.label,
                        )


def _held(e: m.Expr, asked: m.Choose) -> Iterator[tuple[str, m.Expr]]:
    """The fields, and whose they are, of which there is less than the answer if a condition holds."""
    match e:
        case m.Cmp("gt" | "ge", m.Var(name), m.FieldGet(field, (whose,))) if name == asked.var:
            yield field, whose
        case m.Cmp("lt" | "le", m.FieldGet(field, (whose,)), m.Var(name)) if name == asked.var:
            yield field, whose
        case _:
            pass


def _all_held(asked: m.Choose) -> Iterator[tuple[str, m.Expr]]:
    """All fields that bound an answer: by restrictions, or as the end of the numbers that are offered."""
    for restriction in asked.restrictions:
        yield from (
            (node.field, node.index[0])
            for node in nodes(restriction.condition)
            if isinstance(node, m.FieldGet) and len(node.index) == 1
        )
    for node in nodes(asked.source) if asked.source is not None else ():
        if isinstance(node, m.FieldGet) and len(node.index) == 1:
            yield node.field, node.index[0]


def _pays(examined: ExaminedProgram, function: m.Function, asked: m.Choose, resource: str) -> bool:
    """True if the answer, or the field in which it is noted as theirs, is taken from who gave it."""
    answers = _answers(function, asked)
    stored = {
        i.field
        for i in function.code
        if isinstance(i, m.SetField) and i.index == (asked.who,) and isinstance(i.value, m.Local)
        if i.value.slot in answers
    }
    for i in (i for f in examined.functions.values() for i in f.code):
        match i:
            case m.SetField(name, (whose,), m.Arith("sub", m.FieldGet(read), amount)) if name == read == resource:
                if isinstance(amount, m.FieldGet) and amount.field in stored and amount.index == (whose,):
                    return True
                if i in function.code and whose == asked.who and isinstance(amount, m.Local) and amount.slot in answers:
                    return True
            case _:
                pass
    return False


def _answers(function: m.Function, asked: m.Choose) -> frozenset[int]:
    """The slots that hold an answer: of several players who are asked at once it is put into a list between."""
    found = {asked.into}
    lists = {i.slot for i in function.code if isinstance(i, m.Append) and i.value == m.Local(asked.into)}
    for i in function.code:
        match i:
            case m.SetLocal(slot, m.Item(m.Local(of))) if of in lists:
                found.add(slot)
            case _:
                pass
    return frozenset(found)


__all__ = ["amounts_held_against_another"]
