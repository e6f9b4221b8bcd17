"""Lowering of ``each … at once``: all decide in secret, then what they have decided is carried out.

Each in turn decides alone (see :mod:`~rulewright.compiler.lowering.decided_alone`); the locals that are used afterwards
are kept, in a list or, where they hold several things or only some have them, in slots of their own for each of them. A
player with nothing to choose is passed over, then and afterwards.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from rulewright.compiler.lowering.choices.possibility import PossibilityLowerer
from rulewright.compiler.lowering.decided_alone import asks, decided_alone
from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import (
    NO,
    YES,
    Alone,
    FunctionBuilder,
    Later,
    Loop,
    TurnSource,
    all_of,
    any_of,
    begin_iteration,
    end_iteration,
)
from rulewright.compiler.lowering.lowering_context import LowerBlock
from rulewright.compiler.lowering.statements.endings import IN_GAME
from rulewright.compiler.symbols.static_types import BOOL, INT, Type
from rulewright.compiler.symbols.symbols import Binding, Scope
from rulewright.compiler.tree_walk import named_in
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.syntax import ast

HIDDEN = "write it behind the choices, or into a field or zone that is `seen by` who decides alone"


@dataclass(frozen=True, slots=True)
class Kept:
    """A local that is used when all have decided."""

    slot: int
    listed: int | None
    """The list with one for each who has decided; None if lists cannot hold them."""
    each: tuple[int, ...]
    """Slots, one for each who has decided."""
    taken: m.Expr = YES
    """The condition that a branch was taken that uses it."""

    @property
    def slots(self) -> tuple[int, ...]:
        """All slots in which it is kept."""
        return self.each if self.listed is None else (self.listed,)


class SimultaneousChoiceLowerer:
    """Lowers simultaneous choices."""

    def __init__(
        self, expressions: ExpressionLowerer, possibility: PossibilityLowerer, lower_block: LowerBlock
    ) -> None:
        self.context, self.expressions = expressions.context, expressions
        self.world, self.possibility = expressions.world, possibility
        self.lower_block = lower_block

    def lower(self, s: ast.Each, bound: Bound, scope: Scope, code: FunctionBuilder) -> None:
        """All decide in secret first; then, one after the other, what they have decided is carried out."""
        division = decided_alone(self.world, s.body, scope.known())
        count, seen = division.count, division.seen
        if code.alone is not None:
            self.context.error("CHO306", "who decides alone cannot ask all the others `at once`", s.span)
            return
        if not count:
            if seen is None or not asks(self.world, s.body):
                self.context.error("CHO306", "`at once` must begin with a choice", s.span)
            else:
                message = "others could see this before anybody has decided anything `at once`"
                self.context.error("CHO306", message, seen.span, hint=HIDDEN)
            return
        body, rest = s.body[:count], s.body[count:]
        capacity = max(bound.capacity if bound.is_list else self.world.most_members(bound.type), 1)
        source = bound.source if bound.is_list else m.ToList(bound.source)
        if self.world.eliminates:  # players out of the game never decide
            source = m.Filter(source, bound.var, m.Contains(IN_GAME, m.Var(bound.var)), is_list=True)
        if s.where is not None:
            inside = scope.inner(**{s.bind.name: Binding(self.context.read(m.Var(bound.var), bound.type), bound.type)})
            source = m.Filter(source, bound.var, self.expressions.truth(s.where, inside), is_list=True)
        members = code.slot(f"{s.bind.name} at once", bound.type.as_list(capacity))
        decided = code.slot(f"{s.bind.name} done", bound.type.as_list(capacity))
        at = code.slot("at", INT)
        one = code.slot(s.bind.name, bound.type)
        code.add(m.SetLocal(members, source), m.SetLocal(decided, m.ListConst(())))
        used = _used_afterwards(body, rest)
        branches = {id(block): (number, code.slot("taken", BOOL)) for block, number in division.branches}
        empty, slots_before = len(code.items), len(code.slots)
        code.add(*(m.SetLocal(decided, m.ListConst(())) for _ in (*used, *branches)))
        inner = scope.inner(**{s.bind.name: Binding(self.context.read(m.Local(one), bound.type), bound.type, slot=one)})

        again, end = begin_iteration(code, members, at, one)
        begun = len(code.items)
        code.add(m.Turn(members, at, one, (), False))
        passed = code.label()
        later = self._decide(body, inner, code, passed, m.Turn(members, at, one, (), False), branches)
        kept = [Kept(taken, code.slot("taken at once", BOOL.as_list(capacity)), ()) for _, taken in branches.values()]
        kept += [found for name in used if (found := self._kept(name, inner, capacity, code)) is not None]
        kept += self._kept_by_some(later, {one.slot for one in kept}, slots_before, capacity, code)
        for number, one_kept in enumerate(kept):
            self._keep(one_kept, decided, code)
            if one_kept.listed is not None:  # their types are known only now
                code.items[empty + number] = m.SetLocal(one_kept.listed, m.ListConst(()))
        code.add(m.Append(decided, m.Local(one)))
        code.mark(passed)
        slots = (decided, *(slot for one_kept in kept for slot in one_kept.slots))
        code.items[begun] = m.Turn(members, at, one, slots, False)
        code.add(m.Turn(members, at, one, slots, True))
        end_iteration(code, at, again, end)
        if not rest and not later:
            return
        again, end = begin_iteration(code, decided, at, one)
        for one_kept in kept:
            self._take_out(one_kept, at, code)
        left = code.label()
        if self.world.eliminates:  # by what another has decided
            code.add(m.JumpUnless(m.Contains(IN_GAME, m.Local(one)), left))
        code.loops.append(Loop(None, False, end, len(code.blocks)))
        self._put_off(later, code)
        self.lower_block(rest, inner, code)
        code.loops.pop()
        code.mark(left)
        end_iteration(code, at, again, end)

    def _decide(
        self,
        body: tuple[ast.Stmt, ...],
        scope: Scope,
        code: FunctionBuilder,
        passed: int,
        turn: m.Turn,
        branches: dict[int, tuple[int, int]],
    ) -> list[Later]:
        """The statements that one of them decides alone; they are `passed` over if they have nothing to choose. Gives
        what is left of `branches`."""
        begun, first = len(code.items), body[0]
        plain = isinstance(first, ast.Choose) and first.many is None
        if not plain:
            possible = self.possibility.of_body(body, scope, code.name)
            if possible != YES:
                code.add(m.JumpUnless(possible, passed))
        loops, code.loops = code.loops, []
        alone = code.alone = Alone(first if plain else None, passed, [(begun, first.span)], branches)
        code.add(*(m.SetLocal(taken, NO) for _, taken in branches.values()))
        self.lower_block(body, scope, code)
        code.turns.append(TurnSource(begun, len(code.items), turn, tuple(alone.spans)))
        code.alone, code.loops = None, loops
        return alone.later

    def _put_off(self, later: list[Later], code: FunctionBuilder) -> None:
        """The rest of the branches that one of them has taken."""
        ends = {loop: code.label() for one in later for loop in one.loops}
        for number, one in enumerate(later):
            on, outside = code.label(), len(code.loops)
            code.add(m.JumpUnless(m.Local(one.taken), on))
            code.loops += (replace(loop, end=ends[loop]) for loop in one.loops)
            self.lower_block(one.body, one.scope, code)
            del code.loops[outside:]
            code.mark(on)
            for loop in one.loops:  # left together with what stands behind the branch in it
                if all(loop not in another.loops for another in later[number + 1 :]):
                    code.mark(ends[loop])

    def _kept_by_some(
        self, later: list[Later], known: set[int], first: int, capacity: int, code: FunctionBuilder
    ) -> list[Kept]:
        """The locals of branches, which only those have who have taken them; `first` is the first slot of a turn."""
        found: dict[int, tuple[str, Type, list[m.Expr]]] = {}
        for one in later:
            for name in dict.fromkeys(name for statement in one.body for name in named_in(statement)):
                binding = one.scope.find(name)
                slot = None if binding is None else binding.slot
                if binding is not None and slot is not None and slot >= first and slot not in known:
                    found.setdefault(slot, (name, binding.type, []))[2].append(m.Local(one.taken))
        return [
            Kept(slot, None, tuple(code.slot(f"{name} at once", type) for _ in range(capacity)), any_of(*taken))
            for slot, (name, type, taken) in found.items()
        ]

    def _kept(self, name: str, scope: Scope, capacity: int, code: FunctionBuilder) -> Kept | None:
        binding = scope.names.get(name)
        if binding is None or binding.slot is None:
            return None
        if binding.type.kind in ("set", "list", "positions"):
            each = (code.slot(f"{name} at once", binding.type) for _ in range(capacity))
            return Kept(binding.slot, None, tuple(each))
        return Kept(binding.slot, code.slot(f"{name} at once", binding.type.as_list(capacity)), ())

    def _keep(self, kept: Kept, decided: int, code: FunctionBuilder) -> None:
        if kept.listed is not None:
            code.add(m.Append(kept.listed, m.Local(kept.slot), keeps_none=True))
        for number, slot in enumerate(kept.each):
            here = m.Cmp("eq", m.Size(m.Local(decided), is_list=True), m.Const(number))
            _copy_if(all_of(kept.taken, here), slot, kept.slot, code)

    def _take_out(self, kept: Kept, at: int, code: FunctionBuilder) -> None:
        if kept.listed is not None:
            code.add(m.SetLocal(kept.slot, m.Item(m.Local(kept.listed), m.Local(at))))
        for number, slot in enumerate(kept.each):
            _copy_if(all_of(kept.taken, m.Cmp("eq", m.Local(at), m.Const(number))), kept.slot, slot, code)


def _copy_if(condition: m.Expr, to: int, slot: int, code: FunctionBuilder) -> None:
    on = code.label()
    code.add(m.JumpUnless(condition, on), m.SetLocal(to, m.Local(slot)))
    code.mark(on)


def _used_afterwards(body: tuple[ast.Stmt, ...], rest: tuple[ast.Stmt, ...]) -> list[str]:
    """The names that the first statements give and the rest speaks of, in the order in which they are given; and those
    of the first choices: all observe that these are answered."""
    spoken = {name for statement in rest for name in named_in(statement)}
    spoken.update(statement.name for statement in takewhile(_is_plain, body) if isinstance(statement, ast.Choose))
    given = (getattr(statement, part, None) for statement in body for part in statement.gives)
    return list(dict.fromkeys(name for name in given if name in spoken))


def _is_plain(s: ast.Stmt) -> bool:
    """True if a statement picks one thing, and that is all."""
    return isinstance(s, ast.Choose) and s.many is None and s.then is None and s.otherwise is None
