"""Unswitching: a condition on members that does not depend on them is evaluated once, if there is a member at all.

``{x in S where C}`` becomes ``S`` or nothing. What is evaluated before such a condition and can be an error keeps it in
its place, and so does an error in itself. Where the condition asks for ``S``, too, it is not made again.
"""

from __future__ import annotations

from rulewright.ir import model as m
from rulewright.ir.transform.rays import has_places
from rulewright.ir.transform.rewriting import PLAIN, Rewriter, bound_variables, conjunction
from rulewright.ir.walk import ExprFacts, conjuncts, nodes


class Unswitching:
    """Takes such conditions out of filters, and out of questions whether there is a member."""

    name = "unswitching"
    kinds = frozenset({m.Filter, m.Fold})

    def __init__(self, rewriter: Rewriter, facts: ExprFacts) -> None:
        self._rewriter, self._facts = rewriter, facts

    def describe(self, node: object) -> str:
        """No description of a single rewrite."""
        return ""

    def rewritten(self, node: m.Filter | m.Fold) -> m.Expr:
        """An equal expression with fewer conditions on each member."""
        if isinstance(node, m.Filter):
            return node if node.is_list else self._filter(node)
        if node.kind in ("some", "no") and len(node.binds) == 1 and not node.binds[0].is_list:
            return self._fold(node)
        return node

    def _filter(self, node: m.Filter) -> m.Expr:
        once, each = self._parted(node.where, node.var)
        if not once:
            return node
        source, name = self._bound(node, node.source, node.var)
        conditions = [self._with(part, node.source, source) for part in once]
        nearest = has_places(node.source) if isinstance(node.source, m.Ray) else None
        if nearest is not None and all(a is b for a, b in zip(conditions, once, strict=True)):
            choice = m.IfElse(m.And((nearest, *once)), self._each(node, node.source, each), m.MakeSet(()))
            return self._rewriter.moved(node, choice)
        some = m.Fold("some", (m.Bound(node.var, source),), None, None)
        choice = m.IfElse(m.And((some, *conditions)), self._each(node, source, each), m.MakeSet(()))
        return self._let(node, name, node.source, choice)

    def _each(self, node: m.Filter, source: m.Expr, each: list[m.Expr]) -> m.Expr:
        return m.Filter(source, node.var, conjunction(each)) if each else source

    def _fold(self, node: m.Fold) -> m.Expr:
        (bind,) = node.binds
        once, each = self._parted(node.where, bind.var) if node.where is not None else ([], [])
        if not once:
            return node
        source, name = self._bound(node, bind.source, bind.var)
        members = (m.Bound(bind.var, source),)
        conditions = (m.Fold("some", members, None, None), *(self._with(part, bind.source, source) for part in once))
        found: m.Expr = m.And((*conditions, m.Fold("some", members, conjunction(each), None)) if each else conditions)
        return self._let(node, name, bind.source, m.Not(found) if node.kind == "no" else found)

    def _parted(self, where: m.Expr, var: str) -> tuple[list[m.Expr], list[m.Expr]]:
        """The conditions that do not depend on a variable, and those that do, each in their order."""
        parts = conjuncts(where)
        once, each = list[m.Expr](), list[m.Expr]()
        for number, part in enumerate(parts):
            if self._facts.fallible(part):
                return once, [*each, *parts[number:]]
            (each if var in self._facts.free(part) else once).append(part)
        return once, each

    def _bound(self, node: m.Expr, source: m.Expr, var: str) -> tuple[m.Expr, str]:
        """The source as it is evaluated again, and the name of its variable; no name if it costs nothing."""
        if isinstance(source, (*PLAIN, m.Alive)):
            return source, ""
        name = f"{var}s"
        taken = self._facts.free(node) | bound_variables(node)
        while name in taken:
            name += "'"
        return m.Var(name), name

    def _with(self, part: m.Expr, source: m.Expr, again: m.Expr) -> m.Expr:
        """A condition that asks for the source by its name, if it means the same in all of it."""
        other_state = any(isinstance(inner, m.After | m.Old) for inner in nodes(part))
        if other_state or self._facts.free(source) & bound_variables(part):
            return part
        return self._rewriter.rebuilt(part, {type(source)}, lambda node: again if node == source else node)  # type: ignore[no-any-return]

    def _let(self, node: m.Expr, name: str, source: m.Expr, found: m.Expr) -> m.Expr:
        return self._rewriter.moved(node, m.LetIn(name, source, found) if name else found)
