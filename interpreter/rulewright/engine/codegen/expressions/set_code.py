"""Code for sets and lists: filters, aggregates, sorting."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Literal, assert_never

from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.engine.codegen.value_ranges import BIG, N, V, bits, constant_set, listed, literal, number, truth
from rulewright.engine.faults import NUMBER
from rulewright.ir import model as m
from rulewright.ir.folds import FoldKind
from rulewright.ir.model import INT_MAX, MAX_NUMBER_BITS
from rulewright.ir.set_operations import SetOperation, all_have, width
from rulewright.ir.walk import conjuncts

LARGE = str(1 << 40)
"""More than any number, in generated code."""

_WORDWISE: dict[SetOperation, str] = {"union": "({a} | {b})", "inter": "({a} & {b})", "minus": "({a} & ~{b})"}
_START: dict[FoldKind, str] = {
    "count": "0", "some": "False", "no": "True", "sum": "0", "max": N, "min": LARGE, "every": "True",
}  # fmt: skip

COMPARED = 3
"""Lists of ``2 ** COMPARED`` items cost one operation more to be searched or compared than short ones."""

SORTED = 8
"""Operations that sorting takes for each item."""


class SetCode:
    """Code for sets and lists that need neither zones nor the map."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def _x_Alive(self, e: m.Alive) -> V:
        layout = self.ctx.layout
        if e.universe in layout.merged:
            v = bits(f"{self.w.cells}[{layout.merged[e.universe].alive}]", layout.sizes[e.universe])
            return V(v.code, "s", bits=v.bits, living=True)
        size = layout.sizes[e.universe] if e.universe != "Bool" else 2
        everybody = (1 << size) - 1
        if e.universe == "Player":
            return bits(f"({literal(everybody)} & ~{self.w.cells}[{layout.out}])", size)
        return bits(literal(everybody), size)

    def _x_Kind(self, e: m.Kind) -> V:
        return bits(literal(self.ctx.kinds[e.name].members), self.ctx.layout.pieces)

    def _x_SetEq(self, e: m.SetEq) -> V:
        left, right = self.x.expr(e.left), self.x.expr(e.right)
        return truth(f"({left.code} == {right.code})")

    def _x_SetOp(self, e: m.SetOp) -> V:
        a, b = self.x.expr(e.left), self.x.expr(e.right)
        size, living = width(e.op, a.bits, b.bits), all_have(e.op, a.living, b.living)
        return V(_WORDWISE[e.op].format(a=a.code, b=b.code), "s", bits=size, living=living)

    def _x_Contains(self, e: m.Contains) -> V:
        source = self.x.expr(e.collection)
        item = self.x.value(e.item)
        if item.null or item.low < 0:
            source = self.x.settled(source, e.collection)
        if e.is_list or source.kind == "l":
            if item.null:
                item = self.w.hold(item)
                return truth(f"({item.code} != {N} and {item.code} in {source.code})")
            return truth(f"({item.code} in {source.code})")
        if item.bit and not item.null:
            return truth(f"({source.code} & {item.bit})")
        if item.null or item.low < 0:
            item = self.w.hold(item)
            return truth(f"({item.code} >= 0 and {source.code} >> {item.code} & 1)")
        return truth(f"({source.code} >> {item.code} & 1)")

    def _x_MakeSet(self, e: m.MakeSet) -> V:
        if not e.items:
            return self.w.empty()
        codes, high = [], 0
        for item in e.items:
            v = self.x.value(item)
            if v.null:
                v = self.w.hold(v)
                codes.append(f"({self.w.single_bit(v)} if {v.code} != {N} else 0)")
            else:
                codes.append(f"({self.w.single_bit(v)})")
            high = max(high, v.high + 1 if v.high < BIG else BIG)
        return bits("(" + " | ".join(codes) + ")", high)

    def _x_MakeList(self, e: m.MakeList) -> V:
        items = [self.x.value(i) for i in e.items]
        return listed("(" + "".join(i.code + ", " for i in items) + ")", len(items), any(i.null for i in items))

    def _x_Joined(self, e: m.Joined) -> V:
        left, right = self.w.hold(self.x.expr(e.left)), self.w.hold(self.x.expr(e.right))
        return listed(f"({left.code} + {right.code})", left.size + right.size, left.null or right.null)

    def _x_Occurrences(self, e: m.Occurrences) -> V:
        blocks, item = self.w.hold(self.x.expr(e.blocks)), self.x.expr(e.item)
        self.ctx.helper("occurrences")
        code = f"occurrences({blocks.code}, {item.code}, {e.width})"
        return self.w.hold(number(code, 0, blocks.size // e.width if blocks.size else BIG))

    def _x_IntRange(self, e: m.IntRange) -> V:
        return self.numbers(e, MAX_NUMBER_BITS)

    def numbers(self, e: m.IntRange, limit: int) -> V:
        """The numbers of a range, all of which are below a limit."""
        a, b = self.x.atom(e.low), self.x.atom(e.high)
        if a.constant is not None and b.constant is not None and a.constant >= 0 and b.constant < limit:
            return constant_set((2 << b.constant) - (1 << a.constant) if a.constant <= b.constant else 0)
        name = self.w.temp()
        self.w.line(f"{name} = 0")
        test = " and ".join([*(f"{v.code} != {N}" for v in (a, b) if v.null), f"{a.code} <= {b.code}"])
        with self.w.inside(f"if {test}:"):
            if a.low < 0 or b.high >= limit:
                refused = f"fault({NUMBER!r}, 'a set of numbers holds only 0 to {limit - 1}')"
                self.w.line(f"if {a.code} < 0 or {b.code} >= {limit}: {refused}")
            self.w.line(f"{name} = (2 << {b.code}) - (1 << {a.code})")
        return bits(name, max(0, min(limit, b.high + 1)))

    def _x_Size(self, e: m.Size) -> V:
        source = self.x.expr(e.of)
        if e.is_list or source.kind == "l":
            return number(f"len({source.code})", 0, BIG)
        return number(f"({source.code}).bit_count()", 0, source.bits or BIG)

    def _x_Single(self, e: m.Single) -> V:
        s = self.w.hold(self.x.expr(e.of))
        code = f"(({s.code}).bit_length() - 1 if {s.code} and not {s.code} & {s.code} - 1 else {N})"
        return V(code, "n", True, 0, max(s.bits - 1, 0), living=s.living)

    def _x_First(self, e: m.First) -> V:
        s = self.w.hold(self.x.expr(e.of))
        if e.is_list or s.kind == "l":
            return number(f"({s.code}[0] if {s.code} else {N})", -INT_MAX, INT_MAX, True)
        code = f"(({s.code} & -{s.code}).bit_length() - 1 if {s.code} else {N})"
        return V(code, "n", True, 0, max(s.bits - 1, 0), living=s.living)

    def _x_Lowest(self, e: m.Lowest) -> V:
        source, count = self.w.hold(self.x.expr(e.of)), self.x.value(e.count)
        self.ctx.helper("lowest")
        return V(f"lowest({source.code}, {count.code})", "s", bits=source.bits, living=source.living)

    def _x_ToList(self, e: m.ToList) -> V:
        self.ctx.helper("listed")
        source = self.w.hold(self.x.expr(e.of))
        return listed(f"listed({source.code})", min(source.bits, self.ctx.support.limit))

    def _x_ToSet(self, e: m.ToSet) -> V:
        self.ctx.helper("list_mask")
        source = self.w.hold(self.x.expr(e.of))
        return bits(f"list_mask({source.code})", BIG)

    # ------------------------------------------------------------------------------------------ loops

    def _x_Filter(self, e: m.Filter) -> V:
        source = self.x.expr(e.source)
        if e.is_list or source.kind == "l":
            name = self.w.temp()
            source = self.w.hold(source)
            self.w.line(f"{name} = []")
            with self.w.loop(source, e.var) as member:
                self.x.guard(e.where, "continue")
                self.w.line(f"{name}.append({member.code})")
            return listed(f"tuple({name})", source.size, source.null)
        source, rest = self._unswitched(self.x.settled(source, e.source), e.var, conjuncts(e.where))
        if not rest:
            return source
        name = self.w.temp()
        self.w.line(f"{name} = 0")
        with self.w.loop(source, e.var) as member:
            for part in rest:
                self.x.guard(part, "continue")
            self.w.line(f"{name} |= {member.shift}")
        return V(name, "s", bits=source.bits, living=source.living)

    def _x_Preimage(self, e: m.Preimage) -> V:
        v, name = self.x.value(e.value), self.ctx.masks(e.table, with_none=e.nothing)
        masks: dict[int, int] = self.ctx.globals[name]
        if v.constant is not None:
            return constant_set(masks.get(v.constant, 0))
        self.ctx.globals.setdefault(name + "get", masks.get)
        return bits(f"{name}get({v.code}, 0)", len(self.ctx.tables[e.table].values))

    def _x_Leading(self, e: m.Leading) -> V:
        source, name = self.w.hold(self.x.expr(e.source)), self.w.temp()
        self.w.line(f"{name} = []")
        with self.w.loop(source, e.var) as member:
            self.x.guard(e.where, "break")
            self.w.line(f"{name}.append({member.code})")
        return listed(f"tuple({name})", source.size, source.null)

    def _x_Collect(self, e: m.Collect) -> V:
        source = self.w.hold(self.x.expr(e.source))
        name = self.w.temp()
        self.w.line(f"{name} = 0")
        size, living = 0, False
        with self.w.loop(source, e.var):
            v = self.x.value(e.element)
            if e.flat:
                self.w.line(f"{name} |= {v.code}")
                size, living = v.bits, v.living
            else:
                if v.null:
                    v = self.w.hold(v)
                    self.w.line(f"if {v.code} == {N}: continue")
                self.w.line(f"{name} |= {self.w.single_bit(v)}")
                size, living = (v.high + 1 if v.high < BIG else BIG), v.living
        return V(name, "s", bits=size, living=living)

    def _x_Fold(self, e: m.Fold) -> V:
        parts = conjuncts(e.where) if e.where is not None else []
        if len(e.binds) == 1 and e.kind in ("some", "no") and e.binds[0].is_list and not parts:
            return truth(f"({self.x.expr(e.binds[0].source).code} {'!=' if e.kind == 'some' else '=='} ())")
        if len(e.binds) == 1 and e.kind in ("count", "some", "no") and not e.binds[0].is_list:
            first = e.binds[0].source
            known = self.x.settled(self.x.expr(first), first)
            source, rest = self._unswitched(known, e.binds[0].var, parts)
            if not rest:
                if e.kind == "count":
                    return number(f"({source.code}).bit_count()", 0, source.bits)
                return truth(f"({source.code} != 0)" if e.kind == "some" else f"({source.code} == 0)")
        else:
            known = None
        name = self.w.temp()
        self.w.line(f"{name} = {_START[e.kind]}")
        result = self._nest(e, parts, 0, name, known)
        if e.kind == "min":
            self.w.line(f"if {name} == {LARGE}: {name} = {N}")
        return result

    def _nest(self, e: m.Fold, parts: list[m.Expr], depth: int, name: str, known: V | None = None) -> V:
        """The loops of an aggregate from the bind `depth` on, the source of which may be known."""
        bind = e.binds[depth]
        last = depth == len(e.binds) - 1
        following = e.binds[depth + 1 :]
        here, later = self._ready(parts, {b.var for b in following})
        if any(self.ctx.facts.fallible(b.source) for b in following):
            here, later = [], parts
        source = known or self.x.settled(self.x.expr(bind.source), bind.source)
        if source.kind == "s":
            source, here = self._unswitched(source, bind.var, here)
        with ExitStack() as stack:
            stack.enter_context(self.w.loop(source, bind.var))
            for part in here:
                self.x.guard(part, "continue")
            if last:
                return self._body(e, name)
            result = self._nest(e, later, depth + 1, name)
            if e.kind == "some":
                self.w.line(f"if {name}: break")
            elif e.kind in ("no", "every"):
                self.w.line(f"if not {name}: break")
        return result

    def _body(self, e: m.Fold, name: str) -> V:
        """The code that an aggregate runs for one combination."""
        match e.kind:
            case "count":
                self.w.line(f"{name} += 1")
                return number(name, 0, INT_MAX)
            case "some" | "no":
                self.w.line(f"{name} = {e.kind == 'some'}")
                self.w.line("break")
                return truth(name)
            case "every":
                assert e.body is not None
                self.x.guard(e.body, "continue", True)
                self.w.line(f"{name} = False")
                self.w.line("break")
                return truth(name)
            case "sum" | "max" | "min":
                assert e.body is not None
                return self._extended(e.kind, self.w.hold(self.x.value(e.body)), name)
            case _:
                assert_never(e.kind)

    def _extended(self, kind: Literal["sum", "max", "min"], body: V, name: str) -> V:
        """The code that takes one more value into a sum or an extreme."""
        if body.null and kind != "max":
            self.w.line(f"if {body.code} == {N}: continue")
        if kind == "sum":
            self.w.line(f"{name} = {self.x.checked_int32(f'{name} + {body.code}')}")
            return number(name, -INT_MAX, INT_MAX)
        self.w.line(f"if {body.code} {'>' if kind == 'max' else '<'} {name}: {name} = {body.code}")
        return V(name, "n", True, body.low, body.high, living=body.living)

    def _ready(self, parts: list[m.Expr], missing: set[str]) -> tuple[list[m.Expr], list[m.Expr]]:
        """The conditions that can be evaluated before some variables are bound, and the others (errors stay in
        order)."""
        here: list[m.Expr] = []
        later: list[m.Expr] = []
        blocked = False
        for part in parts:
            fallible = bool(missing) and self.ctx.facts.fallible(part)
            blocked = blocked or fallible
            (later if blocked or self.ctx.facts.free(part) & missing else here).append(part)
        return here, later

    def _unswitched(self, source: V, var: str, parts: list[m.Expr]) -> tuple[V, list[m.Expr]]:
        """A set that is empty where conditions which do not depend on its members do not hold, and the others."""
        rest: list[m.Expr] = []
        for at, part in enumerate(parts):
            if self.ctx.facts.fallible(part):
                return source, [*rest, *parts[at:]]
            if var in self.ctx.facts.free(part):
                rest.append(part)
                continue
            test = self.w.condition(self.x.expr(part))
            source = self.w.hold(V(f"({source.code} if {test} else 0)", "s", bits=source.bits, living=source.living))
        return source, rest

    def _x_Best(self, e: m.Best) -> V:
        source = self.x.expr(e.source)
        name, best = self.w.temp(), self.w.temp()
        self.w.line(f"{name} = 0")
        self.w.line(f"{best} = {N}")
        with self.w.loop(source, e.var) as member:
            key = self.w.hold(self.x.value(e.key))
            if key.null:
                self.w.line(f"if {key.code} == {N}: continue")
            one = (
                self.w.single_bit(member)
                if not member.null
                else f"({self.w.single_bit(member)} if {member.code} >= 0 else 0)"
            )
            with self.w.inside(f"if {key.code} > {best}:"):
                self.w.line(f"{best} = {key.code}")
                self.w.line(f"{name} = {one}")
            with self.w.inside(f"elif {key.code} == {best}:"):
                self.w.line(f"{name} |= {one}")
        return V(name, "s", bits=source.bits if source.kind == "s" else BIG, living=source.living)

    def _x_Sort(self, e: m.Sort) -> V:
        source = self.x.expr(e.source)
        name = self.w.temp()
        self.w.line(f"{name} = []")
        with self.w.loop(source, e.var) as member:
            key = self.w.hold(self.x.value(e.key))
            code = f"-{key.code}" if e.descending else key.code
            if key.null:
                code = f"{LARGE} if {key.code} == {N} else {code}"
            self.w.line(f"{name}.append(({code}, len({name}), {member.code}))")
        self.w.line(f"{name}.sort()")
        size = source.size if source.kind == "l" else min(source.bits, self.ctx.support.limit)
        return listed(f"tuple([x[2] for x in {name}])", size, source.null)
