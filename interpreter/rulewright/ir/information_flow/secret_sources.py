"""The secrets that silence a line of the rules: which declarations, and which answers, are hidden from some players.

The flow of secrets says that nobody may hear a line; whoever has written it wants to know why. So the flow is followed
backwards from the line, to what it says and to the branches and calls that decide whether it is told (a backward slice:
M. Weiser, *Program slicing*, 1981), down to the zones, fields and answers from which the secret comes.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.ir import model as m
from rulewright.ir.control_flow.successors import definitions
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.dataflow.expression_reads import instructions_of
from rulewright.ir.information_flow.function_levels import OPEN
from rulewright.ir.information_flow.public_flow import public_levels
from rulewright.ir.information_flow.public_values import PublicValues
from rulewright.ir.walk import nodes

_RESULT = -1


class SecretSources:
    """Looks for the secrets behind the lines of one program."""

    def __init__(self, program: m.Program) -> None:
        public = PublicValues(program)
        self._functions = {f.name: f for f in program.functions}
        self._levels, self._effects = public_levels(program), EffectAnalysis.of(program)
        self._hidden = {f.name: frozenset((f"field {f.name}",)) for f in program.fields if f.name not in public.fields}
        self._hidden |= {z.name: _about(z) for z in program.zones if z.name not in public.faces}
        """For each declaration that not all see what is read of the game where it is looked at."""
        self._calls = [(f.name, pc, i) for f in program.functions for pc, i in instructions_of(f, (m.Call,))]
        self._seen: set[tuple[object, ...]] = set()

    def of_line(self, name: str, pc: int, line: m.Tell) -> tuple[str, ...]:
        """The names of what is hidden, declarations first, as they are declared, and then the labels of answers."""
        self._seen.clear()
        found = {*self._said(name, pc, line), *self._branches(name, pc)} or set(self._called(name))
        return (*(one for one in self._hidden if one in found), *sorted(found.difference(self._hidden)))

    def _said(self, name: str, pc: int, line: m.Tell) -> Iterator[str]:
        levels = self._levels[name]
        for value in levels.secrets_of(pc, line):
            yield from self._value(name, value)

    def _called(self, name: str) -> Iterator[str]:
        """The secrets that decide whether a function is called."""
        for caller, at, call in self._calls:
            if call.function == name and not self._again("call", caller, at):
                yield from self._branches(caller, at)
                yield from self._called(caller)

    def _value(self, name: str, e: m.Expr) -> Iterator[str]:
        """The secrets of a value in a function."""
        reads = self._effects.reads(e)
        yield from (declared for declared, tokens in self._hidden.items() if not tokens.isdisjoint(reads))
        for node in nodes(e):
            if isinstance(node, m.Local):
                yield from self._slot(name, node.slot)

    def _slot(self, name: str, slot: int) -> Iterator[str]:
        """The secrets that come into a slot of a function: what is stored there, handed over, or given back."""
        function = self._functions[name]
        if self._again("slot", name, slot) or self._levels[name].level_of(slot) == OPEN:
            return
        for pc, i in enumerate(function.code):
            if slot not in definitions(i):
                continue
            yield from self._branches(name, pc)
            match i:
                case m.SetLocal(value=value) | m.Append(value=value):
                    yield from self._value(name, value)
                case m.Choose() | m.Chance():
                    yield from self._answer(name, i)
                case m.Call(called, shared=shared, into=into):
                    yield from self._returned(called) if slot == into else self._slot(called, shared.index(slot))
                case _:
                    pass  # it tells nothing of the game
        if slot < function.params:
            for caller, _, call in self._calls:
                if call.function == name:
                    yield from self._value(caller, call.args[slot])

    def _branches(self, name: str, pc: int) -> Iterator[str]:
        """The secrets that decide whether an instruction is carried out when its function is."""
        for at in self._levels[name].deciding(pc):
            i = self._functions[name].code[at]
            if not self._again("branch", name, at):
                yield from self._value(name, i.condition) if isinstance(i, m.JumpUnless) else self._answer(name, i)

    def _returned(self, called: str) -> Iterator[str]:
        if not self._again("slot", called, _RESULT):
            for pc, i in instructions_of(self._functions[called], (m.Return,)):
                yield from self._branches(called, pc)
                if i.value is not None:
                    yield from self._value(called, i.value)

    def _answer(self, name: str, i: m.Instr) -> Iterator[str]:
        """The secrets of an answer: of what is hidden there is one chosen or drawn from it, else the answer itself."""
        assert isinstance(i, m.Choose | m.Chance)
        found = list(self._value(name, i.source)) if i.source is not None else []
        yield from found or [i.label]

    def _again(self, *what: object) -> bool:
        """True if something was looked at before."""
        if what in self._seen:
            return True
        self._seen.add(what)
        return False


def _about(zone: m.Zone) -> frozenset[str]:
    return frozenset((f"zone {zone.name}", f"in {zone.name}", *(f"at {u}" for u in zone.index), "where", "side"))


__all__ = ["SecretSources"]
