"""Sets and aggregates as terms: what they go through is unrolled, member by member."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rulewright.ir import member_formula
from rulewright.ir import model as m
from rulewright_lab.theory.symmetry.kinds import NUMBER, Environment, Kinds, there, truth_of
from rulewright_lab.theory.symmetry.terms import (
    Formula,
    Members,
    NotProved,
    Scalar,
    Term,
    Truth,
    Value,
    all_of,
    constant,
    member,
    one_of,
    opposite,
)


class Collections(Kinds):
    """Gives the terms of expressions about sets."""

    def operation(self, e: m.SetOp, env: Environment) -> Value:
        """Union, intersection and the like."""
        left, right = self.members(e.left, env), self.members(e.right, env)
        universe = left.universe or right.universe
        if left.universe and right.universe and left.universe != right.universe:
            raise NotProved
        a, b = left.formulas, right.formulas
        found = {
            n: member_formula(e.op, a.get(n, False), b.get(n, False), all_of, one_of, opposite) for n in {**a, **b}
        }
        return Members(universe, there(found))

    def same_sets(self, left: Members, right: Members) -> Value:
        """The equality of two sets."""
        universe = left.universe or right.universe
        if universe is None or (left.universe and right.universe and left.universe != right.universe):
            raise NotProved
        return Truth(("equal", frozenset(Members(universe, there(one.formulas)).term() for one in (left, right))))

    def contains(self, e: m.Contains, env: Environment) -> Value:
        """The truth of something being in a set."""
        if e.is_list:
            raise NotProved
        found, item = self.members(e.collection, env), self.value(e.item, env)
        if not isinstance(item, Scalar):
            raise NotProved
        number = constant(item)
        if number is not None:
            if found.universe and item.universe and found.universe != item.universe:
                raise NotProved
            return Truth(found.formulas.get(number, False))
        each = found.formulas.items()
        universe = found.universe or item.universe
        return Truth(one_of(all_of((f, self.same(item, Scalar(universe, member(universe, n))))) for n, f in each))

    def alone(self, value: Value) -> Members:
        """A set of one value."""
        if not isinstance(value, Scalar):
            raise NotProved
        number = constant(value)
        if number is not None:
            return Members(value.universe, {} if number == m.NONE else {number: True})
        if value.universe not in self.sizes:
            raise NotProved
        each = range(self.sizes[value.universe])
        return Members(
            value.universe, {n: self.same(value, Scalar(value.universe, member(value.universe, n))) for n in each}
        )

    def union(self, sets: Iterable[Members]) -> Members:
        """The union of sets."""
        universe: str | None = None
        found: dict[int, list[Formula]] = {}
        for one in sets:
            if one.universe is not None and universe not in (None, one.universe):
                raise NotProved
            universe = one.universe or universe
            for number, formula in one.formulas.items():
                found.setdefault(number, []).append(formula)
        return Members(universe, there({number: one_of(formulas) for number, formulas in found.items()}))

    def range(self, e: m.IntRange, env: Environment) -> Value:
        """A range of numbers, if they are known."""
        low, high = constant(self.folded(e.low, env)), constant(self.folded(e.high, env))
        if low is None or high is None or m.NONE in (low, high):
            raise NotProved
        return Members(NUMBER, dict.fromkeys(range(low, high + 1), True))

    def folded(self, e: m.Expr, env: Environment) -> Value:
        """A number that is worked out, if it can be."""
        if isinstance(e, m.Arith) and e.op in ("add", "sub"):
            left, right = (constant(self.folded(one, env)) for one in (e.left, e.right))
            if left is not None and right is not None and m.NONE not in (left, right):
                return Scalar(NUMBER, member(NUMBER, left + right if e.op == "add" else left - right))
        return self.value(e, env)

    def size(self, e: m.Size, env: Environment) -> Value:
        """The number of members."""
        if e.is_list:
            raise NotProved
        return Scalar(NUMBER, ("size", self.set_term(self.members(e.of, env))))

    def set_term(self, found: Members) -> Term:
        """A set as a part of a term: it is known of what."""
        if found.universe is None:
            raise NotProved
        return Members(found.universe, there(found.formulas)).term()

    def single(self, e: m.Single, env: Environment) -> Value:
        """The only member."""
        found = self.members(e.of, env)
        return Scalar(found.universe, ("single", self.set_term(found)))

    def first(self, e: m.First, env: Environment) -> Value:
        """The least member."""
        if e.is_list:
            raise NotProved
        found = self.members(e.of, env)
        if found.universe in self.moving:
            raise NotProved  # which is the first hangs on the order of places
        return Scalar(found.universe, ("first", self.set_term(found)))

    def each(
        self, source: m.Expr, var: str, is_list: bool, env: Environment
    ) -> Iterator[tuple[Term, int, Formula, Environment]]:
        """The members of a set that is gone through, with the formula of their being there."""
        if is_list:
            raise NotProved
        found = self.members(source, env)
        for number, formula in found.formulas.items():
            if formula is not False:
                one = Scalar(found.universe, member(found.universe, number))
                yield one.term, number, formula, {**env, var: one}

    def filtered(self, e: m.Filter, env: Environment) -> Value:
        """Members for which something holds."""
        universe = self.members(e.source, env).universe
        each = self.each(e.source, e.var, e.is_list, env)
        return Members(universe, there({n: all_of((f, self.truth(e.where, inner))) for _, n, f, inner in each}))

    def collected(self, e: m.Collect, env: Environment) -> Value:
        """The values of an expression for all members."""
        found = []
        for _, _, formula, inner in self.each(e.source, e.var, e.is_list, env):
            element = self.value(e.element, inner)
            one = self.set_of(element) if e.flat else self.alone(element)
            found.append(Members(one.universe, {n: all_of((formula, f)) for n, f in one.formulas.items()}))
        return self.union(found)

    def best(self, e: m.Best, env: Environment) -> Value:
        """The members for which a number is highest."""
        universe = self.members(e.source, env).universe
        if universe is None:
            raise NotProved
        entries = frozenset(
            (one, formula, self.scalar(e.key, inner, NUMBER))
            for one, _, formula, inner in self.each(e.source, e.var, e.is_list, env)
        )
        return self.symbolic(("best", entries), universe)

    def fold(self, e: m.Fold, env: Environment) -> Value:
        """An aggregate."""
        found: list[tuple[Formula, Value | None]] = []

        def unrolled(binds: tuple[m.Bound, ...], guards: tuple[Formula, ...], inner: Environment) -> None:
            if binds:
                for _, _, formula, more in self.each(binds[0].source, binds[0].var, binds[0].is_list, inner):
                    unrolled(binds[1:], (*guards, formula), more)
                return
            guard = all_of((*guards, True if e.where is None else self.truth(e.where, inner)))
            if guard is not False:
                found.append((guard, None if e.body is None else self.value(e.body, inner)))

        unrolled(e.binds, (), env)
        match e.kind:
            case "some":
                return Truth(one_of(guard for guard, _ in found))
            case "no":
                return Truth(opposite(one_of(guard for guard, _ in found)))
            case "every":
                each = (one_of((opposite(guard), truth_of(body))) for guard, body in found if body is not None)
                return Truth(all_of(each))
            case "count":
                return Scalar(NUMBER, ("count", frozenset(Counter(guard for guard, _ in found).items())))
            case _:
                bodies = ((guard, self.of_universe(body, NUMBER)) for guard, body in found if body is not None)
                return Scalar(NUMBER, (e.kind, frozenset(Counter(bodies).items())))
