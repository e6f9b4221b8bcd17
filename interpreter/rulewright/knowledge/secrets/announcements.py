"""Instructions that show all players where in the rules a game is, on any path.

All see who decides what, and an outcome of chance that all may know is logged with the name of what was rolled for.
They see a marker that is laid on something in the open, and where that is done in one place of the rules only, what is
being done. From there on it is no secret any more that this function has come this far: what a secret has decided is
known (as in information flow with declassification, A. Sabelfeld and A. C. Myers, *Language-based information-flow
security*, 2003).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, control_flow_graph, definitions, reachable_instructions
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.walk import allowed
from rulewright.knowledge.public_values import PublicValues


class Announcements:
    """The instructions of a function that announce themselves, and those to which the rules may come before that."""

    def __init__(
        self,
        function: m.Function,
        public: PublicValues,
        which: Mapping[int, bool],
        once: Collection[str],
        quiet: Collection[int] | None,
    ) -> None:
        """`which` is true of questions of which all know which member was chosen, `once` are the fields that are
        changed in one place of the rules only. `quiet` are the questions that others need not hear of; None: all."""
        self._code, self._params, self._public = function.code, function.params, public
        self._graph = control_flow_graph(function)
        self._reached = sorted(reachable_instructions(function) - {len(function.code)})
        self._ways: dict[int, tuple[int, ...]] = {}
        """The announcements, with the ways on which nothing is announced."""
        for pc, i in instructions_of(function, (m.Choose, m.Chance, m.SetField)):
            match i:
                case m.Choose(on_empty=on_empty, secret=False) if quiet is not None and pc not in quiet:
                    self._ways[pc] = () if on_empty is None else (on_empty,)
                case m.Chance(source=m.Const()) if which[pc]:
                    self._ways[pc] = ()
                case m.SetField(field) if field in once and self._seen(pc):
                    self._ways[pc] = ()
        self._branches: dict[int, frozenset[int]] = {}
        self._unseen: dict[int, frozenset[int]] = {}

    def at(self, pc: int) -> bool:
        """True if an instruction announces itself."""
        return pc in self._ways

    def unannounced(self, start: Iterable[int] = (0,), end: int = EXIT) -> frozenset[int]:
        """The instructions to which the rules may come from some others, up to an end, before anything is announced."""
        graph, ways = self._graph, self._ways
        return _walk(start, lambda pc: ways[pc] if pc in ways else graph.after(pc), (end, EXIT))

    def branch(self, pc: int) -> frozenset[int]:
        """The instructions that depend on which way is taken at a branch, before anything is announced in it."""
        found = self._branches.get(pc)
        if found is None:
            ways = [to for to in self._graph.after(pc) if not self._ends(pc, to)]
            found = frozenset[int]() if len(ways) < 2 else self.unannounced(ways, self._graph.end(pc))
            self._branches[pc] = found
        return found

    def _ends(self, fork: int, way: int) -> bool:
        """True if the game is over on one way from a branch: while it goes on, all know that this was not taken."""
        found = _walk((way,), self._graph.after, (EXIT,))
        last = [pc for pc in found if EXIT in self._graph.after(pc)]
        others = _walk((to for to in self._graph.after(fork) if to != way), self._graph.after, (EXIT,))
        over = all(isinstance(self._code[pc], m.FinishWin | m.FinishRank) for pc in last)
        return bool(last) and over and found.isdisjoint(others)

    def unseen(self, slot: int) -> frozenset[int]:
        """The instructions at which it may be that nothing was done in sight with the piece in a slot since it came
        there: no open field about it has changed."""
        if slot not in self._unseen:
            graph, code = self._graph, self._code
            places = [pc for pc, i in enumerate(code) if slot in definitions(i)]
            seen = {pc for pc, i in enumerate(code) if _about(i, slot) and self._seen(pc)}
            start = [0] if slot < self._params else []
            start += [to for pc in places for to in graph.after(pc)]
            found = _walk(start, lambda pc: () if pc in seen or pc in places else graph.after(pc), (EXIT,))
            self._unseen[slot] = found
        return self._unseen[slot]

    def _seen(self, pc: int) -> bool:
        """True if an instruction changes an open field, whatever was in it: it was not set, or is raised or lowered."""
        i, public = self._code[pc], self._public
        if not isinstance(i, m.SetField) or (i.field not in public.fields and i.field not in public.marking):
            return False
        now = m.FieldGet(i.field, i.index)
        match i.value:
            case m.Arith("add" | "sub", right=m.Const(number)):
                return i.value.left == now and number != 0
            case m.Const(value):
                return any(_differs(fact, at, value) for fact, at in self._facts(pc, now))
            case _:
                return False

    def _facts(self, pc: int, now: m.FieldGet) -> Iterator[tuple[m.Expr, m.FieldGet]]:
        """The conditions that have just been found to hold where the rules come to an instruction, each with a field
        as it stands in it: a question and a draw look at their candidates."""
        passed: set[int] = set()
        while pc and pc not in passed:
            passed.add(pc)
            before = [at for at in self._reached if pc in self._graph.after(at)]
            if len(before) != 1:
                return  # the rules may come here in another way
            [at] = before
            match self._code[at]:
                case m.JumpUnless(condition, to) if to != at + 1:
                    yield condition if pc != to else m.Not(condition), now
                case m.Tell() | m.Jump():
                    pass
                case m.Choose(on_empty=on_empty) as i if pc not in (on_empty, *(extra.to for extra in i.extras)):
                    where = () if i.where is None else (i.where,)
                    yield from ((fact, _of(now, i.into, i.var)) for fact in (*where, *allowed(i.restrictions)))
                    yield from _filtered(i.source, i.into, now)
                    return
                case m.Chance(source=source, into=into):
                    yield from _filtered(source, into, now)
                    return
                case _:
                    return
            pc = at


def _filtered(source: m.Expr | None, into: int, now: m.FieldGet) -> Iterator[tuple[m.Expr, m.FieldGet]]:
    """The conditions that hold of what was taken from some members into a slot."""
    while isinstance(source, m.Filter):
        yield source.where, _of(now, into, source.var)
        source = source.source


def _of(now: m.FieldGet, slot: int, var: str) -> m.FieldGet:
    """A field as a condition on a candidate reads it, that then lies in a slot."""
    return m.FieldGet(now.field, tuple(m.Var(var) if key == m.Local(slot) else key for key in now.index))


def _differs(fact: m.Expr, now: m.FieldGet, value: int) -> bool:
    """True if it follows from a condition that a field holds something other than a value."""
    match fact:
        case m.And(items):
            return any(_differs(item, now, value) for item in items)
        case m.Not(m.Or(items)):
            return any(_differs(m.Not(item), now, value) for item in items)
        case m.Not(m.Not(inner)):
            return _differs(inner, now, value)
        case m.Cmp("eq", left, m.Const(other)) | m.Not(m.Cmp("ne", left, m.Const(other))):
            return left == now and other != value
        case m.Cmp("ne", left, m.Const(other)) | m.Not(m.Cmp("eq", left, m.Const(other))):
            return left == now and other == value
        case m.Not(operand):
            return operand == now and value == 1
        case _:
            return fact == now and value == 0


def _about(i: m.Instr, slot: int) -> bool:
    return isinstance(i, m.SetField) and m.Local(slot) in i.index


def _walk(start: Iterable[int], after: Callable[[int], Collection[int]], ends: Collection[int]) -> frozenset[int]:
    return frozenset(reachable(start, lambda at: () if at in ends else after(at))).difference(ends)
