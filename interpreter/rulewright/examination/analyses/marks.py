"""Analyses of marks that are set for the wrong player, or at the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.options import options_of
from rulewright.examination.playing.program_words import words_of
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------------- marked other
# EXM103: a mark refuses something to one player and is set for another one.

_SIDES = ("Player.left", "Player.right")


def marks_of_another(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A player with a mark may not do something, and who does it marks the one beside, never themselves: so they may do
    it again, and the other may not.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Choose):
                yield from _marked(examined, function, i.restrictions, function.code[pc + 1 :])
        for option in options_of(function):
            yield from _marked(examined, function, option.extra.restrictions, (*option.own, *option.behind))


def _marked(
    examined: ExaminedProgram, function: m.Function, restrictions: tuple[m.Restriction, ...], code: tuple[m.Instr, ...]
) -> Iterator[Suspect]:
    done = tuple(examined.carried_out(code))
    for one in restrictions:
        for part in disjuncts(one.condition):
            match part:
                case m.FieldGet(name, (m.Local() as whose,)) if examined.fields[name].index == ("Player",):
                    marks = [x for x in code if isinstance(x, m.SetField) and x.field == name and x.value == m.Const(1)]
                    elsewhere = any(isinstance(x, m.SetField) and x.field == name and x not in marks for x in done)
                    if marks and not elsewhere and all(_is_beside(x.index[0], whose) for x in marks):
                        yield Suspect(
                            "EXM103",
                            function.name,
                            f"{name} for {one.label}",
                            f"`{one.label}` asks for `{name}` of the one who does it, and it is set for another player",
                            f"if it is to be done once, set `{name}` of the one who does it",
                            kinds=(ast.Assign,),
                            words=frozenset((name,)),
                        )
                case _:
                    pass


def _is_beside(whose: m.Expr, of: m.Expr) -> bool:
    sides = [node for node in nodes(whose) if isinstance(node, m.Attr) and node.table in _SIDES]
    return bool(sides) and any(node == of for node in nodes(whose))


# ----------------------------------------------------------------------------------------------------- mark left behind
# EXM134: something that goes along with what is moved stays at the old place, too.

_NOTHING = (m.Const(0), m.Const(m.NONE))


def marks_left_behind(examined: ExaminedProgram) -> Iterator[Suspect]:
    """The value of a field for one place another one gets, in a function that moves what another field holds from the
    one place to the other; at the old place it stays as it was.
    """
    for function in examined.functions.values():
        sets = [i for i in function.code if isinstance(i, m.SetField)]
        moved = {
            (a.index, b.index)
            for a in sets
            for b in sets
            if a.field == b.field and a.value in _NOTHING and b.value not in _NOTHING and a.index != b.index
        }
        for i in sets:
            for part in disjuncts(i.value):
                if not isinstance(part, m.FieldGet) or part.field != i.field or (part.index, i.index) not in moved:
                    continue
                if not any(other.field == i.field and other.index == part.index for other in sets):
                    yield Suspect(
                        "EXM134",
                        function.name,
                        i.field,
                        f"`{i.field}` goes along to the new place and stays at the old one as well: whatever comes "
                        "there next has it, too",
                        f"write `move {i.field} from … to …`, which leaves nothing behind",
                        kinds=(ast.Assign,),
                        words=frozenset((i.field, *words_of(function, part))),
                    )
