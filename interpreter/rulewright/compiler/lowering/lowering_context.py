"""The state that the lowerers of one game share: symbols, the report, fresh names, the lowered form of expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.symbols.static_types import ANY, BOOL, Type, entity
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Binding, Scope, Typed
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean, did_you_mean_key
from rulewright.ir import model as m
from rulewright.syntax import ast

LowerStatement = Callable[[ast.Stmt, Scope, FunctionBuilder], None]
"""Lowers any statement."""

LowerBlock = Callable[[tuple[ast.Stmt, ...], Scope, FunctionBuilder], None]
"""Lowers statements one after the other."""


class Expressions(Protocol):
    """Lowers the expressions inside of an expression; see :class:`ExpressionLowerer`."""

    def lower(self, expr: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """The program's form of an expression; `expected` helps bare words to find their meaning."""

    def want(self, expr: ast.Expr, scope: Scope, wanted: Type, where: str = "") -> m.Expr:
        """Lower an expression that must have a type."""

    def truth(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower a condition."""

    def entry(self, entry: ast.Entry, scope: Scope, expected: Type | None) -> tuple[Typed, Typed]:
        """Lower the key and the value of an entry."""

    def number(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower an amount."""

    def order(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower a number or a value of an enum, by which things are put in order."""

    def one(self, expr: ast.Expr, scope: Scope, wanted: str, expected: Type | None = None) -> Typed:
        """Lower something that is one thing of a universe, or none."""

    def collection(self, expr: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """Lower something that has members."""

    def members(self, value: Typed, expr: ast.Expr) -> Typed:
        """A lowered value that must have members."""

    def arguments(
        self, name: str, wanted: tuple[tuple[str, Type], ...], expr: ast.Call, scope: Scope
    ) -> tuple[m.Expr, ...]:
        """The arguments of a call, checked against the parameters."""


class Windows(Protocol):
    """Opens windows in which others may react."""

    def opening(self, code: FunctionBuilder) -> None:
        """Add what comes before a procedure."""

    def closing(self, code: FunctionBuilder) -> None:
        """Add what comes when a procedure is over, wherever it has been left."""

    def face(self, die: Type) -> Type:
        """The type of a slot that holds what a die shows."""

    def rolled(self, who: m.Expr, slot: int, type: Type, code: FunctionBuilder) -> None:
        """Add what follows when a player has seen what they have rolled."""


class Interruptions(Protocol):
    """Asks questions, during which something else may be done."""

    def interrupted(self, who_is: str, code: FunctionBuilder) -> bool:
        """True if something may be done here while a question is open."""

    def ask(self, i: m.Choose, code: FunctionBuilder, gone: int, afresh: tuple[m.Instr, ...] = ()) -> None:
        """Ask. After an interruption `afresh` is done and the question comes again; if nothing is left of it and it has
        no `on_empty`, `gone` follows."""

    def may_give_nothing(self, name: str) -> bool:
        """True if a procedure may come back without the result that it promises, through no fault of its own."""


Entries = dict[int, tuple[ast.Expr, Typed]]
"""Expressions and their forms by identity; holding the expression keeps the identity."""


class TypedExpressions:
    """The forms in which the expressions of a game or of a unit were lowered last."""

    __slots__ = ("_index", "_originals", "_own", "_units")

    def __init__(self) -> None:
        self._own: Entries = {}
        self._units: dict[tuple[str, str], TypedExpressions] = {}
        self._originals: dict[int, tuple[ast.Node, ast.Node]] = {}
        """For nodes that came into the place of others, which mean the same: those that were lowered."""
        self._index: Entries | None = None

    def put(self, expr: ast.Expr, typed: Typed) -> None:
        """Keep the form of an expression."""
        self._own[id(expr)] = (expr, typed)

    def of(self, expr: ast.Expr) -> Typed | None:
        """The form in which an expression was lowered last; None if it never was."""
        held = self._own.get(id(expr))
        if held is None and self._units:
            if self._index is None:
                self._index = {}
                self._gather(self._index, set())
            exchanged = self._originals.get(id(expr))
            original = exchanged[1] if exchanged is not None else expr
            held = self._own.get(id(original)) or self._index.get(id(original))
        return held[1] if held is not None else None

    def take(self, unit: tuple[str, str], typed: TypedExpressions) -> None:
        """Hold what belongs to a unit, instead of what it was before."""
        self._units[unit] = typed
        self._index = None

    def exchange(self, old: ast.Node, new: ast.Node) -> None:
        """Take a node for another one that means the same."""
        if not isinstance(new, ast.Expr):
            return
        known = self._originals.pop(id(old), None)
        self._originals[id(new)] = (new, known[1] if known is not None else old)

    def forget(self, nodes: Iterable[ast.Node]) -> None:
        """Forget nodes that are no more."""
        for node in nodes:
            self._own.pop(id(node), None)
            self._originals.pop(id(node), None)

    def copy(self) -> TypedExpressions:
        """A copy, independent of later changes here."""
        made = TypedExpressions()
        made._own, made._units, made._originals = dict(self._own), dict(self._units), dict(self._originals)
        return made

    def _gather(self, index: Entries, seen: set[int]) -> None:
        for unit in self._units.values():
            if id(unit) not in seen:
                seen.add(id(unit))
                unit._gather(index, seen)
                index.update(unit._own)


class LoweringContext:
    """The state that all lowerers of a game read, and what each of them needs to report."""

    def __init__(self, world: SymbolTable, report: Report) -> None:
        self.world = world
        self.report = report
        self.typed = TypedExpressions()
        self.streams: dict[str, None] = {}
        """Names of all sources of chance, in the order met."""
        self.entry: Callable[[str], str] = str
        """The function that runs when an effect or procedure is called: what is done instead may stand before it."""
        self.keys_for_one: list[str] = []
        """Keys that several pieces have, where they were written for one of these."""
        self.numbered = 0
        """The variables so far; each unit starts again, see :mod:`rulewright.compiler.lowering.sharing`."""

    @contextmanager
    def reporting_to(self, report: Report) -> Iterator[None]:
        """Have what is found inside reported elsewhere."""
        usual, self.report = self.report, report
        yield
        self.report = usual

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

    def bind_slot(
        self, code: FunctionBuilder, scope: Scope, name: str, type: Type, changes: bool = False, unsure: bool = False
    ) -> int:
        """A new local known from here on. What is `unsure` may hold none, whatever its type is."""
        slot = code.slot(name, type.or_none() if unsure else type)
        scope.bind(name, Binding(self.read(m.Local(slot), type), type, changes, slot))
        return slot

    def with_keys_held(self, read: m.FieldGet, changes: Callable[[m.Expr], bool], code: FunctionBuilder) -> m.FieldGet:
        """A read of a field, with those of its keys held in slots that may change before."""
        keys: list[m.Expr] = []
        for key, universe in zip(read.index, self.world.fields[read.field].index, strict=False):
            if changes(key):
                slot = code.slot("key", BOOL if universe == "Bool" else entity(universe, optional=True))
                code.add(m.SetLocal(slot, key))
                key = m.Local(slot)
            keys.append(key)
        return m.FieldGet(read.field, tuple(keys))

    # ----------------------------------------------------------------------------------------- errors

    def error(self, code: str, message: str, span: Span, hint: str = "") -> None:
        """Report a mistake."""
        self.report.error(code, message, span, hint=hint)

    def hidden(self, expr: ast.Expr) -> str:
        """Of a local name that is used as if it were the field or zone that it hides: that it hides it."""
        named = expr.name if isinstance(expr, ast.Name) else ""
        what = "field" if named in self.world.fields else "zone" if named in self.world.zones else ""
        return f"`{named}` hides the {what} of this name here; give it another name" if what else ""

    def unknown(
        self, what: str, name: str, known: list[str], span: Span, code: str = "REF001", hint: str = ""
    ) -> Typed:
        """Report a name that means nothing, or nothing yet; without a `hint` what may have been meant is guessed."""
        if name in self.world.later:
            self.report.error("TYP218", "this must be known before the game begins", span)
            return Typed(m.Const(0), ANY)
        is_key = code == "REF004"
        if self.world.unread and (is_key or any(map(self.world.is_enum, self.world.unread))):
            return Typed(m.Const(0), ANY)  # it may stand in a file that could not be read
        hint = hint or _numbers(name, known) or (did_you_mean_key if is_key else did_you_mean)(name, known)
        self.report.error(code, f"unknown {what} `{name}`", span, hint=hint)
        return Typed(m.Const(0), ANY)

    def mismatch(self, wanted: str, found: Type, span: Span, where: str = "", hint: str = "") -> Typed:
        """Report a value of the wrong type."""
        self.report.error("TYP201", f"{where or 'this'} must be {wanted}, but it is {a_type(found)}", span, hint=hint)
        return Typed(m.Const(0), ANY)

    def needs_procedure(self, code: FunctionBuilder, what: str, span: Span) -> bool:
        """Report something that an effect may not do."""
        if not code.asks:
            self.report.error("CTL108", f"an effect cannot {what}", span, hint=f"make `{code.name}` a procedure")
        return code.asks


def _numbers(name: str, known: list[str]) -> str:
    """The numbers that there are, for one that is none of them: of numbers no spelling can be guessed."""
    numbers = [int(other) for other in known if other.isdecimal()]
    if not name.isdecimal() or not numbers:
        return ""
    return f"there is `{min(numbers)}` to `{max(numbers)}`"


def a_type(type: Type) -> str:
    """A type with its article, as messages mention it."""
    text = str(type)
    if type.kind in ("none", "any") or text.startswith(("set", "list")):
        return text if type.kind in ("none", "any") else f"a {text}"
    return f"an {text}" if text[0] in "AEIOUaeiou" else f"a {text}"
