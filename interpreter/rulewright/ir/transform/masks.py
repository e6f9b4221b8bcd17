"""Masks: conditions on the members of a set are asked of all members at once, where those for which they hold are
a set.

So ``{x in S where x.colour is red}`` becomes what ``S`` and the red things have in common. Conditions behind one that
can be an error stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.ir import model as m
from rulewright.ir.conditions import conjuncts
from rulewright.ir.transform.member_sets import MemberSets
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import ExprFacts


class Masks:
    """Takes conditions out of filters and aggregates."""

    name = "masks"
    kinds = frozenset({m.Filter, m.Fold, m.Reaches})

    def __init__(self, program: m.Program, tables: Mapping[str, m.Table], rewriter: Rewriter, facts: ExprFacts) -> None:
        self._sets = MemberSets(program, tables, facts)
        self._rewriter, self._facts = rewriter, facts

    def told(self, node: object) -> str:
        """Nothing in particular."""
        return ""

    def rewritten(self, node: m.Filter | m.Fold | m.Reaches) -> m.Expr:
        """The same with fewer conditions; of a filter perhaps none, then it is no filter any more."""
        if isinstance(node, m.Reaches):
            return self._reaches(node)
        if isinstance(node, m.Fold):
            return self._fold(node)
        parts = conjuncts(node.where)
        source, rest = (node.source, parts) if node.is_list else self._narrowed(node.source, node.var, parts, ())
        if len(rest) == len(parts):
            return node
        return self._rewriter.changed(node, {"source": source, "where": _all(rest)}) if rest else source

    def _fold(self, node: m.Fold) -> m.Expr:
        parts = conjuncts(node.where) if node.where is not None else []
        binds, rest = list(node.binds), parts
        for number, bind in enumerate(binds):
            later = binds[number + 1 :]
            if not bind.is_list and not any(self._facts.fallible(one.source) for one in later):
                source, rest = self._narrowed(bind.source, bind.var, rest, [one.var for one in later])
                binds[number] = self._rewriter.changed(bind, {"source": source})
        kind, body, last = node.kind, node.body, binds[-1]
        if kind == "every" and body is not None and not last.is_list and not any(map(self._facts.fallible, rest)):
            refused = _refused(body)
            source, left = self._narrowed(last.source, last.var, refused, ())
            if len(left) < len(refused):
                binds[-1] = self._rewriter.changed(last, {"source": source})
                kind, body, rest = "no", None, [*rest, *left]
        if kind == node.kind and len(rest) == len(parts):
            return node
        where = _all(rest) if rest else None
        return self._rewriter.changed(node, {"kind": kind, "binds": tuple(binds), "where": where, "body": body})

    def _reaches(self, node: m.Reaches) -> m.Expr:
        """The conditions that can be had at once are one, the first."""
        parts = conjuncts(node.where)
        at_once = [part for part in parts if self._sets.of(part, node.var) is not None]
        mask = self._sets.of(_all(at_once), node.var) if at_once else None
        if mask is None:
            return node
        there: m.Expr = m.Contains(mask[0], m.Var(node.var))
        where = _all([m.Not(there) if mask[1] else there, *(part for part in parts if part not in at_once)])
        return node if where == node.where else self._rewriter.changed(node, {"where": where})

    def _narrowed(
        self, source: m.Expr, var: str, parts: list[m.Expr], later: Iterable[str]
    ) -> tuple[m.Expr, list[m.Expr]]:
        """The source with as many conditions as possible done at once, and the conditions left, in their order; what
        depends on `later` variables, and all behind an error, is left."""
        missing, rest = frozenset(later), list[m.Expr]()
        for number, part in enumerate(parts):
            if self._facts.fallible(part):
                return source, [*rest, *parts[number:]]
            free = self._facts.free(part)
            mask = self._sets.of(part, var) if var in free and not free & missing else None
            if mask is None:
                rest.append(part)
            else:
                source = self._rewriter.moved(part, m.SetOp("minus" if mask[1] else "inter", source, mask[0]))
        return source, rest


def _all(parts: list[m.Expr]) -> m.Expr:
    return parts[0] if len(parts) == 1 else m.And(tuple(parts))


def _refused(body: m.Expr) -> list[m.Expr]:
    """The conditions that all hold where another one does not."""
    items = body.items if isinstance(body, m.Or) else (body,)
    return [item.operand if isinstance(item, m.Not) else m.Not(item) for item in items]


__all__ = ["Masks"]
