"""Changes of rows as parts of the declarations that read the table.

A table stands beside the rules, and several declarations may read it. So a change of its rows is kept with each of
them: what follows from a declaration, such as whether it is another one than before, follows from its rows, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeGuard

from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.foundation.node_memo import made_once
from rulewright.syntax import ast, print_expr

WithRows = ast.EnumDecl | ast.Piece


def has_rows(decl: ast.Clause) -> TypeGuard[WithRows]:
    """True for a declaration that is read from a component table."""
    return isinstance(decl, WithRows) and decl.table is not None


def same_table(a: WithRows, b: WithRows) -> bool:
    """True for two that are read from the same table: ``cards.json`` is ``cards.json#rows``."""
    return (a.table or "").removesuffix("#rows") == (b.table or "").removesuffix("#rows")


def kinds_above(rules: Rules, decl: WithRows) -> list[WithRows]:
    """A declaration, and the kinds of pieces that it is one of, the closest first."""
    found = [decl]
    while isinstance(decl, ast.Piece) and isinstance(above := rules.decls.get(decl.base or ""), ast.Piece):
        if any(above is one for one in found):
            break
        found.append(above)
        decl = above
    return found


def row_edit(op: ast.RowOp, kind: str, chain: Sequence[WithRows]) -> ast.RowEdit:
    """A change as it is kept; `chain` is the declaration that it names, with those that it is one of.

    It holds a copy: what is made of a clause must not keep it alive.
    """
    columns = [a.name for decl in reversed(chain) for a in decl.attributes if a.value is None]
    template = ""
    if isinstance(chain[0], ast.Piece):
        named = [decl.named for decl in chain if isinstance(decl, ast.Piece) and decl.named is not None]
        template = named[0] if named else kind.lower()
    return ast.RowEdit(replace(op), kind, template, tuple(dict.fromkeys(columns)), span=op.span)


def row_addresses(op: ast.RowOp) -> Iterator[str]:
    """Addresses of what a change writes, so that another one that writes the same can be told."""
    if isinstance(op, ast.AddRowOp):
        return
    key = "" if op.rows.key is None else f' "{op.rows.key}"'
    where = "" if op.rows.where is None else f" where {print_expr(op.rows.where)}"
    rows = f"row{key} of {op.rows.kind}{where}"
    if isinstance(op, ast.SetRowsOp):
        yield from dict.fromkeys(f"{rows}: {cell.column}" for cell in op.cells)
    else:
        yield rows


def with_edits(rules: Rules, decl: ast.Decl) -> ast.Decl:
    """A declaration that comes anew, with the changes that the rows of its table have had already."""
    if not has_rows(decl):
        return decl
    other = next((d for d in rules.decls.values() if has_rows(d) and d.edits and same_table(d, decl)), None)
    if other is None or other is decl:
        return decl
    return made_once(lambda: replace(decl, edits=other.edits), decl, other)


__all__ = ["has_rows", "kinds_above", "row_addresses", "row_edit", "same_table", "with_edits"]
