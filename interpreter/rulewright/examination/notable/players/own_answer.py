"""EXM149: an answer that is refused for an earlier one of the same player, and never for one of another player."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes


def own_answers(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """The answer of each player is noted as theirs, and an answer is refused for what the one who is asked has noted
    there; nowhere is the note of another player looked at.
    """
    for function in examined.functions.values():
        for i in function.code:
            if not isinstance(i, m.Choose) or i.who_is != "player":
                continue
            for restriction in (*i.restrictions, *(one for extra in i.extras for one in extra.restrictions)):
                for part in (one for e in disjuncts(restriction.condition) for one in conjuncts(e)):
                    name = _noted(part, i)
                    if not name or name in base.fields or not _is_answer(examined, name):
                        continue
                    if _only_own(examined, name):
                        yield Suspect(
                            "EXM149",
                            function.name,
                            restriction.label,
                            f"`{restriction.label}` holds the answer against one's own earlier one in `{name}`: what "
                            "the other players have chosen refuses nothing",
                            f"if another player is meant, ask for theirs: `{name}[p.left]`, or "
                            f"`some(q in players except {{p}} where {name}[q] is …)`",
                            rule=restriction.label,
                        )


def _noted(e: m.Expr, asked: m.Choose) -> str:
    """The field in whose entry of who is asked the answer is looked for; empty if that is not what is asked."""
    match e:
        case m.Cmp("eq", left, m.FieldGet(name, (whose,))) | m.Cmp("eq", m.FieldGet(name, (whose,)), left):
            answer = any(isinstance(node, m.Var) and node.name == asked.var for node in nodes(left))
            return name if answer and whose == asked.who else ""
        case _:
            return ""


def _is_answer(examined: ExaminedProgram, name: str) -> bool:
    """True if what is written into a field is what whoever it belongs to has answered."""
    found = False
    for function in examined.functions.values():
        for i in function.code:
            if isinstance(i, m.SetField) and i.field == name and i.value != m.Const(m.NONE):
                asked = (
                    one
                    for one in function.code
                    if isinstance(one, m.Choose) and i.value == m.Local(one.into) and i.index == (one.who,)
                )
                if next(asked, None) is None:
                    return False
                found = True
    return found


def _only_own(examined: ExaminedProgram, name: str) -> bool:
    """True if a field is read only where somebody is asked, and only the entry of that one."""
    if any(isinstance(node, m.FieldGet) and node.field == name for q in examined.queries.values() for node in nodes(q)):
        return False
    for function in examined.functions.values():
        for i in function.code:
            for node in nodes(i):
                own = isinstance(i, m.Choose) and isinstance(node, m.FieldGet) and node.index == (i.who,)
                if isinstance(node, m.FieldGet) and node.field == name and not own:
                    return False
    return True


__all__ = ["own_answers"]
