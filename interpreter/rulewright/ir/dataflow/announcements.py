"""Instructions that tell everybody where in the rules a game is, whatever has led there.

All see who is asked what, and an outcome of chance that all may know is told with the name of what was rolled for. They
see a marker that is laid on something in the open, and where that is done in one place of the rules only, what is being
done. From there on it is no secret
any more that this function has come this far: what a secret has decided is known (as in information flow with
declassification, A. Sabelfeld and A. C. Myers, *Language-based information-flow security*, 2003).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from rulewright.ir import model as m
from rulewright.ir.dataflow.control_flow import EXIT, definitions
from rulewright.ir.dataflow.control_flow_graph import control_flow_graph
from rulewright.ir.dataflow.heard_answers import HeardAnswers
from rulewright.ir.dataflow.public_values import PublicValues


class Announcements:
    """The instructions of a program that announce themselves."""

    def __init__(self, program: m.Program, public: PublicValues, answers: HeardAnswers) -> None:
        self._public = public
        self._functions = {f.name: f for f in program.functions}
        self._branches: dict[tuple[str, int], set[int]] = {}
        writes = Counter(i.field for f in program.functions for i in f.code if isinstance(i, m.SetField))
        self._ways: dict[str, dict[int, tuple[int, ...]]] = {}
        """For each function its announcements, with the ways on which nothing is announced."""
        for function in program.functions:
            ways = self._ways[function.name] = {}
            for pc, i in enumerate(function.code):
                match i:
                    case m.Choose(on_empty=on_empty, secret=False):
                        ways[pc] = () if on_empty is None else (on_empty,)
                    case m.Chance(source=m.Const()) if answers.which(function.name, pc):
                        ways[pc] = ()
                    case m.SetField() if writes[i.field] == 1 and self._seen(function.code, pc):
                        ways[pc] = ()

    def at(self, function: str, pc: int) -> bool:
        """True if an instruction announces itself."""
        return pc in self._ways[function]

    def unannounced(self, function: str, start: Iterable[int], end: int = EXIT) -> set[int]:
        """The instructions to which the rules may come from some others, up to an end, before anything is announced."""
        graph, ways = control_flow_graph(self._functions[function]), self._ways[function]
        return _walk(start, lambda pc: ways[pc] if pc in ways else graph.after(pc), (end, EXIT))

    def branch(self, function: str, pc: int) -> set[int]:
        """The instructions that depend on which way is taken at a branch, before anything is announced in it."""
        found = self._branches.get((function, pc))
        if found is None:
            graph = control_flow_graph(self._functions[function])
            found = self._branches[function, pc] = self.unannounced(function, graph.after(pc), graph.end(pc))
        return found

    def unseen(self, function: str, slot: int) -> set[int]:
        """The instructions at which it may be that nothing was done in sight with the piece in a slot since it came
        there: no open field about it has changed."""
        graph, code = control_flow_graph(self._functions[function]), self._functions[function].code
        places = [pc for pc, i in enumerate(code) if slot in definitions(i)]
        seen = {pc for pc, i in enumerate(code) if _about(i, slot) and self._seen(code, pc)}
        start = [0] if slot < self._functions[function].params else []
        start += [to for pc in places for to in graph.after(pc)]
        return _walk(start, lambda pc: () if pc in seen or pc in places else graph.after(pc), (EXIT,))

    def _seen(self, code: Sequence[m.Instr], pc: int) -> bool:
        """True if an instruction changes an open field, whatever was in it: it was not set, or is raised or lowered."""
        i = code[pc]
        if not isinstance(i, m.SetField) or i.field not in self._public.fields | self._public.marking:
            return False
        now = m.FieldGet(i.field, i.index)
        match i.value:
            case m.Arith("add" | "sub", right=m.Const(number)):
                return i.value.left == now and number != 0
            case m.Const(1):
                return m.Not(now) in _guard(code, pc)
        return False


def _about(i: m.Instr, slot: int) -> bool:
    return isinstance(i, m.SetField) and m.Local(slot) in i.index


def _guard(code: Sequence[m.Instr], pc: int) -> tuple[m.Expr, ...]:
    """The conditions that have just been found to hold where the rules come to an instruction."""
    targets = {to for i in code for to in _targets(i)}
    while pc and pc not in targets:
        pc -= 1
        match code[pc]:
            case m.JumpUnless() as jump:
                return jump.condition.items if isinstance(jump.condition, m.And) else (jump.condition,)
            case m.Tell():
                continue
        break
    return ()


def _targets(i: m.Instr) -> tuple[int, ...]:
    """The instructions to which one goes that are not the next."""
    match i:
        case m.Jump(to) | m.JumpUnless(_, to):
            return (to,)
        case m.Choose(extras=extras, on_empty=on_empty):
            return (*(extra.to for extra in extras), *(() if on_empty is None else (on_empty,)))
    return ()


def _walk(start: Iterable[int], after: Callable[[int], Collection[int]], ends: Collection[int]) -> set[int]:
    found: set[int] = set()
    waiting = list(start)
    while waiting:
        at = waiting.pop()
        if at not in found and at not in ends:
            found.add(at)
            waiting.extend(after(at))
    return found
