"""Existence tests: a set, list or flood is computed no further than its first member decides."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any, Literal

from rulewright.ir import model as m
from rulewright.ir.comparison import CmpOp, mirrored
from rulewright.ir.model import NONE
from rulewright.ir.transform.rewriting import PLAIN, Rewriter, substituted
from rulewright.ir.walk import ExprFacts, conjuncts

Test = Literal["no", "some"]
MEMBER = "member"
"""The name of members that nothing depends on."""
_TESTS: Mapping[tuple[CmpOp, int], Test] = {
    **{("eq", 0): "no", ("le", 0): "no", ("lt", 1): "no"},
    **{("ne", 0): "some", ("gt", 0): "some", ("ge", 1): "some"},
}
"""The meaning of a comparison of a number of members with a constant."""
_NONE = m.Const(NONE)
_EMPTY = (m.Const(0), m.MakeSet(()))


class Emptiness:
    """Writes such questions as folds."""

    name = "emptiness"
    kinds = frozenset({m.Cmp, m.SetEq})

    def __init__(self, tables: Mapping[str, m.Table], rewriter: Rewriter, facts: ExprFacts) -> None:
        self._tables = tables
        self._rewriter, self._facts = rewriter, facts

    def describe(self, node: object) -> str:
        """No description of a single rewrite."""
        return ""

    def rewritten(self, node: m.Cmp | m.SetEq) -> m.Expr:
        """The question whether there is a member, if a comparison asks nothing else."""
        found: m.Expr | None = None
        match node:
            case m.SetEq(left, right):
                if right in _EMPTY or left in _EMPTY:
                    found = self._test(left if right in _EMPTY else right, "no", False)
            case m.Cmp("eq" | "ne", left, m.Const(value), nothing=True) if value == NONE:
                found = self._absence(left, "no" if node.op == "eq" else "some")
            case m.Cmp(op, left, m.Const(value)) if (op, value) in _TESTS:
                found = self._counted(left, _TESTS[op, value])
            case m.Cmp(op, m.Const(value), right) if (mirrored(op), value) in _TESTS:
                found = self._counted(right, _TESTS[mirrored(op), value])
        return node if found is None else found

    def _counted(self, e: m.Expr, test: Test) -> m.Expr | None:
        """A question about a number of members."""
        match e:
            case m.Size(of, is_list):
                return self._test(of, test, is_list)
            case m.Fold("count", binds, where) if not self._facts.fallible(e):
                return self._rewriter.moved(e, m.Fold(test, binds, where, None))
            case _:
                return None

    def _absence(self, e: m.Expr, test: Test) -> m.Expr | None:
        """A question about a member of a set that is none if, and only if, there is none."""
        found: m.Expr | None = None
        match e:
            case m.LetIn(var, value, body):
                inner = self._absence(body, test)
                found = None if inner is None else m.LetIn(var, value, inner)
            case m.First(of, is_list=False):
                found = self._test(of, test, False)
            case m.Single(m.Best(source, is_list=False) as best) if self._has_one_best(best):
                found = self._test(source, test, False)
            case m.Fold("max" | "min", binds, where, body) if body is not None and not self._facts.fallible(e):
                there = (self._presence(body, "some"),)
                found = m.Fold(test, binds, m.And(there if where is None else (where, *there)), None)
        return None if found is None else self._rewriter.moved(e, found)

    def _test(self, e: m.Expr, test: Test, is_list: bool) -> m.Expr:
        """The question whether a set or list has a member."""
        if isinstance(e, m.Charged) and not e.each and not e.all:  # which pays first, whatever is asked of it
            return self._rewriter.changed(e, {"of": self._test(e.of, test, is_list)})
        found = None if self._facts.fallible(e) else self._without(e, test, is_list)
        if found is None:
            return m.Fold(test, (m.Bound(MEMBER, e, is_list),), None, None)
        return self._rewriter.moved(e, found)

    def _without(self, e: m.Expr, test: Test, is_list: bool) -> m.Expr | None:
        """The test applied to what a set would be made from; None if it is not made of anything."""
        match e:
            case m.LetIn(var, value, body):
                return m.LetIn(var, value, self._test(body, test, is_list))
            case m.IfElse(condition, then, otherwise):
                return m.IfElse(condition, self._test(then, test, is_list), self._test(otherwise, test, is_list))
            case m.SetOp("union", left, right):
                return self._both((self._test(left, test, False), self._test(right, test, False)), test)
            case m.MakeSet(items):
                return self._both(tuple(self._presence(item, test) for item in items), test)
            case m.Filter(source, var, where):
                while isinstance(source, m.Filter) and source.is_list == e.is_list and self._may_see(source, var):
                    inner = substituted(self._rewriter, source.where, {source.var: m.Var(var)})
                    source, where = source.source, m.And((*conjuncts(inner), *conjuncts(where)))
                return m.Fold(test, (m.Bound(var, source, e.is_list),), where, None)
            case m.Collect(source, var, element, flat):
                there = self._test(element, "some", False) if flat else self._presence(element, "some")
                return self._test(m.Filter(source, var, there, e.is_list), test, e.is_list)
            case m.Mapped(source, var, element, flat=False):
                return self._test(m.Filter(source, var, self._presence(element, "some"), e.is_list), test, e.is_list)
            case m.Best(source, var, key):
                return self._test(m.Filter(source, var, self._presence(key, "some"), e.is_list), test, e.is_list)
            case m.ToList(of):
                return self._test(of, test, False)
            case m.Sort(source):
                return self._test(source, test, e.is_list)
            case _:
                return None

    def _may_see(self, inner: m.Filter, var: str) -> bool:
        """True if the condition of a filter means the same where its members have another name."""
        return var == inner.var or var not in self._facts.free(inner.where)

    def _both(self, parts: tuple[m.Expr, ...], test: Test) -> m.Expr:
        return m.And(parts) if test == "no" else m.Or(parts)

    def _presence(self, e: m.Expr, test: Test) -> m.Expr:
        return m.Cmp("eq" if test == "no" else "ne", e, _NONE, nothing=True)

    def _has_one_best(self, best: m.Best) -> bool:
        """True if there is one best member unless there is none: each has a printed key, and no two things that are the
        same in all that a condition fixes have the same."""
        match best:
            case m.Best(m.Filter(m.Alive(), var, where, False), member, m.Attr(key, m.Var(name))) if name == member:
                fixed = [
                    part.left.table
                    for part in conjuncts(where)
                    if isinstance(part, m.Cmp) and part.op == "eq" and isinstance(part.left, m.Attr)
                    and part.left.of == m.Var(var) and var not in self._facts.free(part.right)
                ]  # fmt: skip
                keys = self._tables[key].values
                rows: list[tuple[Any, ...]] = list(
                    zip(*(self._tables[name].values for name in [*fixed, key]), strict=True)
                )
                return NONE not in keys and len(set(rows)) == len(rows)
            case m.Best():
                return False


_NAMES = "found", "asked"
"""The names of places that are compared with another one, and of that one."""


class Floods:
    """Writes questions about floods in such a way that the first place decides."""

    name = "floods"
    kinds = frozenset({m.Fold, m.Contains})

    def __init__(self, rewriter: Rewriter, facts: ExprFacts) -> None:
        self._rewriter, self._facts = rewriter, facts

    def describe(self, node: object) -> str:
        """No description of a single rewrite."""
        return ""

    def rewritten(self, node: m.Fold | m.Contains) -> m.Expr:
        """The test whether a flood reaches a place, if nothing else is needed."""
        if self._facts.fallible(node):
            return node
        found = self._member(node) if isinstance(node, m.Contains) else self._aggregate(node)
        return node if found is None else self._rewriter.moved(node, found)

    def _member(self, node: m.Contains) -> m.Expr | None:
        """The question whether a known place is come to; it is worked out before."""
        if node.is_list:
            return None
        taken = self._facts.free(node)
        place, wanted = (next(new for n in count() if (new := f"{name}{n or ''}") not in taken) for name in _NAMES)
        if isinstance(node.item, PLAIN):
            return self._reaches(node.collection, place, m.Cmp("eq", m.Var(place), node.item))
        if not self._facts.free(node.item) <= self._facts.free(node.collection):
            return None
        found = self._reaches(node.collection, place, m.Cmp("eq", m.Var(place), m.Var(wanted)), wanted)
        return None if found is None else m.LetIn(wanted, node.item, found)

    def _aggregate(self, node: m.Fold) -> m.Expr | None:
        bind, *others = node.binds
        where, kind = node.where, node.kind
        if bind.is_list or kind not in ("some", "no", "every"):
            return None
        if kind == "every":
            assert node.body is not None
            refused = m.Not(node.body)
            where = refused if where is None else m.And((*conjuncts(where), refused))
        if others:
            where = m.Fold("some", tuple(others), where, None)
        found = None if where is None else self._reaches(bind.source, bind.var, where)
        return found if found is None or kind == "some" else m.Not(found)

    def _reaches(self, source: m.Expr, var: str, where: m.Expr, given: str = "") -> m.Expr | None:
        """The question whether a condition holds for a member of what is a flood, or members of one; `given` is a
        variable that the condition may ask, too."""
        match source:
            case m.LetIn(name, value, body):
                if name in self._facts.free(where):
                    return None
                found = self._reaches(body, var, where, given)
                return None if found is None else m.LetIn(name, value, found)
            case m.Filter(inner, name, condition, False) if var == name or var not in self._facts.free(condition):
                part = substituted(self._rewriter, condition, {name: m.Var(var)})
                return self._reaches(inner, var, m.And((*conjuncts(part), *conjuncts(where))), given)
            case m.SetOp("inter" | "minus" as op, left, right):
                if op == "inter" and isinstance(right, m.ReachFrom | m.Closure):
                    left, right = right, left
                if var in self._facts.free(right):
                    return None
                there: m.Expr = m.Contains(right, m.Var(var))
                there = there if op == "inter" else m.Not(there)
                return self._reaches(left, var, m.And((there, *conjuncts(where))), given)
            case m.ReachFrom() | m.Closure():
                wanted = self._facts.free(where) - {var, given}
                return m.Reaches(source, var, where) if wanted <= self._facts.free(source) else None
            case _:
                return None
