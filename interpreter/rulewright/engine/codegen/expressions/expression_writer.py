"""Writing expressions statement by statement (A-normal form), so that nesting costs no Python nesting.

A condition is a *guard*, a line that leaves (``continue``, ``break``, ``return``) when it fails. What would become too
deep goes into a function of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rulewright.engine.codegen.statement_writer import Opened, Writer
from rulewright.engine.codegen.value_ranges import V, truth
from rulewright.ir import model as m
from rulewright.ir.model import INT_MAX

DEEPEST = 24
LOOPS = 9
LONGEST = 160
_COSTLY = (
    m.CallQuery,
    m.Fold,
    m.Filter,
    m.Leading,
    m.Collect,
    m.Best,
    m.Sort,
    m.Closure,
    m.Component,
    m.Fingerprint,
    m.Grown,
    m.ReachFrom,
    m.Reaches,
    m.RegionsBeside,
    m.ToSet,
)
"""Worth to be kept over the passes of a loop that they do not depend on."""
_LEAVES = (m.Const, m.Var, m.Local, m.Kind, m.Alive)

Part = Callable[["ExpressionWriter"], object]
Kinds = Mapping[type, tuple[Part, Callable[[Any, Any], V]]]
"""For each kind of expression who writes it, made once for a function, and by which method."""


class ExpressionWriter:
    """Writes what a function needs for expressions; what is particular to each kind of them, it is given."""

    def __init__(self, w: Writer, kinds: Kinds) -> None:
        self.w, self.ctx, self.kinds = w, w.ctx, kinds
        self.parts: dict[Part, object] = {}

    def expr(self, e: m.Expr) -> V:
        """Write what is needed for an expression; the code of its value."""
        w = self.w
        if self._is_deep() and not isinstance(e, _LEAVES):
            return self.outline(e)
        if w.opened and isinstance(e, _COSTLY) and not self.ctx.facts.pays(e):
            level = max((w.levels.get(name, 0) for name in self.ctx.facts.free(e)), default=0)
            if level < len(w.opened):
                return self.once_before(e, w.opened[level], level)
        return self.fresh(e)

    def _is_deep(self) -> bool:
        """True if Python would soon refuse further blocks inside those that are open."""
        return self.w.indent > DEEPEST or self.w.loops > LOOPS

    def fresh(self, e: m.Expr) -> V:
        """The code of an expression, computed here."""
        w = self.w
        part, method = self.kinds[type(e)]
        found = self.parts.get(part)
        if found is None:
            found = self.parts[part] = part(self)
        v = method(found, e)
        return w.hold(v) if len(v.code) > LONGEST else v

    def outline(self, e: m.Expr, state: tuple[str, str] | None = None) -> V:
        """Write an expression into a function of its own and call it, with other cells and registers if some are
        given."""
        self.ctx.outlined += 1
        name = f"h{self.ctx.outlined}"
        inner = ExpressionWriter(self.w.inner(), self.kinds)
        free = self.ctx.facts.free(e)
        inner.w.env = {
            k: replace(v, code=v.code if v.atomic else self.w.hold(v).code, bit="")
            for k, v in self.w.env.items()
            if k in free
        }
        given = self.w.params
        if state is not None:  # regions that live now may be parts of others there
            inner.w.env = {k: replace(v, living=False) for k, v in inner.w.env.items()}
            inner.w.cells, given = "C", state + self.w.params[2:]
        inner.w.temps = self.w.temps
        v = inner.expr(e)
        inner.w.line(f"return {v.code}")
        names = tuple(dict.fromkeys(v.code for v in inner.w.env.values() if v.code.isidentifier()))
        inner.w.finish(name, self.w.params + names)
        result = self.w.temp()
        self.w.line(f"{result} = {name}({', '.join(given + names)})")
        return replace(v, code=result, bit="")

    def once_before(self, e: m.Expr, loop: Opened, level: int) -> V:
        """An expression that a loop does not change: computed when it is first needed, then kept to the loop's end."""
        key: tuple[object, ...] = ()
        if isinstance(e, m.CallQuery) and all(isinstance(a, _LEAVES) for a in e.args):
            names = sorted(self.ctx.facts.free(e))
            key = ("kept", self.w.cells, e, *(self.w.env[n].code for n in names))
            if key in self.w.available:
                return self.w.available[key]
        name = self.w.temp()
        self.w.insert_before(loop, f"{name} = None")
        opened = self.w.opened
        self.w.opened = opened[:level]
        with self.w.inside(f"if {name} is None:"):
            v = self.fresh(e)
            self.w.line(f"{name} = {v.code}")
        self.w.opened = opened
        v = replace(v, code=name, bit="")
        if key:
            self.w.available[key] = v
        return v

    def value(self, e: m.Expr) -> V:
        """An expression as a storable value: truths as 0 or 1."""
        v = self.expr(e)
        if v.kind == "b":
            return V(f"(1 if {v.code} else 0)", "n", False, 0, 1)
        return v

    def atom(self, e: m.Expr) -> V:
        """An expression in a variable or as a literal."""
        return self.w.hold(self.value(e))

    def settled(self, v: V, e: m.Expr) -> V:
        """The value, computed here and now if that can be an error."""
        return self.w.hold(v) if self.ctx.facts.fallible(e) else v

    def checked_int32(self, code: str) -> str:
        """Code of a number that must fit 32 bits; compared where it stands, for that is cheaper than a call."""
        self.ctx.helper("checked_int32")
        name = self.w.temp()
        return f"({name} if {-INT_MAX} <= ({name} := {code}) <= {INT_MAX} else checked_int32({name}))"

    def guard(self, e: m.Expr, leave: str, when: bool = False) -> None:
        """Leave if the condition has the truth `when`."""
        match e:
            case m.Not():
                self.guard(e.operand, leave, not when)
                return
            case m.And(items) if not when:
                for item in items:
                    self.guard(item, leave)
                return
            case m.Or(items) if when:
                for item in items:
                    self.guard(item, leave, True)
                return
            case m.And() | m.Or() if not self.simple(e) and not self._is_deep():
                code = self.decide(e)
            case _:
                v = self.expr(e)
                code = self.w.condition(v)
                if v.constant is not None:
                    if (v.constant == 1) == when:
                        self.w.line(leave)
                    return
        self.w.line(f"if {code}: {leave}" if when else f"if not ({code}): {leave}")

    def decide(self, e: m.Expr) -> str:
        """The truth of an ``and`` or ``or`` whose parts need statements: a loop run once, left when it is known."""
        name = self.w.temp()
        early = isinstance(e, m.Or)
        self.w.line(f"{name} = {early}")
        self.w.loops += 1
        with self.w.inside("while True:"):
            self.guard(e, "break", early)
            self.w.line(f"{name} = {not early}")
            self.w.line("break")
        self.w.loops -= 1
        return name

    def simple(self, e: m.Expr) -> bool:
        """True if an expression can be computed at any time, even when it is not needed."""
        return self.ctx.simple(e)

    def truth_of(self, items: tuple[m.Expr, ...], word: str) -> V:
        """Parts of an ``and`` or ``or`` that are simple, in one line."""
        codes = [self.w.condition(self.expr(item)) for item in items]
        if not codes:
            return truth("True" if word == "and" else "False")
        return truth("(" + f" {word} ".join(codes) + ")")

    def address(
        self, at: int, strides: tuple[int, ...], universes: tuple[str, ...], index: tuple[m.Expr, ...]
    ) -> tuple[str, list[str]]:
        """The code of a cell's number, and the variables among the keys that may be none."""
        parts: list[str] = []
        nulls: list[str] = []
        for e, stride, universe in zip(index, strides, universes, strict=True):
            v = self.value(e)
            if v.null:
                v = self.w.hold(v)
                nulls.append(v.code)
            code = v.code
            if universe in self.ctx.layout.merged and not v.living:
                code = f"{self.w.cells}[{self.ctx.layout.merged[universe].rep} + {code}]"
            elif v.constant is not None and v.constant >= 0:
                at += v.constant * stride
                continue
            parts.append(code if stride == 1 else f"{code} * {stride}")
        return " + ".join([*([str(at)] if at or not parts else []), *parts]), nulls
