"""Evaluation of expressions: the closures of any kind, and the forms in which others need them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rulewright.engine.evaluator.context import Context
from rulewright.engine.evaluator.registers import Registers
from rulewright.engine.evaluator.scope import Environment, Evaluate, Scope
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.declared_types import DeclaredTypes
from rulewright.ir.facts import from_origins
from rulewright.ir.model import NONE
from rulewright.ir.set_operations import SetOperation

COSTLY = (
    m.CallQuery, m.Fold, m.Filter, m.Leading, m.Collect, m.Mapped, m.Best, m.Sort, m.Closure, m.Component,
    m.Fingerprint, m.Grown, m.ReachFrom, m.Reaches, m.RegionsBeside, m.ToSet,
)  # fmt: skip
"""Worth to be kept over the passes of a loop that they do not depend on."""
_TRUTHS = (m.Cmp, m.SetEq, m.And, m.Or, m.Not, m.Contains, m.InZone, m.Reaches)
_SEQUENCES = (
    m.ListConst, m.MakeList, m.Joined, m.Mapped, m.Top, m.ZoneList, m.Sort, m.ToList, m.ClockwiseFrom, m.Leading,
    m.Fingerprint,
)  # fmt: skip
_CHOSEN = {m.IfElse: ("then", "otherwise"), m.LetIn: ("body",), m.Charged: ("of",)}
"""Expressions whose value is that of one of these parts, evaluated in the same cells."""
_AS_PART = {m.IfElse: "then", m.Filter: "source", m.Charged: "of", m.Old: "of", m.After: "of"}
"""Expressions that give a list if one of their parts does."""

KEPT_MEMBERS = 1 << 18
"""The room for sets whose members are kept: 1 for each set, and 1 for each eight members of it."""


class Members(dict[int, tuple[int, ...]]):
    """The members of sets, least first; those of sets that occur are kept."""

    def __init__(self) -> None:
        super().__init__()
        self._left = KEPT_MEMBERS

    def __missing__(self, mask: int) -> tuple[int, ...]:
        found = tuple(bits_of(mask))
        self._left -= 1 + len(found) // 8
        if self._left < 0:
            self.clear()
            self._left = KEPT_MEMBERS
        self[mask] = found
        return found


class MemberTable(Protocol):
    """A table of the members of sets, least first, or of the items of lists."""

    def __getitem__(self, collection: Any, /) -> tuple[int, ...]: ...


class _Items:
    """The items of lists: a list is its own items."""

    def __getitem__(self, items: tuple[int, ...]) -> tuple[int, ...]:
        return items


set_members: MemberTable = Members()
list_items: MemberTable = _Items()

Part = Callable[["Expressions"], object]
Method = Callable[[Any, Any, Scope], Evaluate]
Kinds = Mapping[type, tuple[Part, Method]]
"""For each kind of expression the part that evaluates it, and by which method."""


class Expressions:
    """Makes closures; what is particular to each kind of expression, its part has."""

    def __init__(
        self, ctx: Context, kinds: Kinds, tests: Kinds, what_if: Callable[..., Any], query: Callable[[str], Any]
    ) -> None:
        """`tests` has kinds that are evaluated otherwise where a truth is wanted that is never none; `what_if` makes
        hypothetical positions, `query` gives the function of a query."""
        self.ctx, self._kinds, self._tests, self.what_if, self.query = ctx, kinds, tests, what_if, query
        self._parts: dict[Part, object] = {}
        self._types = DeclaredTypes(replace(ctx.program, tables=tuple(ctx.tables.values())))
        self._constants: dict[Evaluate, Any] = {}
        self.invariants: dict[Evaluate, tuple[int, Evaluate]] = {}
        """By closures that keep a loop invariant the place where it is kept, and the closure that computes it."""

    def is_truth(self, e: m.Expr) -> bool:
        """True of an expression whose closure gives what Python takes as a truth, no number, and never none."""
        if type(e) in _CHOSEN:
            return not [name for name in _CHOSEN[type(e)] if not self.is_truth(getattr(e, name))]
        if isinstance(e, m.CallQuery):
            return self.query_is_truth(e.query)
        return e.kind in ("some", "no", "every") if isinstance(e, m.Fold) else isinstance(e, _TRUTHS)

    def _is_bool(self, e: m.Expr) -> bool:
        """True of a field or printed value that is a truth, and none only of none."""
        ty = self._types.of(e)
        return ty is not None and ty.kind == "bool" and not ty.optional

    def query_is_truth(self, name: str) -> bool:
        """True of a query whose function gives what Python takes as a truth, as it never gives none."""
        ty = self.ctx.queries[name].ty
        return ty.kind == "bool" and not ty.optional and ("result", name, 0) not in self.ctx.null

    # ------------------------------------------------------------------------------------------ forms of a value

    def closure(self, e: m.Expr, s: Scope) -> Evaluate:
        """The closure of an expression: a value, or a truth as Python has it if :meth:`is_truth`. In a loop that does
        not change it, it is kept."""
        if s.loops and isinstance(e, COSTLY) and not self.ctx.facts.pays(e):
            level = max((s.variables[name].level for name in self.ctx.facts.free(e)), default=0)
            if level < len(s.loops):
                return self._kept(e, s, level)
        return self._fresh(e, s)

    def _fresh(self, e: m.Expr, s: Scope) -> Evaluate:
        made = self._by(self._kinds[type(e)], e, s)
        if isinstance(e, m.Const):
            self._constants[made] = e.value
        return made

    def _by(self, evaluated: tuple[Part, Method], e: m.Expr, s: Scope) -> Evaluate:
        part, method = evaluated
        if part not in self._parts:
            self._parts[part] = part(self)
        return method(self._parts[part], e, s)

    def constant(self, made: Evaluate) -> Any:
        """The value of a closure that always has the same; else Python's None."""
        return self._constants.get(made)

    def constant_closure(self, value: Any) -> Evaluate:
        """The closure of a value that is known."""
        made: Evaluate = lambda C, E: value  # noqa: E731
        self._constants[made] = value
        return made

    def _kept(self, e: m.Expr, s: Scope, level: int) -> Evaluate:
        """An expression that some loops around it do not change: computed when it is first needed, and kept until the
        outermost of them ends."""
        at = s.new()
        s.loops[level].append(at)
        made = self._fresh(e, s.before(level))

        def kept(C: list[int], E: Environment) -> Any:
            value = E[at]
            if value is None:
                value = E[at] = made(C, E)
            return value

        self.invariants[kept] = at, made
        return kept

    def value(self, e: m.Expr, s: Scope) -> Evaluate:
        """An expression as a value that can be stored: truths are 0 or 1."""
        made = self.closure(e, s)
        return (lambda C, E: 1 if made(C, E) else 0) if self.is_truth(e) else made

    def values(self, expressions: Sequence[m.Expr], s: Scope) -> list[Evaluate]:
        """Several values."""
        return [self.value(e, s) for e in expressions]

    def test(self, e: m.Expr, s: Scope) -> Evaluate:
        """A condition, as what Python takes as a truth; none does not hold."""
        if self.is_truth(e):
            return self.closure(e, s)
        if type(e) in self._tests and self._is_bool(e):
            return self._by(self._tests[type(e)], e, s)
        value = self.closure(e, s)
        return lambda C, E: value(C, E) > 0

    def looked_up(self, values: tuple[Any, ...], of: m.Expr, s: Scope, nothing: Any) -> Evaluate:
        """The entry of a table for a value; of none the given one."""
        if isinstance(of, m.Var):
            at = s.variables[of.name].at
            return lambda C, E: values[E[at]] if E[at] >= 0 else nothing
        value = self.value(of, s)

        def look(C: list[int], E: Environment) -> Any:
            one = value(C, E)
            return values[one] if one >= 0 else nothing

        return look

    def bits(self, e: m.Expr, s: Scope) -> Evaluate:
        """A set, also of the items of a list."""
        value, list_mask = self.value(e, s), self.ctx.support.list_mask
        return (lambda C, E: list_mask(value(C, E))) if self.is_list(e, s) else value

    def members(self, e: m.Expr, s: Scope) -> tuple[Evaluate, MemberTable]:
        """A set or a list, and where its members, least first, or its items are looked up, as a tuple."""
        return self.value(e, s), list_items if self.is_list(e, s) else set_members

    def is_list(self, e: m.Expr, s: Scope) -> bool:
        """True of an expression whose value is a list."""
        match e:
            case m.Var(name):
                return s.variables[name].is_list
            case m.Local(slot):
                return s.slots[slot][1].ty.kind == "list"
            case m.LetIn():
                return self.is_list(e.body, s.typed(e.var, self.is_list(e.value, s)))
            case _ if type(e) in _AS_PART:
                return self.is_list(getattr(e, _AS_PART[type(e)]), s)
            case _:
                declared = e.ty if isinstance(e, m.Fault) else self._types.of(e)
                return isinstance(e, _SEQUENCES) if declared is None else declared.kind == "list"

    def is_living(self, e: m.Expr, s: Scope) -> bool:
        """True of a region that is living in the cells that are evaluated, or none, and of a collection of such."""

        def own(one: m.Expr, _: str) -> bool:
            match one:
                case m.Canon() | m.RegionsBeside():
                    return True
                case m.Alive(universe):
                    return universe in self.ctx.layout.merged
                case m.Var(name):
                    return s.variables[name].is_living
                case m.Collect(source, var, element, flat=False):
                    return self.is_living(element, s.typed(var, False, self.is_living(source, s)))
                case _:
                    return False

        def combined(op: SetOperation, a: bool, b: bool) -> bool:
            return a and b if op == "union" else a or (b and op == "inter")

        return from_origins(e, own, combined)

    # ------------------------------------------------------------------------------------------ addresses

    def address(
        self, at: int, strides: tuple[int, ...], universes: tuple[str, ...], index: tuple[m.Expr, ...], s: Scope
    ) -> Evaluate | int:
        """The number of a cell, negative if a key is none; where it is always the same, the number itself."""
        merged, keys = self.ctx.layout.merged, []
        for e, stride, universe in zip(index, strides, universes, strict=True):
            if isinstance(e, m.Const) and e.value >= 0 and universe not in merged:
                at += e.value * stride
            else:
                is_merged = universe in merged and not self.is_living(e, s)
                keys.append((self.value(e, s), stride, merged[universe].rep if is_merged else -1))
        if not keys:
            return at
        key, stride, rep = keys[0]
        if len(keys) == 1 and rep < 0:
            # none is so small a number that the address is negative
            return (lambda C, E: at + key(C, E)) if stride == 1 else (lambda C, E: at + key(C, E) * stride)
        if len(keys) == 1:

            def of_region(C: list[int], E: Environment) -> int:
                one = key(C, E)
                return at + C[rep + one] * stride if one >= 0 else -1

            return of_region
        if len(keys) == 2 and rep < 0 and keys[1][2] < 0:
            second, stride_2, _ = keys[1]

            def pair(C: list[int], E: Environment) -> int:
                a, b = key(C, E), second(C, E)
                return -1 if a < 0 or b < 0 else at + a * stride + b * stride_2

            return pair

        def address(C: list[int], E: Environment) -> int:
            found, missing = at, False
            for key, stride, rep in keys:
                one = key(C, E)
                if one < 0:
                    missing = True
                elif not missing:
                    found += (C[rep + one] if rep >= 0 else one) * stride
            return -1 if missing else found

        return address

    @staticmethod
    def pay(R: Registers, steps: int) -> None:
        """Pay here and now, and stop if nothing is left."""
        R.budget -= steps
        if R.budget < 0:
            R.meter.refill(R)


def nothing_of(kind: str) -> Any:
    """The value in place of none, for values of such a kind."""
    return 0 if kind == "set" else () if kind == "list" else NONE
