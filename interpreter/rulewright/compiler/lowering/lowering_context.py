"""The state that the lowerers of one game share: symbols, the report, fresh names, the lowered form of expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.typed_expressions import TypedExpressions
from rulewright.compiler.symbols.scope import Binding, Scope, Typed
from rulewright.compiler.symbols.static_types import ANY, Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.ir import model as m


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
        """A new local known from here on. What is `unsure` may hold none, whatever its type says."""
        slot = code.slot(name, type.or_none() if unsure else type)
        scope.bind(name, Binding(self.read(m.Local(slot), type), type, changes, slot))
        return slot

    # ----------------------------------------------------------------------------------------- errors

    def error(self, code: str, message: str, span: Span, hint: str = "") -> None:
        """Report a mistake."""
        self.report.error(code, message, span, hint=hint)

    def unknown(self, what: str, name: str, known: list[str], span: Span, code: str = "REF001") -> Typed:
        """Report a name that means nothing, or nothing yet."""
        if name in self.world.later:
            self.report.error("TYP218", "this must be known before the game begins", span)
            return Typed(m.Const(0), ANY)
        hint = _numbers(name, known) or did_you_mean(name, known)
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
