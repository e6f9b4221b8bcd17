"""The field of what players are paid.

Games whose rules pay have it, and only they: all else about payments follows from its being a field. It is saved and
compared like others, but no rule can name it, and nobody sees it before the game is over.
"""

from __future__ import annotations

from rulewright.compiler.declaration_facts import pays
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.symbols.static_types import INT
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import FieldInfo
from rulewright.ir.model import PAID
from rulewright.syntax import ast


def declare_payments(world: SymbolTable, rules: Rules) -> None:
    """Declare the field if some rule pays."""
    paying = next(filter(pays, rules.decls.values()), None)
    if paying is None:
        return
    by_player = ast.IndexPart(None, "Player")
    decl = ast.FieldDecl(PAID, (by_player,), ast.NamedType("Int"), None, None, (), span=paying.span)
    world.fields = world.fields | {PAID: FieldInfo(("Player",), INT, None, decl)}


__all__ = ["declare_payments"]
