"""Questions that may follow an instruction, before the game ends or in one turn of players who decide at once."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, successors, with_callees, with_callers


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
        """True if a question may follow an instruction, in its function or in a caller."""
        seen, waiting = set[tuple[str, int]](), [(name, pc)]
        while waiting:
            where = waiting.pop()
            if where in seen:
                continue
            seen.add(where)
            may_ask, returns = self._on(self._functions[where[0]], where[1] + 1)
            if may_ask:
                return True
            if returns and where[0] != self._main:
                callers = self._calls.get(where[0])
                if not callers:
                    return True  # whatever looks for it goes on somewhere
                waiting += callers
        return False

    def _on(self, function: m.Function, start: int) -> tuple[bool, bool]:
        """True if a question may follow from an instruction on, and true if the function may return."""
        seen, waiting, may_ask, returns = set[int](), [start], False, False
        while waiting:
            pc = waiting.pop()
            if pc in seen:
                continue
            seen.add(pc)
            if pc >= len(function.code):
                returns = True
                continue
            i = function.code[pc]
            may_ask = may_ask or isinstance(i, m.Choose) or (isinstance(i, m.Call) and i.function in self._asking)
            if isinstance(i, m.Call) and i.function not in self._returning:
                continue
            after = successors(i, pc)
            returns = returns or isinstance(i, m.Return)
            waiting += (to for to in after if to != EXIT)
        return may_ask, returns

    def _that_ask(self) -> frozenset[str]:
        """The functions that ask, or call one that does."""
        functions = self._functions.values()
        return with_callers(functions, (f.name for f in functions if any(isinstance(i, m.Choose) for i in f.code)))

    def _find_returning(self) -> bool:
        """Look for functions behind which the rules may go on, as some way through them does not finish the game; True
        if one was found, which others may call."""
        before = len(self._returning)
        for name, function in self._functions.items():
            if name not in self._returning and self._on(function, 0)[1]:
                self._returning.add(name)
        return len(self._returning) > before


@dataclass(frozen=True, slots=True)
class TurnCode:
    """The instructions of a turn: those between `begin` and `end`."""

    begin: int
    end: int
    turn: m.Turn


@memoized_by_node
def turns(function: m.Function) -> tuple[TurnCode, ...]:
    """The turns in a function."""
    found, begun = [], 0
    for pc, i in enumerate(function.code):
        if isinstance(i, m.Turn):
            if i.leaving:
                found.append(TurnCode(begun, pc, i))
            begun = pc
    return tuple(found)


def turn_at(function: m.Function, pc: int) -> TurnCode | None:
    """The turn to which an instruction belongs."""
    return next((code for code in turns(function) if code.begin < pc < code.end), None)


def called_in_turns(functions: Iterable[m.Function]) -> frozenset[str]:
    """The functions that may run in a turn: those called there, and all that these call."""
    known = tuple(functions)
    inside = [i for f in known for code in turns(f) for i in f.code[code.begin : code.end]]
    return frozenset(with_callees(known, (i.function for i in inside if isinstance(i, m.Call))))


def move_in_turns(functions: Iterable[m.Function]) -> bool:
    """True if pieces may be moved where several decide at once."""
    known = tuple(functions)
    called = called_in_turns(known)
    inside = [f.code[code.begin : code.end] for f in known for code in turns(f)]
    return any(isinstance(i, m.Move) for code in (*inside, *(f.code for f in known if f.name in called)) for i in code)


def public_at_once(function: m.Function, code: TurnCode) -> dict[int, int]:
    """The questions of which all may hear at once that they were answered, though not how: those with which each begins
    whatever they decide, each by its instruction, with the slot of the list that keeps the answers."""
    lists = {
        i.value.slot: i.slot
        for i in function.code[code.begin : code.end]
        if isinstance(i, m.Append) and i.slot in code.turn.kept and isinstance(i.value, m.Local)
    }
    found: dict[int, int] = {}
    for pc in range(code.begin + 1, code.end):
        match function.code[pc]:
            case m.Choose(into=into) if into in lists:
                found[pc] = lists[into]
            case m.Choose() | m.Call() | m.JumpUnless():
                break
            case _:
                pass
    return found
