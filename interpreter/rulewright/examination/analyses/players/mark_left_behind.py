"""EXM134: something that goes along with what is moved stays at the old place, too."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import words_of
from rulewright.ir import model as m
from rulewright.syntax import ast

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


__all__ = ["marks_left_behind"]
