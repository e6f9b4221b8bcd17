"""What the parts of the expression lowerer share: the world, the report, fresh variables, coercions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from rulewright.compiler.symbols.scope import Binding, Scope, Typed
from rulewright.compiler.symbols.static_types import ANY, INT, NOTHING, Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import suggest
from rulewright.ir import model as m
from rulewright.syntax import ast

NONE_VALUE = m.Const(m.NONE)
WRONG = Typed(m.Const(0), ANY)


class Base(ABC):
    """The state of lowering, and the operations every part needs."""

    def __init__(self, world: SymbolTable, report: Report) -> None:
        self.world = world
        self.report = report
        self.typed: dict[int, tuple[ast.Expr, Typed]] = {}
        """What became of each expression, by its identity; that it is kept here keeps the identity."""
        self.numbered = 0
        """The variables so far; each unit begins anew, see :mod:`rulewright.compiler.sharing`."""

    @abstractmethod
    def lower(self, expr: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """The program's form of an expression; `expected` helps bare words to find their meaning."""

    def typed_as(self, expr: ast.Expr) -> Typed | None:
        """What became of an expression when it was lowered last; None if it never was."""
        held = self.typed.get(id(expr))
        return held[1] if held is not None else None

    # ------------------------------------------------------------------------------------------ names

    def fresh(self, name: str) -> str:
        """A variable name used nowhere else in what is lowered together."""
        self.numbered += 1
        return f"{name}_{self.numbered}"

    def variable(self, name: str, type: Type) -> tuple[str, Binding]:
        """A new variable and what its name is bound to."""
        var = self.fresh(name)
        return var, Binding(self.read(m.Var(var), type), type)

    def read(self, ir: m.Expr, type: Type) -> m.Expr:
        """Reading a variable: a region that was merged away is read as the one it belongs to now."""
        if type.kind == "entity" and self.world.is_merged(type.universe):
            return m.Canon(type.universe, ir)
        return ir

    # ----------------------------------------------------------------------------------------- errors

    def unknown(self, what: str, name: str, known: list[str], span: Span, code: str = "REF001") -> Typed:
        """Report a name that means nothing, or nothing yet."""
        if name in self.world.later:
            self.report.error("TYP218", "this must be known before the game begins", span)
            return WRONG
        near = suggest(name, known)
        self.report.error(code, f"unknown {what} `{name}`", span, hint=f"did you mean `{near}`?" if near else "")
        return WRONG

    def mismatch(self, wanted: str, found: Type, span: Span, where: str = "") -> Typed:
        """Report a value of the wrong type."""
        self.report.error("TYP201", f"{where or 'this'} must be {wanted}, but it is {_a(found)}", span)
        return WRONG

    # -------------------------------------------------------------------------------------- coercions

    def item(self, value: Typed) -> Typed:
        """A zone of at most one piece read as that piece or none; anything else as it is."""
        if value.type.unit and value.type.kind == "set":
            return Typed(m.Single(value.ir), value.type.element().or_none())
        return value

    def fits(self, value: Typed, wanted: Type) -> m.Expr | None:
        """`value` as a `wanted`, or None if it cannot be one. Nothing is reported."""
        found = value.type
        if "any" in (found.kind, wanted.kind):
            return value.ir
        if found.kind == "none":
            if wanted.kind == "set":
                return m.Const(0)
            return NONE_VALUE if wanted.optional else None
        if wanted.kind == "entity" and found.kind == "set" and found.unit:
            value = self.item(value)
            found = value.type
        if wanted.kind == "set" and found.kind == "list" and self._members_fit(found, wanted):
            return m.ToSet(value.ir)
        if wanted.kind == "list" and found.kind == "set" and self._members_fit(found, wanted):
            return m.ToList(value.ir)
        if wanted.is_collection and found.kind == wanted.kind:
            return value.ir if self._members_fit(found, wanted) else None
        if wanted.kind == "set" and wanted.universe == "Player" and self.world.is_party(found.universe):
            return m.Attr(f"{found.universe}.members", value.ir)
        if wanted.kind != found.kind:
            return None
        if wanted.kind == "entity":
            return self._entity_fits(value, wanted)
        return value.ir

    def _members_fit(self, found: Type, wanted: Type) -> bool:
        if not found.universe or found.universe == wanted.universe:
            return not wanted.kinds or not found.kinds or bool(self.world.overlap(found.kinds, wanted.kinds))
        return self.world.same_indices(found.universe, wanted.universe)

    def _entity_fits(self, value: Typed, wanted: Type) -> m.Expr | None:
        found = value.type
        if found.universe == wanted.universe:
            if found.kinds and wanted.kinds and not self.world.overlap(found.kinds, wanted.kinds):
                return None
            return value.ir
        world = self.world
        if world.extends(wanted.universe, found.universe):
            return value.ir
        if world.extends(found.universe, wanted.universe):
            return m.IfElse(m.Cmp("lt", value.ir, m.Const(world.size(wanted.universe))), value.ir, NONE_VALUE)
        if world.merged_over(wanted.universe) == found.universe:
            return m.Canon(wanted.universe, value.ir)
        if found.universe == "Player" and world.is_party(wanted.universe):
            return m.Attr(f"Player.{wanted.universe}", value.ir)
        if wanted.universe == "Player" and world.is_party(found.universe):
            return m.Attr(f"{found.universe}.player", value.ir)
        return None

    def coerce(self, value: Typed, wanted: Type, span: Span, where: str = "") -> m.Expr:
        """`value` as a `wanted`; reports if it cannot be one."""
        made = self.fits(value, wanted)
        if made is None:
            self.mismatch(_a(wanted), value.type, span, where)
            return m.Const(0)
        return made

    def want(self, expr: ast.Expr, scope: Scope, wanted: Type, where: str = "") -> m.Expr:
        """Lower an expression that must have a type."""
        return self.coerce(self.lower(expr, scope, wanted), wanted, expr.span, where)

    def truth(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower a condition."""
        value = self.lower(expr, scope)
        if value.type.kind not in ("bool", "any"):
            self.report.error("TYP201", f"a condition must be true or false, but this is {_a(value.type)}", expr.span)
        return value.ir

    def number(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower an amount."""
        return self.want(expr, scope, INT.or_none(), "an amount")

    def collection(self, expr: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """Lower something that has members: a set, list or zone, a kind, a party's players."""
        value = self.lower(expr, scope, expected)
        if value.type.is_collection or value.type.kind == "any":
            return value
        if value.type.kind == "entity":
            if self.world.is_party(value.type.universe):
                return Typed(m.Attr(f"{value.type.universe}.members", value.ir), Type("set", "Player"))
            if self.world.is_merged(value.type.universe):
                place = self.world.merged_over(value.type.universe)
                assert place is not None
                return Typed(m.PlacesOf(value.type.universe, value.ir), Type("set", place))
        self.report.error("TYP201", f"a set or list is needed, but this is {_a(value.type)}", expr.span)
        return Typed(m.Const(0), ANY)

    def as_set(self, value: Typed) -> m.Expr:
        """A collection as a set."""
        return m.ToSet(value.ir) if value.type.kind == "list" else value.ir

    def common(self, a: Typed, b: Typed) -> tuple[m.Expr, m.Expr, Type] | None:
        """Both values as one type, for comparisons and branches."""
        if a.type.kind == "any" or b.type.kind == "any":
            return a.ir, b.ir, ANY
        if a.type.unit and b.type.kind != "set":
            a = self.item(a)
        if b.type.unit and a.type.kind != "set":
            b = self.item(b)
        right = self.fits(b, a.type.or_none() if b.type.optional or b.type == NOTHING else a.type)
        if right is not None and not (self.world.is_party(b.type.universe) and a.type.universe == "Player"):
            optional = a.type.optional or b.type.optional
            joined = replace(
                a.type,
                optional=optional,
                low=min(a.type.low, b.type.low),
                high=max(a.type.high, b.type.high),
                kinds=tuple(dict.fromkeys(a.type.kinds + b.type.kinds)),
                capacity=max(a.type.capacity, b.type.capacity),
                unit=False,
            )
            if a.type.kind in ("bool", "entity"):
                joined = replace(joined, low=a.type.low, high=a.type.high)
            return a.ir, right, joined
        left = self.fits(a, b.type.or_none() if a.type.optional or a.type == NOTHING else b.type)
        if left is not None:
            return left, b.ir, replace(b.type, optional=a.type.optional or b.type.optional)
        return None


def _a(type: Type) -> str:
    text = str(type)
    if type.kind in ("none", "any") or text.startswith(("set", "list")):
        return text if type.kind in ("none", "any") else f"a {text}"
    return f"an {text}" if text[0] in "AEIOUaeiou" else f"a {text}"
