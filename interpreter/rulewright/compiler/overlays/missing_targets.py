"""Hints for changes whose target is not there: which targets there are, and which of them was probably meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.compiler.overlays.addresses import addresses
from rulewright.compiler.overlays.edited_rows import has_rows
from rulewright.compiler.overlays.labels import labels
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics.suggestions import listing, suggest
from rulewright.syntax import ast

_LISTED = 8
_ELSEWHERE = 3


def declaration_hint(address: str, op: ast.Clause, decls: Mapping[str, ast.Decl]) -> str:
    """A hint for an address that names no declaration, or for one of more than two parts."""
    name, *parts = address.split(".")
    if name in decls:
        found = addresses(decls[name])
        inner = next((part for part in reversed(parts) if part in found), None)
        return _meant([f"{name}.{inner}"]) if inner else "an address has two parts: `declaration.label`"
    known = [other for other, decl in decls.items() if _fits(decl, op)]
    near = suggest(name, known)
    if near is not None:
        return _meant([".".join((near, *parts))])
    there = f"there is {listing(known, _LISTED)}" if known else "nothing in these rules can be changed so"
    return _meant(list(_elsewhere((name, *parts)[-1], decls))) or there


def label_hint(
    name: str, part: str, decl: ast.Decl, beneath: Mapping[str, ast.Decl], decls: Mapping[str, ast.Decl]
) -> str:
    """A hint for a `part` that a declaration lacks: a label that is written nearly so, a statement that names it, such
    as the call of a procedure, or the label of another declaration."""
    known = list(dict.fromkeys((*labels(decl), *addresses(beneath.get(name, decl)))))
    near = suggest(part, known)
    if near is not None:
        return _meant([f"{name}.{near}"])
    naming = [f"{name}.{one}" for one in _naming(beneath.get(name, decl), part)]
    if naming:
        return f"{_meant(naming)} `{part}` stands there, and is no label"
    found = _meant(list(_elsewhere(part, decls)))
    there = f"there is {listing((f'{name}.{one}' for one in known), _LISTED)}" if known else ""
    return found or there or "there is nothing in it that has a name"


def _fits(decl: ast.Decl, op: ast.Clause) -> bool:
    """True if a declaration is of a kind that the change can aim at."""
    match op:
        case ast.AssignOp():
            return isinstance(decl, ast.Parameter)
        case ast.InsertOp() | ast.MoveOp():
            return isinstance(decl, ast.Callable) or bool(addresses(decl))
        case ast.SetRowsOp() | ast.AddRowOp() | ast.RemoveRowsOp():
            return has_rows(decl)
        case _:
            return not isinstance(decl, ast.Game | ast.Players)


def _naming(decl: ast.Decl, word: str) -> list[str]:
    """The addresses of the innermost clauses in which a word stands as a name, in the order written."""
    holding = {
        address: clause
        for address, clause in addresses(decl).items()
        if any(isinstance(node, ast.Name) and node.name == word for node in nodes(clause))
    }
    return [
        address
        for address, clause in holding.items()
        if not any(other is node for other in holding.values() if other is not clause for node in nodes(clause))
    ]


def _elsewhere(label: str, decls: Mapping[str, ast.Decl]) -> Iterator[str]:
    """Addresses of clauses with a label in any declaration."""
    return (f"{name}.{label}" for name, decl in decls.items() if label in labels(decl))


def _meant(found: list[str]) -> str:
    return f"did you mean {listing(found, _ELSEWHERE).replace(' and ', ' or ')}?" if found else ""


__all__ = ["declaration_hint", "label_hint"]
