"""Floods that stop early: of a flood that is only asked whether it comes to a place, nothing behind that is found.

The whole flood is made where it could be kept over the passes of a loop, as its place in the program does not tell how
often it is asked: so of what it is asked may depend on no other variables than the flood itself. What can be an error
is made whole, too.
"""

from __future__ import annotations

from itertools import count

from rulewright.ir import model as m
from rulewright.ir.conditions import conjuncts
from rulewright.ir.transform.bindings import PLAIN
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.transform.substitution import substituted
from rulewright.ir.walk import ExprFacts

_NAMES = "found", "asked"
"""The names of places that are compared with another one, and of that one."""


class Floods:
    """Writes questions about floods in such a way that the first place decides."""

    name = "floods"
    kinds = frozenset({m.Fold, m.Contains})

    def __init__(self, rewriter: Rewriter, facts: ExprFacts) -> None:
        self._rewriter, self._facts = rewriter, facts

    def told(self, node: object) -> str:
        """Nothing in particular."""
        return ""

    def rewritten(self, node: m.Fold | m.Contains) -> m.Expr:
        """The question whether a flood comes to a place, if nothing else is asked."""
        if self._facts.fallible(node):
            return node
        found = self._member(node) if isinstance(node, m.Contains) else self._aggregate(node)
        return node if found is None else self._rewriter.moved(node, found)

    def _member(self, node: m.Contains) -> m.Expr | None:
        """The question whether a known place is come to; it is worked out before."""
        if node.is_list:
            return None
        taken = self._facts.free(node)
        place, asked = (next(new for n in count() if (new := f"{name}{n or ''}") not in taken) for name in _NAMES)
        if isinstance(node.item, PLAIN):
            return self._reaches(node.collection, place, m.Cmp("eq", m.Var(place), node.item))
        if not self._facts.free(node.item) <= self._facts.free(node.collection):
            return None
        found = self._reaches(node.collection, place, m.Cmp("eq", m.Var(place), m.Var(asked)), asked)
        return None if found is None else m.LetIn(asked, node.item, found)

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
                if op == "inter" and _is_flood(right):
                    left, right = right, left
                if var in self._facts.free(right):
                    return None
                there: m.Expr = m.Contains(right, m.Var(var))
                there = there if op == "inter" else m.Not(there)
                return self._reaches(left, var, m.And((there, *conjuncts(where))), given)
            case m.ReachFrom() | m.Closure():
                asked = self._facts.free(where) - {var, given}
                return m.Reaches(source, var, where) if asked <= self._facts.free(source) else None
            case _:
                return None


def _is_flood(e: m.Expr) -> bool:
    return isinstance(e, m.ReachFrom | m.Closure)


__all__ = ["Floods"]
