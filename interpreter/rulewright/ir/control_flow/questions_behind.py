"""Questions that may still come behind an instruction, before the game ends."""

from __future__ import annotations

from rulewright.ir import model as m
from rulewright.ir.control_flow.call_graph import callees
from rulewright.ir.control_flow.successors import EXIT, successors


class QuestionsBehind:
    """The questions that may come behind an instruction."""

    def __init__(self, program: m.Program) -> None:
        self._main = program.main
        self._functions = {function.name: function for function in program.functions}
        self._calls: dict[str, list[tuple[str, int]]] = {}
        for function in program.functions:
            for pc, i in enumerate(function.code):
                if isinstance(i, m.Call):
                    self._calls.setdefault(i.function, []).append((function.name, pc))
        self._asking: frozenset[str] = frozenset()
        self._returning: set[str] = set()  # one of which nothing is known finishes the game
        while self._find_returning():
            pass
        self._asking = self._that_ask()

    def asks(self, name: str, pc: int) -> bool:
        """True if a player may be asked behind an instruction, there or by whoever has called the function."""
        seen, waiting = set[tuple[str, int]](), [(name, pc)]
        while waiting:
            where = waiting.pop()
            if where in seen:
                continue
            seen.add(where)
            asked, returns = self._on(self._functions[where[0]], where[1] + 1)
            if asked:
                return True
            if returns and where[0] != self._main:
                callers = self._calls.get(where[0])
                if not callers:
                    return True  # whatever looks for it goes on somewhere
                waiting += callers
        return False

    def _on(self, function: m.Function, start: int) -> tuple[bool, bool]:
        """True if a player may be asked from an instruction on, and true if the function may return."""
        seen, waiting, asked, returns = set[int](), [start], False, False
        while waiting:
            pc = waiting.pop()
            if pc in seen:
                continue
            seen.add(pc)
            if pc >= len(function.code):
                returns = True
                continue
            i = function.code[pc]
            asked = asked or isinstance(i, m.Choose) or (isinstance(i, m.Call) and i.function in self._asking)
            if isinstance(i, m.Call) and i.function not in self._returning:
                continue
            after = successors(i, pc)
            returns = returns or isinstance(i, m.Return)
            waiting += (to for to in after if to != EXIT)
        return asked, returns

    def _that_ask(self) -> frozenset[str]:
        """The functions that ask, or call one that does."""
        found = {name for name, f in self._functions.items() if any(isinstance(i, m.Choose) for i in f.code)}
        while more := {
            name for name, f in self._functions.items() if name not in found and not found.isdisjoint(callees(f))
        }:
            found |= more
        return frozenset(found)

    def _find_returning(self) -> bool:
        """Look for functions behind which the rules may go on, as some way through them does not finish the game; True
        if one was found, which others may call."""
        before = len(self._returning)
        for name, function in self._functions.items():
            if name not in self._returning and self._on(function, 0)[1]:
                self._returning.add(name)
        return len(self._returning) > before


__all__ = ["QuestionsBehind"]
