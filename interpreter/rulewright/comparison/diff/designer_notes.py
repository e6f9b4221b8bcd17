"""Notes that say in a few words what a changed clause means for its designer."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.comparison.diff.clause_tree import Part
from rulewright.syntax import ast, print_expr, print_type

ARROW = "→"


def notes(old: Part, new: Part) -> tuple[str, ...]:
    """Notes on the difference between two forms of one clause, where it can be said in a few words."""
    return tuple(note for note in _notes(old.node, new.node) if note)


def _notes(old: object, new: object) -> list[str]:
    match old, new:
        case ast.Parameter(), ast.Parameter():
            return [_types(old.type, new.type), _values("", old.value, new.value)]
        case ast.FieldDecl(), ast.FieldDecl():
            return [_types(old.type, new.type), _values("first value ", old.value, new.value)]
        case ast.Attribute(), ast.Attribute():
            return [_types(old.type, new.type)]
        case ast.EnumDecl(), ast.EnumDecl():
            return [_names(old.values, new.values)]
        case ast.Die(), ast.Die():
            return [_names(old.faces, new.faces)]
        case ast.Party(), ast.Party():
            return [_names([m.name for m in old.members], [m.name for m in new.members])]
        case ast.Choose(), ast.Choose() if old.optional is not new.optional:
            return ["may now choose nothing" if new.optional else "now has to choose"]
        case dict(), dict():
            changed = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name)]
            return [f"{name} {old.get(name, 'none')} {ARROW} {new.get(name, 'none')}" for name in changed]
        case _:
            return []


def _types(old: ast.TypeExpr | None, new: ast.TypeExpr | None) -> str:
    if old is None or new is None or old == new:
        return ""
    if isinstance(old, ast.ChoiceType) and isinstance(new, ast.ChoiceType):
        return _names(old.values, new.values)
    return f"type {print_type(old)} {ARROW} {print_type(new)}"


def _values(what: str, old: ast.Expr | None, new: ast.Expr | None) -> str:
    if old is None or new is None or old == new:
        return ""
    return f"{what}{print_expr(old)} {ARROW} {print_expr(new)}"


def _names(old: Sequence[str], new: Sequence[str]) -> str:
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    told = [f"{word} {', '.join(names)}" for word, names in (("drops", gone), ("adds", come)) if names]
    return "; ".join(told) or ("in another order" if list(old) != list(new) else "")
