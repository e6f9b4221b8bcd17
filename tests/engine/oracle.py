"""A second evaluator of expressions, written from the docstrings of the model: slow, plain, and with networkx.

Values are Python values of another kind than the engine's: ``None`` for none, frozensets for sets, tuples for lists,
so that a slip in one does not hide in the other.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any

from oracle_map import OracleMap
from oracle_world import Value, World, Wrong, bits, plain, world

from rulewright.engine.faults import FAULTS
from rulewright.ir import model as m
from rulewright.ir.model import INT_MAX, NONE

__all__ = ["OF_SETS", "Oracle", "Wrong", "plain", "world"]

OF_SETS: dict[str, Any] = {
    "union": frozenset.union,
    "inter": frozenset.intersection,
    "minus": frozenset.difference,
}
"""The operations on sets, as Python has them."""


class Oracle(OracleMap):
    """Evaluates expressions in a world (and an earlier one, for ``Old``)."""

    def __init__(self, now: World, before: World | None = None) -> None:
        self.w = now
        self.before = before
        p = now.program
        self.p = p
        self.sizes = {u.name: u.size for u in p.universes}
        self.tables = {t.name: t for t in p.tables}
        self.queries = {q.name: q for q in p.queries}
        self.graphs = {g.name: g for g in p.graphs}
        self.nets = {}
        self.fields = {f.name: f for f in p.fields}
        self.merged = {x.name for x in p.merged}

    def value(self, e: m.Expr, env: dict[str, Value]) -> Value:
        return getattr(self, type(e).__name__)(e, env)

    def all(self, es: tuple[m.Expr, ...], env: dict[str, Value]) -> tuple[Value, ...]:
        return tuple(self.value(e, env) for e in es)

    def truth(self, e: m.Expr, env: dict[str, Value]) -> bool:
        return self.value(e, env) == 1

    # ---------------------------------------------------------------------------------------- scalars

    def Const(self, e: m.Const, env: Any) -> Value:
        return None if e.value == NONE else e.value

    def ListConst(self, e: m.ListConst, env: Any) -> Value:
        return tuple(None if v == NONE else v for v in e.values)

    def Var(self, e: m.Var, env: Any) -> Value:
        return env[e.name]

    def Attr(self, e: m.Attr, env: Any) -> Value:
        table = self.tables[e.table]
        of = self.value(e.of, env)
        if table.ty.kind == "set":
            return frozenset() if of is None else bits(table.values[of])
        if table.ty.kind == "list":
            return () if of is None else table.values[of]
        return None if of is None or table.values[of] == NONE else table.values[of]

    def Preimage(self, e: m.Preimage, env: Any) -> Value:
        value, printed = self.value(e.value, env), self.tables[e.table].values
        wanted = NONE if value is None else value
        return frozenset(n for n, one in enumerate(printed) if one == wanted and (wanted != NONE or e.nothing))

    def keys(self, universes: tuple[str, ...], index: tuple[m.Expr, ...], env: Any) -> tuple[Value, ...] | None:
        values = self.all(index, env)
        if None in values:
            return None
        return tuple(
            min(self.w.region(u, v)) if u in self.merged else v for u, v in zip(universes, values, strict=True)
        )

    def FieldGet(self, e: m.FieldGet, env: Any) -> Value:
        declared = self.fields[e.field]
        keys = self.keys(declared.index, e.index, env)
        if keys is None:
            return frozenset() if declared.ty.kind == "set" else () if declared.ty.kind == "list" else None
        return self.w.fields[e.field, keys]

    def number(self, value: int) -> int:
        if abs(value) > INT_MAX:
            raise Wrong("RUN005")
        return value

    def Arith(self, e: m.Arith, env: Any) -> Value:
        a, b = self.value(e.left, env), self.value(e.right, env)
        if a is None or b is None:
            return None
        match e.op:
            case "add":
                return self.number(a + b)
            case "sub":
                return self.number(a - b)
            case "mul":
                return self.number(a * b)
            case "min":
                return min(a, b)
            case "max":
                return max(a, b)
        if b == 0:
            raise Wrong("RUN004")
        down = floor(Fraction(a, b))
        return {"mod": a - b * down, "div_down": down, "div_up": ceil(Fraction(a, b))}[e.op]

    def Cmp(self, e: m.Cmp, env: Any) -> Value:
        a, b = self.value(e.left, env), self.value(e.right, env)
        if e.nothing:
            return int((a == b) == (e.op == "eq"))
        if a is None and b is None:
            return 0
        if a is None or b is None:
            return int(e.op == "ne")
        return int({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[e.op])

    def SetEq(self, e: m.SetEq, env: Any) -> Value:
        a, b = self.value(e.left, env), self.value(e.right, env)
        if isinstance(a, tuple):
            return int(a == b)
        return int(self.set(e.left, env) == self.set(e.right, env))

    def And(self, e: m.And, env: Any) -> Value:
        return int(all(self.truth(x, env) for x in e.items))

    def Or(self, e: m.Or, env: Any) -> Value:
        return int(any(self.truth(x, env) for x in e.items))

    def Not(self, e: m.Not, env: Any) -> Value:
        return int(not self.truth(e.operand, env))

    def IfElse(self, e: m.IfElse, env: Any) -> Value:
        return self.value(e.then if self.truth(e.condition, env) else e.otherwise, env)

    def LetIn(self, e: m.LetIn, env: Any) -> Value:
        return self.value(e.body, {**env, e.var: self.value(e.value, env)})

    def CallQuery(self, e: m.CallQuery, env: Any) -> Value:
        query = self.queries[e.query]
        values = self.all(e.args, env)
        return self.value(query.body, {s.name: v for s, v in zip(query.params, values, strict=True)})

    def Old(self, e: m.Old, env: Any) -> Value:
        assert self.before is not None
        return Oracle(self.before, self.before).value(e.of, env)

    # ---------------------------------------------------------------------------------------- sets and lists

    def Alive(self, e: m.Alive, env: Any) -> Value:
        if e.universe in self.w.regions:
            return frozenset(min(r) for r in self.w.regions[e.universe])
        size = 2 if e.universe == "Bool" else self.sizes[e.universe]
        return frozenset(range(size)) - (self.w.out if e.universe == "Player" else frozenset())

    def Kind(self, e: m.Kind, env: Any) -> Value:
        return bits(next(k.members for k in self.p.kinds if k.name == e.name))

    def SetOp(self, e: m.SetOp, env: Any) -> Value:
        return OF_SETS[e.op](self.set(e.left, env), self.set(e.right, env))

    def set(self, e: m.Expr, env: Any) -> frozenset[int]:
        """A set; constants are bit sets there."""
        v = self.value(e, env)
        return bits(v) if isinstance(v, int) else v

    def members(self, e: m.Expr, env: Any) -> list[Value]:
        v = self.value(e, env)
        return list(v) if isinstance(v, tuple) else sorted(bits(v) if isinstance(v, int) else v)

    def one(self, value: int) -> int:
        if not 0 <= value < 1024:
            raise Wrong("RUN005")
        return value

    def Contains(self, e: m.Contains, env: Any) -> Value:
        items = self.members(e.collection, env)
        item = self.value(e.item, env)
        return int(item is not None and item in items)

    def MakeSet(self, e: m.MakeSet, env: Any) -> Value:
        return frozenset(self.one(v) for v in self.all(e.items, env) if v is not None)

    def MakeList(self, e: m.MakeList, env: Any) -> Value:
        return self.all(e.items, env)

    def Joined(self, e: m.Joined, env: Any) -> Value:
        return (*self.value(e.left, env), *self.value(e.right, env))

    def Occurrences(self, e: m.Occurrences, env: Any) -> Value:
        blocks, item = self.value(e.blocks, env), self.value(e.item, env)
        numbers = range(len(blocks) // e.width)
        return sum(
            all(
                at < len(item) and item[at] is not None and blocks[number * e.width + at] == item[at]
                for at in range(e.width)
            )
            for number in numbers
        )

    def Closure(self, e: m.Closure, env: Any) -> Value:
        start = self.value(e.start, env)
        within = self.set(e.within, env) if e.within is not None else None
        found, wave = set(), [start] if start is not None else []
        while wave:
            here = wave.pop()
            if here not in found:
                found.add(here)
                to = self.set(e.step, {**env, e.var: here})
                wave += [one for one in to if within is None or one in within]
        return frozenset(found)

    def Charged(self, e: m.Charged, env: Any) -> Value:
        return self.value(e.of, env)

    def Fault(self, e: m.Fault, env: Any) -> Value:
        raise Wrong(FAULTS[e.reason])

    def IntRange(self, e: m.IntRange, env: Any) -> Value:
        a, b = self.value(e.low, env), self.value(e.high, env)
        if a is None or b is None or a > b:
            return frozenset()
        if a < 0 or b > 1023:
            raise Wrong("RUN005")
        return frozenset(range(a, b + 1))

    def Size(self, e: m.Size, env: Any) -> Value:
        return len(self.members(e.of, env))

    def Single(self, e: m.Single, env: Any) -> Value:
        members = self.members(e.of, env)
        return members[0] if len(members) == 1 else None

    def First(self, e: m.First, env: Any) -> Value:
        members = self.members(e.of, env)
        return members[0] if members else None

    def Item(self, e: m.Item, env: Any) -> Value:
        items, at = self.value(e.list, env), self.value(e.at, env)
        return items[at] if at is not None and 0 <= at < len(items) else None

    def Lowest(self, e: m.Lowest, env: Any) -> Value:
        count = self.value(e.count, env)
        return frozenset(self.members(e.of, env)[: max(0, count or 0)])

    def like(self, e: Any, members: list[Value], env: Any) -> Value:
        return tuple(members) if isinstance(self.value(e.source, env), tuple) else frozenset(members)

    def Filter(self, e: m.Filter, env: Any) -> Value:
        kept = [v for v in self.members(e.source, env) if self.truth(e.where, {**env, e.var: v})]
        return self.like(e, kept, env)

    def Leading(self, e: m.Leading, env: Any) -> Value:
        kept: list[Value] = []
        for v in self.members(e.source, env):
            if not self.truth(e.where, {**env, e.var: v}):
                break
            kept.append(v)
        return tuple(kept)

    def Collect(self, e: m.Collect, env: Any) -> Value:
        found: set[int] = set()
        for v in self.members(e.source, env):
            inner = {**env, e.var: v}
            if e.flat:
                found |= self.set(e.element, inner)
            else:
                value = self.value(e.element, inner)
                if value is not None:
                    found.add(self.one(value))
        return frozenset(found)

    def Mapped(self, e: m.Mapped, env: Any) -> Value:
        values = [self.value(e.element, {**env, e.var: v}) for v in self.members(e.source, env)]
        return tuple(v for held in values for v in (held if e.flat else (held,)) if v is not None)

    def combinations(self, e: m.Fold, depth: int, env: Any) -> Any:
        if depth == len(e.binds):
            if e.where is None or self.truth(e.where, env):
                yield env
            return
        bind = e.binds[depth]
        for v in self.members(bind.source, env):
            yield from self.combinations(e, depth + 1, {**env, bind.var: v})

    def Fold(self, e: m.Fold, env: Any) -> Value:
        envs = self.combinations(e, 0, env)
        match e.kind:
            case "count":
                return sum(1 for _ in envs)
            case "some" | "no":
                return int(any(True for _ in envs) == (e.kind == "some"))
            case "every":
                return int(all(self.truth(e.body, x) for x in envs))  # type: ignore[arg-type]
        values = (self.value(e.body, x) for x in envs)  # type: ignore[arg-type]
        if e.kind == "sum":
            total = 0
            for value in values:
                total = self.number(total + (value or 0))
            return total
        known = [v for v in values if v is not None]
        return (max if e.kind == "max" else min)(known, default=None)

    def Best(self, e: m.Best, env: Any) -> Value:
        keys = [(v, self.value(e.key, {**env, e.var: v})) for v in self.members(e.source, env)]
        known = [k for _, k in keys if k is not None]
        return frozenset(v for v, k in keys if v is not None and k is not None and k == max(known))

    def Sort(self, e: m.Sort, env: Any) -> Value:
        keys = [(self.value(e.key, {**env, e.var: v}), v) for v in self.members(e.source, env)]
        known = [x for x in keys if x[0] is not None]
        known.sort(key=lambda x: -x[0] if e.descending else x[0])
        return tuple(v for _, v in known) + tuple(v for k, v in keys if k is None)

    def ToList(self, e: m.ToList, env: Any) -> Value:
        return tuple(self.members(e.of, env))

    def ToSet(self, e: m.ToSet, env: Any) -> Value:
        return frozenset(self.one(v) for v in self.members(e.of, env) if v is not None)

    def ClockwiseFrom(self, e: m.ClockwiseFrom, env: Any) -> Value:
        first, n = self.value(e.player, env), self.sizes["Player"]
        return () if first is None else tuple(p for k in range(n) if (p := (first + k) % n) not in self.w.out)
