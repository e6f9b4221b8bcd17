"""Evaluation of aggregates: loops over the members of several sets and lists, one inside another."""

from __future__ import annotations

from typing import assert_never

from rulewright.engine.evaluator.expressions import Expressions, MemberTable, list_items, set_members
from rulewright.engine.evaluator.scope import Environment, Evaluate, Scope, kept_while
from rulewright.ir import model as m
from rulewright.ir.folds import FoldKind
from rulewright.ir.model import INT_MAX, NONE
from rulewright.ir.walk import conjuncts


class Folds:
    """Evaluates aggregates: each condition in the outermost loop that has its variables, as far as errors stay in
    order."""

    def __init__(self, x: Expressions) -> None:
        self.x, self.facts = x, x.ctx.facts

    def fold(self, e: m.Fold, s: Scope) -> Evaluate:
        """The closure of an aggregate."""
        parts = conjuncts(e.where) if e.where is not None else []
        if len(e.binds) == 1 and not parts and e.kind in ("count", "some", "no") and not self._is_list(e.binds[0], s):
            source = self.x.value(e.binds[0].source, s)
            if e.kind == "count":
                return lambda C, E: source(C, E).bit_count()
            return source if e.kind == "some" else lambda C, E: not source(C, E)
        if e.kind != "sum":
            return self._nest(e, parts, 0, s, 0)
        total = s.new()
        add = self._nest(e, parts, 0, s, total)

        def sum_of(C: list[int], E: Environment) -> int:
            E[total] = 0
            add(C, E)
            found: int = E[total]
            return found

        return sum_of

    def _is_list(self, bind: m.Bound, s: Scope) -> bool:
        return bind.is_list or self.x.is_list(bind.source, s)

    def _nest(self, e: m.Fold, parts: list[m.Expr], depth: int, s: Scope, total: int) -> Evaluate:
        """The loops of an aggregate from the bind `depth` on; a sum is made in the place `total`."""
        bind, following = e.binds[depth], e.binds[depth + 1 :]
        here, later = self.facts.ready(parts, {b.var for b in following})
        if any(self.facts.fallible(b.source) for b in following):
            here, later = [], parts
        source = self.x.value(bind.source, s)
        members = list_items if self._is_list(bind, s) else set_members
        inner, kept = s.loop()
        inner, at = inner.bind(bind.var, is_living=self.x.is_living(bind.source, s))
        where = self.x.test(m.And(tuple(here)), inner) if here else None
        if following:
            body: Evaluate | None = self._nest(e, later, depth + 1, inner, total)
        elif e.body is None:
            body = None
        else:
            body = self.x.test(e.body, inner) if e.kind == "every" else self.x.value(e.body, inner)
        if e.kind == "sum":
            assert body is not None
            return kept_while(_adding(source, members, at, where, body, bool(following), total, self.x), kept)
        return kept_while(_loop(e.kind, source, members, at, where, body), kept)


def _loop(
    kind: FoldKind, source: Evaluate, members: MemberTable, at: int, where: Evaluate | None, body: Evaluate | None
) -> Evaluate:
    """The loop of an aggregate; `body` is what it is about, or the loop inside, and None where it is enough that there
    is a member."""

    def count(C: list[int], E: Environment) -> int:
        found = 0
        for one in members[source(C, E)]:
            E[at] = one
            if where is None or where(C, E):
                found += 1 if body is None else body(C, E)
        return found

    def some(C: list[int], E: Environment) -> bool:
        for one in members[source(C, E)]:
            E[at] = one
            if (where is None or where(C, E)) and (body is None or body(C, E)):
                return True
        return False

    def no(C: list[int], E: Environment) -> bool:
        for one in members[source(C, E)]:
            E[at] = one
            if (where is None or where(C, E)) and (body is None or not body(C, E)):
                return False
        return True

    def every(C: list[int], E: Environment) -> bool:
        assert body is not None
        for one in members[source(C, E)]:
            E[at] = one
            if (where is None or where(C, E)) and not body(C, E):
                return False
        return True

    def highest(C: list[int], E: Environment) -> int:
        assert body is not None
        found = NONE
        for one in members[source(C, E)]:
            E[at] = one
            if (where is None or where(C, E)) and (value := body(C, E)) > found:
                found = value
        return found

    def lowest(C: list[int], E: Environment) -> int:
        assert body is not None
        found = NONE
        for one in members[source(C, E)]:
            E[at] = one
            if (where is None or where(C, E)) and (value := body(C, E)) != NONE and (found == NONE or value < found):
                found = value
        return found

    match kind:
        case "count":
            return count
        case "some":
            return some
        case "no":
            return no
        case "every":
            return every
        case "max":
            return highest
        case "min":
            return lowest
        case "sum":
            raise AssertionError("a sum has a total")
        case _:
            assert_never(kind)


def _adding(
    source: Evaluate,
    members: MemberTable,
    at: int,
    where: Evaluate | None,
    body: Evaluate,
    nested: bool,
    total: int,
    x: Expressions,
) -> Evaluate:
    """The loop of a sum, which is made in the place `total`; `body` is an addend, or the loop inside."""
    checked = x.ctx.support.checked_int32

    def run_inner(C: list[int], E: Environment) -> None:
        for one in members[source(C, E)]:
            E[at] = one
            if where is None or where(C, E):
                body(C, E)

    def add(C: list[int], E: Environment) -> None:
        found = E[total]
        for one in members[source(C, E)]:
            E[at] = one
            if (where is None or where(C, E)) and (value := body(C, E)) != NONE:
                found += value
                if not -INT_MAX <= found <= INT_MAX:
                    checked(found)
        E[total] = found

    return run_inner if nested else add
