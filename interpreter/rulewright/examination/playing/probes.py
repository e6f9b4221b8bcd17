"""A program that counts, before each of some instructions, which of some conditions hold: as uses of rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulewright.ir import model as m

_LARGE = 1_000_000


@dataclass(frozen=True, slots=True)
class Probe:
    """A condition that is looked at before an instruction, and the name under which it is counted."""

    function: str
    pc: int
    name: str
    condition: m.Expr
    sets: str = ""
    """A field of truth that holds from here on; no rule can name it."""
    notes: m.Expr | None = None
    """A number that is kept, each time, in the field of this name, whether the condition holds or not;"""
    of: str = ""
    """or a member of this universe."""

    @property
    def noted(self) -> m.Expr:
        """The note of the last time: at first a number that is larger than any, or none."""
        return m.FieldGet(self.name, ())


def probing(program: m.Program, looks: Iterable[Probe]) -> m.Program:
    """The program that looks; what is added stands at the end of its function, and the instruction behind it."""
    known: dict[str, dict[int, list[Probe]]] = {}
    for look in looks:
        known.setdefault(look.function, {}).setdefault(look.pc, []).append(look)

    def changed(function: m.Function) -> m.Function:
        code = list(function.code)
        for pc, here in known.get(function.name, {}).items():
            asks, code[pc] = code[pc], m.Jump(len(code))
            for look in here:
                code += [m.JumpUnless(look.condition, len(code) + 2), m.Fired(look.name)]
                if look.sets:
                    code.append(m.SetField(look.sets, (), m.Const(1)))
                if look.notes is not None:
                    code.append(m.SetField(look.name, (), look.notes))
            code += [asks, m.Jump(pc + 1)]
        return replace(function, code=tuple(code)) if function.name in known else function

    every = [look for of_function in known.values() for here in of_function.values() for look in here]
    names = dict.fromkeys(look.name for look in every)
    marks = dict.fromkeys(look.sets for look in every if look.sets)
    notes = {look.name: _note(look) for look in every if look.notes is not None}
    return replace(
        program,
        functions=tuple(map(changed, program.functions)),
        rules=(*program.rules, *(m.RuleInfo(name, (), "", 0, 0) for name in names)),
        fields=(
            *program.fields,
            *(m.Field(mark, (), (), m.BOOL, 0, (), is_internal=True) for mark in marks),
            *notes.values(),
        ),
    )


def _note(look: Probe) -> m.Field:
    ty, initial = (m.Ty("entity", look.of, optional=True), m.NONE) if look.of else (m.INT, _LARGE)
    return m.Field(look.name, (), (), ty, initial, (), is_internal=True)


__all__ = ["Probe", "probing"]
