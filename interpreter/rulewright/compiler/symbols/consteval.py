"""Constants of the rules: values that may not depend on the game, and what is wrong with those that do."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.compiler.symbols.static_types import Type
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import Report, Span
from rulewright.ir import model as m
from rulewright.ir.evaluation import Impossible, NotConstant, Value, evaluate, members
from rulewright.ir.model import INT_MAX, NONE


def constant(
    ir: m.Expr, type: Type, where: Span, report: Report, world: SymbolTable, env: Mapping[str, Value] | None = None
) -> Value | None:
    """The value of an expression that may not depend on the game and must fit a type; None if something is wrong."""
    try:
        value = evaluate(ir, env or {}, world.tables)
    except Impossible as why:
        report.error("TYP206", str(why), where)
        return None
    except NotConstant:
        report.error("TYP218", "this must be known before the game begins", where)
        return None
    if type.kind == "int" or (type.is_collection and type.universe == "Int"):
        held = value if isinstance(value, tuple) else members(value) if type.kind == "set" else [value]
        wrong = next((v for v in held if v != NONE and not type.low <= v <= type.high), None)
        if wrong is not None:
            report.error("TYP206", f"this must be {type.low} to {type.high}, not {wrong}", where)
            return None
    if type.kind == "list" and isinstance(value, tuple) and len(value) > max(type.capacity, 1):
        room = f"`, at most {len(value)}` in its declaration makes room"
        report.error("TYP206", f"this list holds at most {type.capacity}, not {len(value)}", where, hint=room)
        return None
    return value


def check_bounds(ir: m.Expr, type: Type, where: Span, report: Report) -> None:
    """Report a number that is known and that a field of this type cannot hold."""
    if type.kind == "int" and isinstance(ir, m.Const) and ir.value != NONE and not type.low <= ir.value <= type.high:
        bounds = f"at least {type.low}" if type.high == INT_MAX else f"{type.low} to {type.high}"
        report.error("TYP206", f"this must be {bounds}, not {ir.value}", where)
