"""A program that counts how often its conditions are asked and hold: machine code plays it like any other.

Behind each condition a rule is used that nobody else has, so what is counted are uses of rules. No instruction changes
its place; what is added stands at the end of its function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulewright.ir import model as m


@dataclass(frozen=True, slots=True)
class Asked:
    """A condition in a function, with the names under which its answers are counted."""

    function: str
    pc: int
    condition: m.Expr
    number: int

    @property
    def asked(self) -> str:
        """The name for how often it was asked."""
        return f"condition {self.number} asked"

    @property
    def held(self) -> str:
        """The name for how often it held."""
        return f"condition {self.number} held"

    def elsewhere(self, truth: bool) -> str:
        """The name for how often it could hold, or not hold, at other moments."""
        return f"condition {self.number} {'may hold' if truth else 'may fail'}"


def counting(program: m.Program, asked: Iterable[Asked], could: dict[Asked, dict[str, m.Expr]]) -> m.Program:
    """A program that counts conditions where they are asked, and others (by their names) whenever a rule of a
    procedure is used once they have been asked: how it is before, while things are set up, is of no account."""
    conditions: dict[str, dict[int, Asked]] = {}
    every = tuple(asked)
    for one in every:
        conditions.setdefault(one.function, {})[one.pc] = one
    elsewhere = {
        name: m.And((m.FieldGet(one.asked, ()), e)) for one, looks in could.items() for name, e in looks.items()
    }

    def changed(function: m.Function) -> m.Function:
        own = conditions.get(function.name, {})
        looks = elsewhere if function.word in ("procedure", "phase") else {}
        if not own and not looks:
            return function
        code, added = list(function.code), list[m.Instr]()
        for pc, i in enumerate(function.code):
            match i:
                case m.JumpUnless(condition, to) if pc in own:
                    one = own[pc]
                    marked = m.SetField(one.asked, (), m.Const(1))
                    added = [m.Fired(one.asked), marked, m.JumpUnless(condition, to), m.Fired(one.held), m.Jump(pc + 1)]
                case m.Fired() if looks:
                    added = [i, *_looking(looks, len(code) + 1), m.Jump(pc + 1)]
                case _:
                    continue
            code[pc] = m.Jump(len(code))
            code += added
        return replace(function, code=tuple(code))

    functions = tuple(map(changed, program.functions))
    known = {info.name for info in program.rules}
    used = (i.rule for f in functions for i in f.code if isinstance(i, m.Fired))
    more = tuple(m.RuleInfo(name, (), "", 0, 0) for name in dict.fromkeys(used) if name not in known)
    marks = (
        m.Field(name, (), (), m.BOOL, 0, (), is_internal=True) for name in dict.fromkeys(one.asked for one in every)
    )
    return replace(program, functions=functions, rules=(*program.rules, *more), fields=(*program.fields, *marks))


def _looking(looks: Mapping[str, m.Expr], at: int) -> Iterator[m.Instr]:
    """Instructions from a place on that count which of some conditions hold."""
    for number, (name, condition) in enumerate(looks.items()):
        yield m.JumpUnless(condition, at + 2 * number + 2)
        yield m.Fired(name)


def conditions_of(function: m.Function, wanted: Callable[[m.Expr], bool]) -> Iterator[tuple[int, m.Expr]]:
    """The conditions of ``if`` and of ``each … where`` in a function, without those that the compiler has made."""
    headers = {i.to for pc, i in enumerate(function.code) if isinstance(i, m.Jump) and i.to <= pc}
    for pc, i in enumerate(function.code):
        if isinstance(i, m.JumpUnless) and pc not in headers and wanted(i.condition):
            yield pc, i.condition


__all__ = ["Asked", "conditions_of", "counting"]
