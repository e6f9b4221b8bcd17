"""A clause on one line, as the printer writes it, without what stands below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, get_args

from rulewright.syntax import ast
from rulewright.syntax.printer.declaration_printer import DeclPrinter, line_doc
from rulewright.syntax.printer.expression_printer import listed
from rulewright.syntax.printer.line_layout import flat
from rulewright.syntax.printer.statement_printer import stmt_doc

_STATEMENTS: tuple[type, ...] = get_args(ast.Stmt)
_CHANGES: tuple[type, ...] = get_args(ast.OverlayOp)


def shown(*clauses: ast.Clause) -> str:
    """Clauses one after the other on one line; empty if there are none."""
    return " / ".join(_shown(clause) for clause in clauses)


def _shown(clause: ast.Clause) -> str:
    match clause:
        case ast.Arm(values=values):
            return (flat(listed(values, 1)) if values else "otherwise") + _behind(clause)
        case ast.Option(label=label):
            return f"option {label}" + _behind(clause)
        case ast.Attribute() | ast.Case() | ast.Modifier() | ast.Unless():
            return flat(line_doc(clause))
        case ast.If(one_line=True):
            return flat(stmt_doc(clause))
        case _:
            pass  # a whole block
    printer = DeclPrinter()
    write: Callable[[Any, int], None] = printer.decl
    if isinstance(clause, _CHANGES):
        write = printer.op
    elif isinstance(clause, _STATEMENTS):
        write = printer.stmt
    write(_bare(clause), 0)
    return " ".join(printer.page.text().split())


def _behind(clause: ast.Arm | ast.Option) -> str:
    return f": {flat(stmt_doc(clause.body[0]))}" if clause.one_line else ""


def _bare(node: Any) -> Any:
    """The node without the clauses below it, and without comments and citations."""
    changed: dict[str, Any] = {"trivia": ast.NO_TRIVIA} if isinstance(node, ast.Clause) else {}
    for f in fields(node):
        held = getattr(node, f.name)
        if isinstance(held, ast.Clause):
            changed[f.name] = None if isinstance(held, ast.Arm) else _bare(held)
        elif isinstance(held, tuple) and held:
            if isinstance(held[0], ast.Clause):
                changed[f.name] = None if f.name == "then" or isinstance(node, (ast.Choose, ast.Either)) else ()
            elif isinstance(held[0], ast.Branch):
                changed[f.name] = tuple(_bare(branch) for branch in held)
    if isinstance(node, (ast.Choose, ast.Either)):
        changed |= {"options": ()} if isinstance(node, ast.Either) else {"restrictions": (), "then": None}
        changed["otherwise"] = None
    return replace(node, **changed)
