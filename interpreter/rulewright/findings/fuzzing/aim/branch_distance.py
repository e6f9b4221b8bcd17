"""Branch distance: how far a condition is from being true, as an expression of the program itself.

It is 0 where the condition holds, and grows with what is missing: of a comparison with the difference of its sides, of
an ``and`` with the sum of its parts, of an ``or`` with the least of them, of ``some`` with the nearest member, of
``every`` with the sum over all. Calls of queries are written out, so that what stands in them is measured, too.

B. Korel, *Automated software test data generation*, IEEE Transactions on Software Engineering 16(8), 1990; P. McMinn,
*Search-based software test data generation: a survey*, Software Testing, Verification and Reliability 14(2), 2004;
differences are normalized to d / (d + 1), A. Arcuri, *It really does matter how you normalize the branch distance in
search-based software testing*, Software Testing, Verification and Reliability 23(2), 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import count

from rulewright.ir import model as m
from rulewright.ir.declared_types import DeclaredTypes
from rulewright.ir.transform.rewriting import Rewriter, substituted
from rulewright.ir.walk import children, conjuncts

WHOLE = 1000
"""The distance of what is simply false. That of a comparison is below it."""

FAR = 100_000
"""Differences are distinguished up to here."""

STEP = 10_000
"""The distance of a step on a way that was not come to: the approach level, in the words of McMinn."""

DEPTH = 2
"""Calls of queries inside each other that are written out."""

NOTHING, ZERO = m.Const(m.NONE), m.Const(0)


class BranchDistance:
    """Makes the distances of one program's conditions."""

    def __init__(self, program: m.Program) -> None:
        self._queries = {query.name: query for query in program.queries}
        self._types = DeclaredTypes(program)
        self._rewriter = Rewriter()
        self._numbers = count(1)

    def of(self, e: m.Expr, wanted: bool = True, depth: int = DEPTH) -> m.Expr:
        """The distance of an expression from a truth."""
        match e:
            case m.Not(operand):
                return self.of(operand, not wanted, depth)
            case m.And(items) | m.Or(items):
                each = [self.of(item, wanted, depth) for item in items]
                return total(each) if isinstance(e, m.And) is wanted else least(each)
            case m.IfElse(condition, then, otherwise):
                return m.IfElse(condition, self.of(then, wanted, depth), self.of(otherwise, wanted, depth))
            case m.LetIn(var, value, body):
                return m.LetIn(var, value, self.of(body, wanted, depth))
            case m.CallQuery() if depth:
                return self._written_out(e, lambda body: self.of(body, wanted, depth - 1))
            case m.Cmp():
                return self._comparison(e, wanted, depth)
            case m.Contains(collection, item) if wanted and not e.is_list:
                return self.contained(collection, item, depth)
            case m.Fold("some" | "no", binds, where, _):
                is_met = (e.kind == "some") is wanted
                condition = m.Const(1) if where is None else where
                return self.nearest(binds, condition, depth) if is_met else self._each(binds, None, condition, False)
            case m.Fold("every", binds, where, body) if body is not None:
                if wanted:
                    return self._each(binds, where, body, True, depth)
                return self.nearest(binds, m.And((*([] if where is None else [where]), m.Not(body))), depth)
            case _:
                return leaf(e, wanted)  # it is true or false, by no degree

    def nonempty(self, e: m.Expr, depth: int = DEPTH) -> m.Expr:
        """The distance of a set or list from having a member."""
        match e:
            case m.Filter(source, var, where):
                return self.nearest((m.Bound(var, source),), where, depth)
            case m.CallQuery() if depth:
                return self._written_out(e, lambda body: self.nonempty(body, depth - 1))
            case m.LetIn(var, value, body):
                return m.LetIn(var, value, self.nonempty(body, depth))
            case _ if isinstance(e, m.ToSet | m.ToList | m.Sort | m.Best):
                return self.nonempty(next(children(e)), depth)
            case m.SetOp("union", left, right):
                return least([self.nonempty(left, depth), self.nonempty(right, depth)])
            case _:
                return leaf(m.Cmp("ne", m.Size(e), ZERO), True)  # how near a member is, is not known

    def contained(self, collection: m.Expr, item: m.Expr, depth: int = DEPTH) -> m.Expr:
        """The distance of a thing from being in a set."""
        match collection:
            case m.Filter(source, var, where):
                condition = substituted(self._rewriter, where, {var: item})
                return total([self.contained(source, item, depth), self.of(condition, True, depth)])
            case m.CallQuery() if depth:
                return self._written_out(collection, lambda body: self.contained(body, item, depth - 1))
            case _:
                return leaf(m.Contains(collection, item), True)

    def nearest(self, binds: Sequence[m.Bound], condition: m.Expr, depth: int = DEPTH) -> m.Expr:
        """The least distance among all members; of sets with a condition also among those that do not meet it."""
        return self.nearest_of(binds, lambda: self.of(condition, True, depth), depth)

    def nearest_of(
        self, binds: Sequence[m.Bound], body: Callable[[], m.Expr], depth: int = DEPTH, without: int = WHOLE
    ) -> m.Expr:
        """The least distance over members, by an expression that `body` makes; `without` if there are no members."""
        wider: list[m.Bound] = []
        more: list[m.Expr] = []
        for bind in binds:
            source, conditions = self.widened(bind.source, bind.var, depth)
            wider.append(m.Bound(bind.var, source))
            more += [self.of(condition, True, max(0, depth - 1)) for condition in conditions]
        return self._guarded(m.Fold("min", tuple(wider), None, total([*more, body()])), without)

    def widened(self, source: m.Expr, var: str, depth: int) -> tuple[m.Expr, list[m.Expr]]:
        """A set without the conditions on its members, and these as conditions on a variable."""
        found: list[m.Expr] = []
        while depth > 0:
            match source:
                case m.Filter(inner, bound, where):
                    found += conjuncts(substituted(self._rewriter, where, {bound: m.Var(var)}))
                    source = inner
                case m.CallQuery(query, args) if self._queries[query].ty.kind == "set":
                    query_def = self._queries[query]
                    given = {slot.name: arg for slot, arg in zip(query_def.params, args, strict=True)}
                    if not isinstance(query_def.body, m.Filter):
                        break
                    source, depth = substituted(self._rewriter, query_def.body, given), depth - 1
                case _:
                    break
        return source, found

    def _each(
        self, binds: tuple[m.Bound, ...], where: m.Expr | None, body: m.Expr, wanted: bool, depth: int = 0
    ) -> m.Expr:
        """The sum of the distances of all members."""
        return self._guarded(m.Fold("sum", binds, where, self.of(body, wanted, depth)))

    def _guarded(self, e: m.Expr, without: int = WHOLE) -> m.Expr:
        """A distance that is `without` where there is none."""
        name = self.fresh()
        return m.LetIn(name, e, m.IfElse(is_nothing(m.Var(name)), m.Const(without), m.Var(name)))

    def scaled(self, e: m.Expr) -> m.Expr:
        """A distance brought below that of a step of a way, however many conditions it is the sum of."""
        if e == ZERO:
            return e
        far = m.Var(self.fresh())
        scaled = m.Arith("div_up", m.Arith("mul", m.Const(STEP), far), m.Arith("add", far, m.Const(WHOLE)))
        return m.LetIn(far.name, m.Arith("min", e, m.Const(FAR)), scaled)

    def fresh(self) -> str:
        """A variable that nothing else has."""
        return f"distance'{next(self._numbers)}"

    def _written_out(self, call: m.CallQuery, made: Callable[[m.Expr], m.Expr]) -> m.Expr:
        """The body of a query with its arguments bound, of which something is made."""
        query = self._queries[call.query]
        names = {slot.name: self.fresh() for slot in query.params}
        found = made(substituted(self._rewriter, query.body, {name: m.Var(new) for name, new in names.items()}))
        for new, value in zip(names.values(), call.args, strict=True):
            found = m.LetIn(new, value, found)
        return found

    def _comparison(self, e: m.Cmp, wanted: bool, depth: int) -> m.Expr:
        op = e.op if wanted else OPPOSITE[e.op]
        left, right = e.left, e.right
        match left:
            case m.IfElse(condition, then, otherwise) if right == NOTHING:
                return least(
                    total([self.of(condition, held, depth), self.of(replace(e, left=value), wanted, depth)])
                    for held, value in ((True, then), (False, otherwise))
                )
            case m.Size(of) if op in ("ne", "gt") and right == ZERO:
                return self.nonempty(of, depth)
            case m.Single(of) | m.First(of) if op == "ne" and right == NOTHING:
                return self.nonempty(of, depth)
            case m.Single(of) if op == "eq" and right != NOTHING:
                several = difference(m.Size(of), m.Const(1), 0, self.fresh())
                within = total([leaf(m.Contains(of, right), True), several])
                return m.IfElse(e if wanted else m.Not(e), ZERO, within)
        if op == "ne" or not (self._is_number(left) or self._is_number(right)):
            return leaf(e, wanted)
        far = difference(left, right, op in ("lt", "gt"), self.fresh())
        return m.IfElse(e if wanted else m.Not(e), ZERO, far)

    def _is_number(self, e: m.Expr) -> bool:
        ty = self._types.of(e)
        return ty is not None and ty.kind == "int"


OPPOSITE = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt", "eq": "ne", "ne": "eq"}


def leaf(e: m.Expr, wanted: bool) -> m.Expr:
    """The distance of a condition that is only true or false."""
    return m.IfElse(e, ZERO, m.Const(WHOLE)) if wanted else m.IfElse(e, m.Const(WHOLE), ZERO)


def is_nothing(e: m.Expr) -> m.Expr:
    """True if there is no value."""
    return m.Cmp("eq", e, NOTHING, nothing=True)


def total(each: Sequence[m.Expr]) -> m.Expr:
    """The sum of some distances."""
    found = [one for one in each if one != ZERO]
    if not found:
        return ZERO
    return reduce(lambda one, other: m.Arith("add", one, other), found)


def least(each: Iterable[m.Expr]) -> m.Expr:
    """The least of some distances."""
    return reduce(lambda one, other: m.Arith("min", one, other), each)


def difference(left: m.Expr, right: m.Expr, more: int, name: str) -> m.Expr:
    """The difference of two numbers and a bit `more`, brought between 0 and what is simply false."""
    far = m.Var(name)
    positive = m.Arith("add", m.IfElse(m.Cmp("lt", far, ZERO), m.Arith("sub", ZERO, far), far), m.Const(more))
    capped = m.Arith("min", far, m.Const(FAR))
    normal = m.Arith("div_up", m.Arith("mul", m.Const(WHOLE), capped), m.Arith("add", capped, m.Const(1)))
    known = m.LetIn(name, positive, normal)
    return m.LetIn(name, m.Arith("sub", left, right), m.IfElse(is_nothing(far), m.Const(WHOLE), known))
