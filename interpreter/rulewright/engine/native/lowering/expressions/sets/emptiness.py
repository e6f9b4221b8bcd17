"""Emptiness: whether a set has a member at all is found without building it, and the first member decides. So it is
with a member that is none if there is no such member."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.sets.sparse_sets import SparseSets
from rulewright.engine.native.lowering.expressions.state.zone_facts import is_row, length, occupant
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import Term
from rulewright.ir import model as m
from rulewright.ir.conditions import conjuncts
from rulewright.ir.model import NONE

_NONE = m.Const(NONE)


class Emptiness:
    """Writes such questions."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.ctx, self.sparse = lower, lower.ctx, SparseSets(lower)

    def of(self, e: m.Expr) -> Term:
        """The truth of a set or list being empty."""
        if isinstance(e, m.ZoneGet) and (empty := self._empty_zone(e)) is not None:
            return empty
        truth = self._truth(e) if self.ctx.log.makes("emptiness") else None
        if truth is not None:
            return truth.term
        found = self.sparse.collection(e)
        return self.lower.lists.length(found).eqz() if found.is_list else self.lower.writer.empty(found)

    def _empty_zone(self, e: m.ZoneGet) -> Term | None:
        """The truth of a zone being empty, where a number tells it; None if it is to be found otherwise."""
        if e.zone in self.ctx.memory.occupants:
            return occupant(self.lower, e).term.eq(NONE)
        return length(self.lower, e).term.eqz() if is_row(self.lower, e) else None

    def absence(self, e: m.Expr) -> Value | None:
        """The truth of the only or the best member of a set being none; None if the value is to be worked out."""
        if not self.ctx.log.makes("emptiness") or not self._is_one_of(e):
            return None
        match e:
            case m.LetIn():
                with self.sparse.let(e):
                    return self.absence(e.body)
            case m.Single(m.Best() as best):
                with self.lower.inside(e):
                    return self.lower.writer.hold(self.of(best.source), 0, 1)
            case _:
                raise AssertionError(e)

    def _is_one_of(self, e: m.Expr) -> bool:
        """True if an expression gives a member of a set unless the set is empty."""
        while isinstance(e, m.LetIn):
            e = e.body
        match e:
            case m.Single(m.Best(m.Filter(var=var, is_list=False) as kept, member, m.Attr(key, m.Var(name)))):
                equal = [part for part in conjuncts(kept.where) if isinstance(part, m.Cmp) and part.op == "eq"]
                fixed = [
                    part.left.table
                    for part in equal
                    if isinstance(part.left, m.Attr) and part.left.of == m.Var(var) and self._is_free(part.right, var)
                ]
                return name == member and isinstance(kept.source, m.Alive) and self._are_unique(key, fixed)
            case _:
                return False

    def _is_free(self, e: m.Expr, var: str) -> bool:
        return var not in self.ctx.facts.free(e)

    def _are_unique(self, key: str, fixed: list[str]) -> bool:
        """True if everything has a printed key, and no two things with the same other values have the same."""
        keys = self.ctx.tables[key].values
        rows = list(zip(*(self.ctx.tables[name].values for name in [*fixed, key]), strict=True))
        return NONE not in keys and len(set(rows)) == len(rows)

    def _truth(self, e: m.Expr) -> Value | None:
        """The truth of a set being empty; None if it is to be built, as it is not one of these, or may be an error."""
        match e:
            case m.LetIn() if self._is_put_together(e):
                with self.sparse.let(e):
                    return self._truth(e.body)
        condition = None if self.sparse.is_sparse(e) else self._condition(e)
        if condition is None:
            return None
        self.ctx.log.note("emptiness")
        with self.lower.inside(e):
            return self.lower.value(condition)

    def _is_put_together(self, e: m.Expr) -> bool:
        """True if `_truth` has an answer for an expression."""
        while isinstance(e, m.LetIn):
            e = e.body
        return self._condition(e) is not None

    def _condition(self, e: m.Expr) -> m.Expr | None:
        """The condition for a set being empty."""
        if self.ctx.facts.fallible(e):  # then all of it is worked out, as an error may come late
            return None
        match e:
            case m.SetOp("union"):
                return m.And((self._part(e.left), self._part(e.right)))
            case m.MakeSet(items) if items:
                return m.And(tuple(m.Cmp("eq", item, _NONE, nothing=True) for item in items))
            case m.Filter(m.MakeSet(items), var, is_list=False) if len(items) == 1:
                return m.LetIn(var, items[0], m.Or((m.Cmp("eq", m.Var(var), _NONE, nothing=True), m.Not(e.where))))
            case m.Collect(m.Filter(var=inner, is_list=False) as kept, var, flat=False, is_list=False) if inner == var:
                both = m.And((kept.where, m.Cmp("ne", e.element, _NONE, nothing=True)))
                return m.Fold("no", (m.Bound(var, kept.source, False),), both, None)
            case m.Collect(var=var, flat=False, is_list=False):
                where = m.Cmp("ne", e.element, _NONE, nothing=True)
                return m.Fold("no", (m.Bound(var, e.source, False),), where, None)
            case _:
                return None

    def _part(self, e: m.Expr) -> m.Expr:
        found = self._condition(e)
        return m.SetEq(e, m.Const(0)) if found is None else found
