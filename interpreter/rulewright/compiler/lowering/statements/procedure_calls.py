"""Lowering of what runs a procedure or effect: calls as statements, calls that give something back, ``proceed``."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.expressions.literals import PositionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.lowering_context import Interruptions
from rulewright.compiler.symbols.static_types import ANY, STATEMENTS, Type, entity
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Scope
from rulewright.ir import model as m
from rulewright.syntax import ast


class ProcedureCallLowerer:
    """Lowers calls that do something."""

    def __init__(
        self, expressions: ExpressionLowerer, interruptions: Interruptions, entry: Callable[[str], str]
    ) -> None:
        self.context, self.expressions, self.interruptions = expressions.context, expressions, interruptions
        self.world = expressions.world
        self.positions = PositionLowerer(self.context, expressions)
        self.entry = entry
        """The function that is called for an effect or procedure."""

    def do(self, s: ast.CallStatement, scope: Scope, code: FunctionBuilder) -> None:
        """A call as a statement."""
        call = s.call
        if isinstance(call, ast.Name):
            call = ast.Call(call, (), span=call.span)
        if not (isinstance(call, ast.Call) and isinstance(call.operand, ast.Name)):
            self.context.error("TYP214", "this does nothing", s.span, hint="a statement assigns, moves, asks or calls")
            return
        name = call.operand.name
        if name in STATEMENTS and name not in self.world.calls:
            if len(call.args) != 1:
                self.context.error("TYP215", f"`{name}` takes 1 argument, not {len(call.args)}", call.span)
                return
            start = len(code.items)
            if name == "record":
                done = self.positions.record(call, scope)
            else:
                done = m.Eliminate(self.expressions.want(call.args[0], scope, entity("Player", optional=True)))
            if done is not None:
                code.add(done)
            code.settle(start)
            return
        self.invoke(name, call, scope, code, None)

    def invoke(self, name: str, call: ast.Call, scope: Scope, code: FunctionBuilder, into: int | None) -> Type | None:
        """Call an effect or procedure."""
        info = self.world.calls.get(name)
        if info is None:
            if name in self.world.query_decls:
                self.context.error(
                    "CTL110", f"`{name}` only computes a value, and nothing is done with it here", call.span
                )
            else:
                known = [*self.world.calls, *STATEMENTS, *(["proceed"] if code.goes_on is not None else [])]
                self.context.unknown("procedure", name, known, call.operand.span)
            return None
        args = self.expressions.arguments(name, info.params, call, scope)
        if info.decl.word != "effect":
            self.context.needs_procedure(code, f"call the {info.decl.word} `{name}`", call.span)
        start = len(code.items)
        code.add(m.Call(self.entry(name), args, into, code.place(name)))
        if info.decl.word == "effect":
            code.settle(start)
        return info.result

    def result_of(self, expr: ast.Expr, scope: Scope, code: FunctionBuilder) -> tuple[int, Type] | None:
        """If an expression calls a procedure, run it: the slot and type of what it gives back."""
        if not (isinstance(expr, ast.Call) and isinstance(expr.operand, ast.Name)):
            return None
        info = self.world.calls.get(expr.operand.name)
        if info is None:
            return None
        if info.result is None:
            self.context.error("TYP222", f"`{expr.operand.name}` returns nothing", expr.span)
        type = info.result or ANY
        unsure = self.interruptions.may_give_nothing(expr.operand.name)
        slot = code.slot("result", type.or_none() if unsure else type)
        self.invoke(expr.operand.name, expr, scope, code, slot)
        if unsure:
            code.doubt(slot)
        return slot, type

    def proceed(self, s: ast.Proceed, code: FunctionBuilder) -> None:
        """``proceed``: what was replaced is done after all, with the parameters as they are now."""
        if code.goes_on is None:
            self.context.error("TRG306", "`proceed` may be used only in an `instead of` reaction", s.span)
            return
        name, passed_on = code.goes_on
        code.add(m.Call(name, tuple(map(m.Local, passed_on)), code.result_slot, code.place(name)))


def procedure_called(world: SymbolTable, expr: ast.Expr, bare: bool = False) -> ast.Call | None:
    """An expression as the call of an effect or procedure, if it is one; `bare`: parentheses may be left out."""
    if bare and isinstance(expr, ast.Name):
        expr = ast.Call(expr, (), span=expr.span)
    if isinstance(expr, ast.Call) and isinstance(expr.operand, ast.Name) and expr.operand.name in world.calls:
        return expr
    return None


def runs_procedure(world: SymbolTable, node: ast.Node) -> bool:
    """True if a node runs an effect or procedure."""
    called = node.operand if isinstance(node, ast.Call) else node.call if isinstance(node, ast.CallStatement) else None
    return isinstance(called, ast.Name) and called.name in world.calls
