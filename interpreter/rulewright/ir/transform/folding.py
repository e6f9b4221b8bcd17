"""Constant folding: what is known before anybody plays is not worked out, and conditions that hold are not asked.

Errors stay in their places: a part that can be one is only left out where it would not have been come to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulewright.ir import model as m
from rulewright.ir.evaluation import Impossible, Value, known
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import ExprFacts, children

_KNOWN = (m.Const, m.ListConst, m.Filter)
"""Parts of which something may be known; if there is none of them, nothing is known of the whole."""
_TRUTHS = (m.And, m.Cmp, m.Contains, m.InZone, m.Not, m.Or, m.Reaches, m.SetEq)
"""Expressions that are 0 or 1."""


class Folding:
    """Folds the constants of one program."""

    name = "folding"
    kinds: frozenset[type] = frozenset({
        *(m.And, m.Arith, m.Attr, m.Cmp, m.Contains, m.Filter, m.First, m.Fold, m.IfElse, m.Item, m.Not, m.Or),
        *(m.Single, m.Size),
    })  # fmt: skip

    def __init__(self, tables: Mapping[str, m.Table], rewriter: Rewriter, facts: ExprFacts) -> None:
        self._tables = tables
        self._rewriter, self._facts = rewriter, facts

    def told(self, node: Any) -> str:
        """Nothing in particular."""
        return ""

    def rewritten(self, node: Any) -> Any:
        """The value of an expression, or what is left of it."""
        if not self._is_set(node) and any(isinstance(part, _KNOWN) for part in children(node)):
            try:
                value = known(node, self._value, self._tables, self._facts.fallible)
            except Impossible:  # it is an error when somebody comes to it
                return node
            if isinstance(value, int):
                return m.Const(value)
        match node:
            case m.And(items) | m.Or(items):
                return self._combined(node, items, isinstance(node, m.Or))
            case m.Not(m.Not(operand)) if _is_truth(operand):
                return operand
            case m.IfElse(m.Const(truth)):
                return node.otherwise if truth in (0, m.NONE) else node.then
            case m.Filter(is_list=False, where=m.Const(truth)) if truth not in (0, m.NONE):
                return node.source
            case m.Fold(where=m.Const(truth)) if truth not in (0, m.NONE):
                return self._rewriter.changed(node, {"where": None})
            case _:
                return node

    def _value(self, e: m.Expr) -> Value | None:
        match e:
            case m.Const(value):
                return value
            case m.ListConst(values):
                return values
            case m.Filter():
                return known(e, self._value, self._tables, self._facts.fallible)
            case _:
                return None

    def _is_set(self, e: m.Expr) -> bool:
        """True of sets, which stay what they are: a constant could be taken for a number."""
        return isinstance(e, m.Filter) or (isinstance(e, m.Attr) and self._tables[e.table].ty.kind == "set")

    def _combined(self, node: m.And | m.Or, items: tuple[m.Expr, ...], decides: bool) -> m.Expr:
        """Conditions without those that change nothing, and without all behind one that decides."""
        flat = [part for item in items for part in (item.items if type(item) is type(node) else (item,))]
        left: list[m.Expr] = []
        for item in flat:
            truth = item.value not in (0, m.NONE) if isinstance(item, m.Const) else None
            if truth is not (not decides):
                left.append(item)
            if truth is decides:
                break
        if len(left) == 1 and _is_truth(left[0]):
            return left[0]
        if len(left) == len(flat) == len(items):
            return node
        return replace(node, items=tuple(left))


def _is_truth(e: m.Expr) -> bool:
    return isinstance(e, _TRUTHS) or (isinstance(e, m.Fold) and e.kind in ("some", "no", "every"))


__all__ = ["Folding"]
