"""The consequences and immediate ends that each check of a program may find due.

A check names those that read anything of what was written since the check before. Here it is looked closer: the pieces
that were moved must be among those that the condition asks about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rulewright.compiler.lowering.function_builder import SETTLE
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, callees, successors
from rulewright.ir.dataflow.piece_effects import Concerns, PieceEffects, meet


class ConsequenceChecks:
    """The checks of one program, in games from the beginning."""

    def __init__(self, program: m.Program, impossible: Callable[[m.Expr], bool]) -> None:
        """The checks of a program; of a match it is known whether it is `impossible`."""
        self._program = program
        self._functions = {function.name: function for function in program.functions}
        found = enumerate(consequences(program))
        self._settling = {number: (name, match) for number, (name, match) in found if not impossible(match)}
        """For the number of each consequence its name and its match."""
        self._effects = PieceEffects(program, dict(self._settling.values()), laid_out=False)
        self._own: dict[str, Concerns] = {}
        self._wakes: dict[str, frozenset[int]] = {}

    def due(self, function: m.Function, pc: int) -> tuple[str, ...]:
        """The consequences that a check may lead to, with those that follow from these."""
        check = function.code[pc]
        assert isinstance(check, m.Call)
        (pending,) = check.args
        assert isinstance(pending, m.Const)
        named = [number for number in self._settling if pending.value >> number & 1]
        if function.name != self._program.main:  # there the first check is also about what holds from the beginning
            named = list(self._concerned(self._before(function, pc), named))
        found = reachable(named, lambda number: self._follow(self._settling[number][0]))
        return tuple(self._settling[number][0] for number in sorted(found))

    def _follow(self, name: str) -> frozenset[int]:
        """The consequences that a consequence may lead to."""
        if name not in self._wakes:
            called = reachable((name,), lambda one: callees(self._functions[one]))
            written = _union(self._writes(self._functions[one]) for one in called if one != SETTLE)
            self._wakes[name] = frozenset(self._concerned(written, self._settling))
        return self._wakes[name]

    def _concerned(self, written: Concerns, numbers: Iterable[int]) -> Iterator[int]:
        return (number for number in numbers if meet(self._effects.reads_of(self._settling[number][0]), written))

    def _before(self, function: m.Function, check: int) -> Concerns:
        """All that may have been written since the check before; functions that check by themselves do so at their
        end."""
        before: dict[int, list[int]] = {}
        for pc, i in enumerate(function.code):
            for to in successors(i, pc):
                if to != EXIT:
                    before.setdefault(to, []).append(pc)
        earlier = reachable(
            (check,), lambda pc: [one for one in before.get(pc, ()) if not _is_check(function.code[one])]
        )
        instructions = [function.code[pc] for pc in earlier if pc != check]
        called = reachable(
            [i.function for i in instructions if isinstance(i, m.Call) and not self._checks(i.function)],
            lambda name: [one for one in callees(self._functions[name]) if not self._checks(one)],
        )
        return _union(
            (
                *(self._effects.writes(function.name, i) for i in instructions),
                *(self._writes(self._functions[name]) for name in called),
            )
        )

    def _checks(self, name: str) -> bool:
        return name == SETTLE or any(map(_is_check, self._functions[name].code))

    def _writes(self, function: m.Function) -> Concerns:
        if function.name not in self._own:
            self._own[function.name] = _union(self._effects.writes(function.name, i) for i in function.code)
        return self._own[function.name]


def _is_check(i: m.Instr) -> bool:
    return isinstance(i, m.Call) and i.function == SETTLE


def _union(parts: Iterable[Concerns]) -> Concerns:
    found: dict[str, int] = {}
    for part in parts:
        for token, pieces in part.items():
            found[token] = found.get(token, 0) | pieces
    return found


def consequences(program: m.Program) -> Iterator[tuple[str, m.Expr]]:
    """The consequences and immediate ends of a program, in their order, each with its match: a member for which it is
    due, or none."""
    code = next((function.code for function in program.functions if function.name == SETTLE), ())
    matches: Mapping[int, m.Expr] = {i.slot: i.value for i in code if isinstance(i, m.SetLocal) and i.slot}
    for i in code:
        if isinstance(i, m.Call):
            (found,) = i.args
            assert isinstance(found, m.Local)
            yield i.function, matches[found.slot]
