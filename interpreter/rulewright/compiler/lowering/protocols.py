"""Protocols for lowerers that need each other, so that their modules do not import each other in a cycle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.symbols.scope import Scope, Typed
from rulewright.compiler.symbols.static_types import Type
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

    def number(self, expr: ast.Expr, scope: Scope) -> m.Expr:
        """Lower an amount."""

    def one(self, expr: ast.Expr, scope: Scope, wanted: str, expected: Type | None = None) -> Typed:
        """Lower something that is one thing of a universe, or none."""

    def collection(self, expr: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """Lower something that has members."""

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
        """Ask. After an interruption `afresh` is done and the question asked again; if nothing is left of it and it has
        no `on_empty`, `gone` follows."""

    def may_give_nothing(self, name: str) -> bool:
        """True if a procedure may come back without the result that it promises, through no fault of its own."""
