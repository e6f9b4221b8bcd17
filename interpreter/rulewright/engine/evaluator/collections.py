"""Evaluation of sets and lists: what makes, searches, filters and sorts them."""

from __future__ import annotations

from typing import Any

from rulewright.engine.evaluator.expressions import Expressions, set_members
from rulewright.engine.evaluator.folds import Folds
from rulewright.engine.evaluator.scope import Environment, Evaluate, Scope, kept_while
from rulewright.engine.faults import NUMBER, fault
from rulewright.ir import model as m
from rulewright.ir.model import MAX_NUMBER_BITS, NONE
from rulewright.ir.set_operations import FORMULAS


class Collections:
    """Expressions of sets and lists that need neither zones nor the map."""

    def __init__(self, x: Expressions) -> None:
        self.x, self.support, self.folds = x, x.ctx.support, Folds(x)

    def _x_Fold(self, e: m.Fold, s: Scope) -> Evaluate:
        return self.folds.fold(e, s)

    # ------------------------------------------------------------------------------------------ making

    def _x_SetOp(self, e: m.SetOp, s: Scope) -> Evaluate:
        left, right, op = self.x.value(e.left, s), self.x.value(e.right, s), e.op
        if op == "union":
            return lambda C, E: left(C, E) | right(C, E)
        if op == "inter":
            return lambda C, E: left(C, E) & right(C, E)
        formula = FORMULAS[op]
        return lambda C, E: formula(left(C, E), right(C, E))

    def _x_MakeSet(self, e: m.MakeSet, s: Scope) -> Evaluate:
        items, bit, limit = self.x.values(e.items, s), self.support.bit, self.support.limit
        known = [self.x.constant(item) for item in items]
        if all(one is not None and 0 <= one < limit for one in known):
            return self.x.constant_closure(sum({1 << one for one in known}))

        def made(C: list[int], E: Environment) -> int:
            found = 0
            for item in items:
                one = item(C, E)
                if one != NONE:
                    found |= bit(one)
            return found

        return made

    def _x_MakeList(self, e: m.MakeList, s: Scope) -> Evaluate:
        items = self.x.values(e.items, s)
        return lambda C, E: tuple([item(C, E) for item in items])

    def _x_Joined(self, e: m.Joined, s: Scope) -> Evaluate:
        left, right = self.x.value(e.left, s), self.x.value(e.right, s)
        return lambda C, E: left(C, E) + right(C, E)

    def _x_IntRange(self, e: m.IntRange, s: Scope) -> Evaluate:
        return self.numbers(e, s, MAX_NUMBER_BITS)

    def numbers(self, e: m.IntRange, s: Scope, limit: int) -> Evaluate:
        """The numbers of a range, all of which are below a limit."""
        low, high = self.x.value(e.low, s), self.x.value(e.high, s)
        first, last = self.x.constant(low), self.x.constant(high)
        if first is not None and last is not None and 0 <= first <= last < limit:
            return self.x.constant_closure((2 << last) - (1 << first))

        def numbers(C: list[int], E: Environment) -> Any:
            a, b = low(C, E), high(C, E)
            if a == NONE or b == NONE or a > b:
                return 0
            if a < 0 or b >= limit:
                fault(NUMBER, f"a set of numbers holds only 0 to {limit - 1}")
            return (2 << b) - (1 << a)

        return numbers

    def _x_ToList(self, e: m.ToList, s: Scope) -> Evaluate:
        of, members = self.x.members(e.of, s)
        return lambda C, E: members[of(C, E)]

    def _x_ToSet(self, e: m.ToSet, s: Scope) -> Evaluate:
        of, list_mask = self.x.value(e.of, s), self.support.list_mask
        return lambda C, E: list_mask(of(C, E))

    # ------------------------------------------------------------------------------------------ searching

    def _x_Contains(self, e: m.Contains, s: Scope) -> Evaluate:
        collection, item = self.x.value(e.collection, s), self.x.value(e.item, s)
        if e.is_list or self.x.is_list(e.collection, s):

            def lists(C: list[int], E: Environment) -> bool:
                found, one = collection(C, E), item(C, E)
                return one != NONE and one in found

            return lists
        if isinstance(e.collection, m.Const):
            known = e.collection.value

            def is_known(C: list[int], E: Environment) -> Any:
                one = item(C, E)
                return one >= 0 and known >> one & 1

            return is_known
        if isinstance(e.item, m.Var):
            at = s.variables[e.item.name].at

            def holds_variable(C: list[int], E: Environment) -> Any:
                found, one = collection(C, E), E[at]
                return one >= 0 and found >> one & 1

            return holds_variable

        if collection in self.x.invariants:
            place, computed = self.x.invariants[collection]

            def invariant_contains(C: list[int], E: Environment) -> Any:
                found = E[place]
                if found is None:
                    found = E[place] = computed(C, E)
                one = item(C, E)
                return one >= 0 and found >> one & 1

            return invariant_contains

        def contains(C: list[int], E: Environment) -> Any:
            found, one = collection(C, E), item(C, E)
            return one >= 0 and found >> one & 1

        return contains

    def _x_Occurrences(self, e: m.Occurrences, s: Scope) -> Evaluate:
        blocks, item, width = self.x.value(e.blocks, s), self.x.value(e.item, s), e.width
        occurrences = self.support.occurrences
        return lambda C, E: occurrences(blocks(C, E), item(C, E), width)

    def _x_Size(self, e: m.Size, s: Scope) -> Evaluate:
        of = self.x.value(e.of, s)
        if e.is_list or self.x.is_list(e.of, s):
            return lambda C, E: len(of(C, E))
        return lambda C, E: of(C, E).bit_count()

    def _x_Single(self, e: m.Single, s: Scope) -> Evaluate:
        of = self.x.value(e.of, s)

        def single(C: list[int], E: Environment) -> int:
            found = of(C, E)
            return found.bit_length() - 1 if found and not found & found - 1 else NONE

        return single

    def _x_First(self, e: m.First, s: Scope) -> Evaluate:
        of = self.x.value(e.of, s)
        if e.is_list or self.x.is_list(e.of, s):

            def first(C: list[int], E: Environment) -> int:
                found = of(C, E)
                return found[0] if found else NONE

            return first

        def least(C: list[int], E: Environment) -> int:
            found = of(C, E)
            return (found & -found).bit_length() - 1 if found else NONE

        return least

    def _x_Item(self, e: m.Item, s: Scope) -> Evaluate:
        items, at = self.x.value(e.list, s), self.x.value(e.at, s)

        def item(C: list[int], E: Environment) -> int:
            found, number = items(C, E), at(C, E)
            return found[number] if 0 <= number < len(found) else NONE

        return item

    def _x_Lowest(self, e: m.Lowest, s: Scope) -> Evaluate:
        of, count, lowest = self.x.value(e.of, s), self.x.value(e.count, s), self.support.lowest
        return lambda C, E: lowest(of(C, E), count(C, E))

    # ------------------------------------------------------------------------------------------ loops

    def _x_Filter(self, e: m.Filter, s: Scope) -> Evaluate:
        if e.is_list or self.x.is_list(e.source, s):
            source = self.x.value(e.source, s)
            inner, kept = s.loop()
            inner, at = inner.bind(e.var)
            where = self.x.test(e.where, inner)

            def items(C: list[int], E: Environment) -> tuple[int, ...]:
                chosen = []
                for one in source(C, E):
                    E[at] = one
                    if where(C, E):
                        chosen.append(one)
                return tuple(chosen)

            return kept_while(items, kept)
        of = self.x.value(e.source, s)
        inner, kept = s.loop()
        inner, at = inner.bind(e.var, is_living=self.x.is_living(e.source, s))
        where = self.x.test(e.where, inner)

        def members(C: list[int], E: Environment) -> int:
            result = 0
            for one in set_members[of(C, E)]:
                E[at] = one
                if where(C, E):
                    result |= 1 << one
            return result

        return kept_while(members, kept)

    def _x_Leading(self, e: m.Leading, s: Scope) -> Evaluate:
        source, members = self.x.members(e.source, s)
        inner, kept = s.loop()
        inner, at = inner.bind(e.var)
        where = self.x.test(e.where, inner)

        def leading(C: list[int], E: Environment) -> tuple[int, ...]:
            found = members[source(C, E)]
            for number, E[at] in enumerate(found):
                if not where(C, E):
                    return found[:number]
            return found

        return kept_while(leading, kept)

    def _x_Collect(self, e: m.Collect, s: Scope) -> Evaluate:
        (source, members), bit, flat = self.x.members(e.source, s), self.support.bit, e.flat
        inner, kept = s.loop()
        inner, at = inner.bind(e.var, is_living=self.x.is_living(e.source, s))
        element = self.x.value(e.element, inner)

        def collected(C: list[int], E: Environment) -> int:
            result = 0
            for one in members[source(C, E)]:
                E[at] = one
                found = element(C, E)
                if flat:
                    result |= found
                elif found != NONE:
                    result |= bit(found)
            return result

        return kept_while(collected, kept)

    def _x_Mapped(self, e: m.Mapped, s: Scope) -> Evaluate:
        (source, members), flat = self.x.members(e.source, s), e.flat
        inner, kept = s.loop()
        inner, at = inner.bind(e.var, is_living=self.x.is_living(e.source, s))
        element = self.x.value(e.element, inner)

        def mapped(C: list[int], E: Environment) -> tuple[int, ...]:
            items: list[int] = []
            for one in members[source(C, E)]:
                E[at] = one
                found = element(C, E)
                if flat:
                    items += found
                else:
                    items.append(found)
            return tuple([one for one in items if one != NONE])

        return kept_while(mapped, kept)

    def _x_Best(self, e: m.Best, s: Scope) -> Evaluate:
        (source, members), bit = self.x.members(e.source, s), self.support.bit
        inner, kept = s.loop()
        inner, at = inner.bind(e.var, is_living=self.x.is_living(e.source, s))
        key = self.x.value(e.key, inner)

        def best(C: list[int], E: Environment) -> int:
            highest, result = NONE, 0
            for one in members[source(C, E)]:
                E[at] = one
                rank = key(C, E)
                if rank != NONE and rank >= highest:
                    added = bit(one) if one != NONE else 0
                    result = added if rank > highest else result | added
                    highest = rank
            return result

        return kept_while(best, kept)

    def _x_Sort(self, e: m.Sort, s: Scope) -> Evaluate:
        (source, members), sign = self.x.members(e.source, s), -1 if e.descending else 1
        inner, kept = s.loop()
        inner, at = inner.bind(e.var, is_living=self.x.is_living(e.source, s))
        key = self.x.value(e.key, inner)

        def sorted_members(C: list[int], E: Environment) -> tuple[int, ...]:
            ranked: list[tuple[bool, int, int, int]] = []
            for one in members[source(C, E)]:
                E[at] = one
                rank = key(C, E)
                ranked.append((rank == NONE, 0 if rank == NONE else rank * sign, len(ranked), one))
            ranked.sort()
            return tuple([one for _, _, _, one in ranked])

        return kept_while(sorted_members, kept)
