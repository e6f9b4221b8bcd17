"""Keyed values: a number or truth for each member of a universe, such as ``Int[Good]``.

At run time such a value is a list in the order of the universe, so that engines and passes know nothing of it. While it
is only indexed, compared or computed with, no list is made of it: the form of a field without its
last key is a list that is ``Mapped`` over the universe, and the element of that list is taken for the key.

Either all of its values are none, or none of them is: one of a field, table or query is none as a whole, and in a
literal what is none adds nothing. So a list of those that are not none has each at the place of its key.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.compiler.symbols.static_types import BOOL, INT, Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Typed
from rulewright.diagnostics import Span
from rulewright.ir import model as m
from rulewright.ir.arithmetic import ArithOp, bounds, clamped
from rulewright.ir.comparison import CmpOp
from rulewright.ir.folds import FoldKind
from rulewright.ir.transform.rewriting import Rewriter, substituted

_NAMES = (m.Const, m.Var, m.Local)
_AT_HAND = (m.Mapped, m.ListConst, m.MakeList, m.Attr, m.Var, m.Local)
"""Forms of which each value can be taken by itself."""


def value_at(ir: m.Expr, key: m.Expr) -> m.Expr:
    """The value of a key that is not none."""
    number = key.value if isinstance(key, m.Const) else None
    match ir:
        case m.Mapped(_, var, element) if isinstance(key, _NAMES):
            return substituted(Rewriter(), element, {var: key})
        case m.ListConst(values) if number is not None:
            return m.Const(values[number])
        case m.MakeList(items) if number is not None:
            return items[number]
        case _:
            return m.Item(ir, key)


def is_none(ir: m.Expr) -> m.Cmp:
    """The test whether something is none."""
    return m.Cmp("eq", ir, m.Const(m.NONE), nothing=True)


class KeyedValues:
    """Makes, compares and computes values that are keyed by a universe."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context
        self.world: SymbolTable = context.world

    def partial(self, name: str, read: type[m.FieldGet | m.Attr], given: tuple[m.Expr, ...]) -> Typed | None:
        """The values of a field by its last key, if its others are `given`, or of a parameter with keys. None if these
        are no numbers or truths."""
        world = self.world
        if read is m.FieldGet:
            *_, universe = world.fields[name].index or ("",)
            type, table = world.fields[name].type, name
        else:
            universe, type, table = world.keyed[name]
        if type.kind not in ("int", "bool") or type.optional or not world.may_be_key(universe):
            return None
        var = self.context.fresh("key")
        index = (*given, m.Var(var))
        element: m.Expr = m.FieldGet(table, index) if read is m.FieldGet else m.Attr(table, m.Var(var))
        return Typed(self.mapped(universe, var, element), type.keyed_by(universe, world.size(universe)))

    def mapped(self, universe: str, var: str, element: m.Expr) -> m.Mapped:
        """A value for each member of a universe."""
        return m.Mapped(self.members(universe), var, element)

    def members(self, universe: str) -> m.Expr:
        """All members of a universe, also players who are out."""
        return m.Const((1 << self.world.size(universe)) - 1)

    value_at = staticmethod(value_at)

    def at(self, value: Typed, key: m.Expr, optional: bool) -> Typed:
        """The value of a key, none if the key is."""
        found = m.Item(value.ir, key) if optional else value_at(value.ir, key)
        type = value.type.element()
        if type.kind == "bool":
            return Typed(m.Cmp("eq", found, m.Const(1)) if optional else found, BOOL)
        return Typed(found, type.or_none() if optional else type)

    def literal(self, entries: list[tuple[Typed, Typed]], universe: str, of: Type) -> Typed:
        """``{wood: 1, brick: 2}``: what is not named is 0, what is named twice is added."""
        type = of.keyed_by(universe, self.world.size(universe))
        truths = of.kind == "bool"
        if all(isinstance(key.ir, m.Const) for key, _ in entries):
            values: list[m.Expr] = [m.Const(0)] * type.capacity
            for key, value in entries:
                assert isinstance(key.ir, m.Const)
                values[key.ir.value] = self._or_nothing(value)
            if all(isinstance(value, m.Const) for value in values):
                return Typed(m.ListConst(tuple(v.value for v in values if isinstance(v, m.Const))), type)
            return Typed(m.MakeList(tuple(values)), type)
        var, held, parts = self.context.fresh("key"), [], []
        for key, value in entries:
            name, amount = self.context.fresh("named"), self.context.fresh("amount")
            held += [(name, key.ir), (amount, self._or_nothing(value))]
            same: m.Expr = m.Cmp("eq", m.Var(var), m.Var(name))
            parts.append(m.And((same, m.Var(amount))) if truths else m.IfElse(same, m.Var(amount), m.Const(0)))
        element: m.Expr = m.Or(tuple(parts)) if truths else parts[0]
        for part in () if truths else parts[1:]:
            element = m.Arith("add", element, part)
        ir: m.Expr = self.mapped(universe, var, element)
        for name, bound in reversed(held):
            ir = m.LetIn(name, bound, ir)
        return Typed(ir, type)

    def collected(self, bounds: tuple[m.Bound, ...], where: m.Expr | None, key: Typed, value: Typed) -> Typed:
        """``{k: v for x in S where C}``: what is not named is 0, what is named by several is added."""
        universe, truths = key.type.universe, value.type.kind == "bool"
        members, (first, *others) = self.members(universe), bounds
        if not others and key.ir == m.Var(first.var) and not first.is_list:  # each is named once
            conditions: list[m.Expr] = [] if first.source == members else [m.Contains(first.source, m.Var(first.var))]
            conditions += [] if where is None else [where]
            element = self._or_nothing(value)
            if conditions:
                element = m.IfElse(m.And(tuple(conditions)), element, m.Const(0))
            ir = m.Mapped(members, first.var, element)
        else:
            var = self.context.fresh("key")
            named = m.And((*([] if where is None else [where]), m.Cmp("eq", key.ir, m.Var(var))))
            if truths:
                ir = m.Mapped(members, var, m.Fold("some", bounds, m.And((*named.items, value.ir)), None))
            else:
                ir = m.Mapped(members, var, m.Fold("sum", bounds, named, value.ir))
        of = BOOL if truths else value.type.present() if not others and ir.var == first.var else INT
        of = replace(of, low=min(of.low, 0), high=max(of.high, 0)) if of.kind == "int" else of
        return Typed(ir, of.keyed_by(universe, self.world.size(universe)))

    def _or_nothing(self, value: Typed) -> m.Expr:
        """A value in a literal: none adds nothing."""
        if isinstance(value.ir, m.Const):
            return m.Const(max(value.ir.value, 0)) if value.ir.value == m.NONE else value.ir
        amount = self.context.fresh("amount")
        return m.LetIn(amount, value.ir, m.IfElse(is_none(m.Var(amount)), m.Const(0), m.Var(amount)))

    def compared(self, op: CmpOp, a: Typed, b: Typed) -> m.Expr:
        """The condition that a comparison holds for each key."""
        held: list[tuple[str, m.Expr]] = []
        left, right = self._held(a.ir, held), self._held(b.ir, held)
        var = self.context.fresh("key")
        same = m.Cmp("eq" if op == "ne" else op, value_at(left, m.Var(var)), value_at(right, m.Var(var)))
        every: m.Expr = m.Fold("every", (m.Bound(var, self.members(a.type.keys)),), None, same)
        return self._bound(held, m.Not(every) if op == "ne" else every)

    def computed(self, op: ArithOp, a: Typed, b: Typed) -> Typed:
        """The sum and the like of two values for each key, or of each with one number."""
        held: list[tuple[str, m.Expr]] = []
        var, keys = self.context.fresh("key"), a.type.keys or b.type.keys
        left, right = (
            value_at(self._held(side.ir, held), m.Var(var)) if side.type.keys else self._held(side.ir, held, m.Const)
            for side in (a, b)
        )
        low, high = clamped(bounds(op, (a.type.low, a.type.high), (b.type.low, b.type.high))) or (INT.low, INT.high)
        ir = self._bound(held, self.mapped(keys, var, m.Arith(op, left, right)))
        return Typed(ir, replace(a.type if a.type.keys else b.type, low=low, high=high))

    def folded(self, kind: FoldKind, value: Typed) -> m.Expr:
        """``sum(stock[p])``: of all its values."""
        var = self.context.fresh("key")
        held: list[tuple[str, m.Expr]] = []
        body = value_at(self._held(value.ir, held), m.Var(var))
        return self._bound(held, m.Fold(kind, (m.Bound(var, self.members(value.type.keys)),), None, body))

    def added(self, bounds: tuple[m.Bound, ...], where: m.Expr | None, value: Typed) -> Typed:
        """``sum(x.cost for x in S)``."""
        var = self.context.fresh("key")
        body = m.Fold("sum", bounds, where, value_at(value.ir, m.Var(var)))
        low = 0 if value.type.low >= 0 else INT.low
        return Typed(self.mapped(value.type.keys, var, body), replace(value.type, low=low, high=INT.high))

    def _held(self, ir: m.Expr, held: list[tuple[str, m.Expr]], at_hand: type | tuple[type, ...] = _AT_HAND) -> m.Expr:
        """An operand that is computed once."""
        if isinstance(ir, at_hand):
            return ir
        held.append((self.context.fresh("operand"), ir))
        return m.Var(held[-1][0])

    @staticmethod
    def _bound(held: list[tuple[str, m.Expr]], body: m.Expr) -> m.Expr:
        for name, ir in reversed(held):
            body = m.LetIn(name, ir, body)
        return body

    def needs_key(self, value: Typed, span: Span) -> bool:
        """Report a field or parameter without its last key where one number or truth is needed."""
        if not isinstance(value.ir, m.Mapped):
            return False
        match value.ir.element:
            case m.FieldGet(name, (*given, _)):
                keys, count = self.world.index_hint(name), len(given)
            case m.Attr(table, m.Var(value.ir.var)) if (name := table.partition("[")[0]) in self.world.keyed:
                keys, count = self.world.index_hint(name), 0
            case _:
                return False
        message = f"`{name}` needs a key" if not count else f"`{name}` takes {count + 1} keys, not {count}"
        self.context.error("TYP207", message, span, hint=f"{name}[{keys}]")
        return True
