"""Repeats: what occurs again in one condition or choice is evaluated once.

``f(c) is not none and man[f(c)] is p`` asks ``f(c)`` in any case, so it is bound there. What may never be evaluated
stays where it is, and so does what could be an error, if another error could come before it. This pass is the last, as
a name hides from others what it stands for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.ir import model as m
from rulewright.ir.transform.rewriting import Rewriter, bound_variables, substituted
from rulewright.ir.walk import ExprFacts, nodes, scoped

_WORTH = frozenset({m.Arith, m.CallQuery, m.First, m.Fold, m.Nearest, m.Single, m.Size, m.Towards})
"""Questions that can be worth a name: they give a number, a place, a truth, or call a query."""
_LEAST = 6
"""So many nodes, at least, has one that calls no query."""


class Repeats:
    """Names expressions that occur several times."""

    name = "repeats"
    kinds = frozenset({m.And, m.Collect, m.Or, m.IfElse, m.LetIn})

    def __init__(self, rewriter: Rewriter, facts: ExprFacts) -> None:
        self._rewriter, self._facts = rewriter, facts

    def describe(self, node: object) -> str:
        """No description of a single rewrite."""
        return ""

    def rewritten(self, node: m.And | m.Collect | m.Or | m.IfElse | m.LetIn) -> m.Expr:
        """An equal expression with names for its repeated parts."""
        if isinstance(node, m.Collect):
            return self._of_members(node)
        if isinstance(node, m.And | m.Or):
            return self._of_items(node)
        first, *rest = (getattr(node, name) for name in _PARTS[type(node)])
        shared = self._repeated(first, rest)
        if shared is None or (isinstance(node, m.LetIn) and node.var in self._facts.free(shared)):
            return node
        return self._named(node, node, shared)

    def _of_items(self, node: m.And | m.Or) -> m.Expr:
        items = node.items
        for number, item in enumerate(items[:-1]):
            shared = self._repeated(item, items[number + 1 :])
            if shared is not None:
                rest = self._named(node, self._rewriter.changed(node, {"items": items[number:]}), shared)
                return rest if number == 0 else self._rewriter.changed(node, {"items": (*items[:number], rest)})
        return node

    def _of_members(self, node: m.Collect) -> m.Expr:
        """A set of places, of which conditions ask for the same place: what it is not made of gives none."""
        match node:
            case m.Collect(m.Filter(source, name, where, False), var, m.Towards() as element, False) if name == var:
                choice = m.IfElse(where, element, m.Const(m.NONE))
                found = self.rewritten(choice)
                return node if found is choice else self._rewriter.changed(node, {"source": source, "element": found})
            case _:
                return node

    def _named(self, node: m.Expr, asking: Any, shared: m.Expr) -> m.Expr:
        """A part in which a question has a name."""
        taken = self._facts.free(node) | bound_variables(node)
        name = "once"
        while name in taken:
            name += "'"
        names = _PARTS[type(asking)]
        parts = {part: getattr(asking, part) for part in names}
        new = {
            part: tuple(self._with(one, shared, name) for one in e) if part == "items" else self._with(e, shared, name)
            for part, e in parts.items()
        }
        body = self.rewritten(self._rewriter.changed(asking, new))
        return self._rewriter.moved(node, m.LetIn(name, shared, body))

    def _repeated(self, first: m.Expr, rest: Sequence[m.Expr]) -> m.Expr | None:
        """An expression that is evaluated in any case, and again in one of the other parts."""
        certain = list[m.Expr]()
        self._gather(first, certain)
        if not certain:
            return None
        kinds = {type(shared) for shared in certain}
        others = [(part, again) for part in rest for again in nodes(part) if type(again) in kinds]
        for shared in certain:
            same = any(again == shared and self._means_the_same(shared, part) for part, again in others)
            if same and _is_work(shared) and not self._facts.pays(shared):
                return shared
        return None

    def _gather(self, e: m.Expr, certain: list[m.Expr]) -> None:
        """Find what is worked out whenever an expression is, before anything else that could be an error."""
        if type(e) in _WORTH:
            certain.append(e)
        parts: tuple[m.Expr, ...]
        match e:
            case m.After() | m.Old():
                return
            case m.And(items) | m.Or(items):
                parts = items[:1]
            case m.IfElse(condition):
                parts = (condition,)
            case _:
                parts = tuple(part for part, bound in scoped(e) if not bound)
        for part in parts:
            self._gather(part, certain)
            if self._facts.fallible(part):
                return

    def _means_the_same(self, shared: m.Expr, part: m.Expr) -> bool:
        """True if a question has the same answer wherever it stands in another part."""
        other_state = any(isinstance(inner, m.After | m.Old) for inner in nodes(part))
        return not other_state and not self._facts.free(shared) & bound_variables(part)

    def _with(self, part: m.Expr, shared: m.Expr, name: str) -> m.Expr:
        if not self._means_the_same(shared, part):
            return part
        var = m.Var(name)

        def change(node: m.Expr) -> m.Expr:
            if isinstance(node, m.LetIn) and node.value == var:
                return substituted(self._rewriter, node.body, {node.var: var})
            return var if node == shared else node

        return self._rewriter.rebuilt(part, {type(shared), m.LetIn}, change)  # type: ignore[no-any-return]


_PARTS: Mapping[type, tuple[str, ...]] = {
    m.And: ("items",),
    m.Or: ("items",),
    m.IfElse: ("condition", "then", "otherwise"),
    m.LetIn: ("value", "body"),
}
"""The parts of each kind of node, in the order in which they are worked out."""


def _is_work(shared: m.Expr) -> bool:
    """True of a question that takes longer than a name."""
    inner = list(nodes(shared))
    far = isinstance(shared, m.Towards) and not isinstance(shared.steps, m.Const)
    return far or len(inner) >= _LEAST or any(isinstance(one, m.CallQuery) for one in inner)
