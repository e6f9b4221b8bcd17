"""Single edits of declarations: another value for a clause, more clauses for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.compiler.overlays.labels import rewrite
from rulewright.compiler.tree_walk import nodes
from rulewright.syntax import ast


def is_statement(decl: ast.Decl, meant: Callable[[ast.Clause], bool]) -> bool:
    """True if what is meant stands where statements stand, and not among restrictions, options or modifiers."""
    blocks = (getattr(n, part, None) for n in nodes(decl) for part in ("body", "then", "otherwise"))
    return any(isinstance(c, ast.Clause) and meant(c) for b in blocks if isinstance(b, tuple) for c in b)


_VALUES: dict[type[ast.Clause], str] = {
    ast.Forbid: "condition", ast.Unless: "condition", ast.Modifier: "value", ast.Case: "value", ast.Choose: "source",
    ast.Repeat: "value", ast.Return: "value", ast.Assign: "value", ast.Let: "value", ast.Match: "subject",
    ast.Win: "who", ast.RankAll: "by", ast.PayAll: "value", ast.Reward: "value",
}  # fmt: skip
"""The field of a clause that ``replace label: e`` puts another expression into."""


def value_of(clause: ast.Clause) -> ast.Expr | tuple[ast.Expr, ...] | None:
    """The part that ``replace label: e`` takes the place of: a condition, amount, set or value; perhaps None."""
    match clause:
        case ast.If(branches=(branch,)):
            return branch.condition
        case _:
            name = _VALUES.get(type(clause))
            return getattr(clause, name) if name is not None else None


def with_value(clause: ast.Clause, value: ast.Expr | ast.Many) -> ast.Clause | None:
    """The clause with another condition, amount, set or value; None if it has none to replace."""
    match clause, value:
        case ((ast.Choose() | ast.Repeats()), ast.Many()):
            return replace(clause, many=value)
        case _, ast.Many():
            return None
        case ast.If(branches=(branch,)), _:
            return replace(clause, branches=(replace(branch, condition=value),))
        case ast.RankAll(), _:
            return replace(clause, by=(value,))
        case _ if value_of(clause) is not None:
            return replace(clause, **{_VALUES[type(clause)]: value})  # type: ignore[arg-type]
        case _:
            return None


def extended(
    decl: ast.Decl, meant: Callable[[ast.Clause], bool] | None, clauses: tuple[ast.Clause, ...]
) -> ast.Decl | None:
    """The declaration, or the clause of it that is meant, with more clauses; None if it cannot have such ones."""
    restrictions = tuple(c for c in clauses if isinstance(c, (ast.Forbid, ast.Obey)))
    exceptions = tuple(c for c in clauses if isinstance(c, ast.Unless))
    modifiers = tuple(c for c in clauses if isinstance(c, ast.Modifier))
    cases = tuple(c for c in clauses if isinstance(c, ast.Case))
    options = tuple(c for c in clauses if isinstance(c, ast.Option))
    arms = tuple(c for c in clauses if isinstance(c, ast.MoreArms))
    if meant is not None:
        done = False

        def edit(clause: ast.Clause) -> tuple[ast.Clause, ...] | None:
            nonlocal done
            if not meant(clause):
                return None
            if isinstance(clause, (ast.Choose, ast.Option)) and len(restrictions) == len(clauses):
                done = True
                return (replace(clause, restrictions=clause.restrictions + restrictions),)
            if isinstance(clause, ast.Either) and len(options) == len(clauses):
                done = True
                return (replace(clause, options=(*clause.options, *options)),)
            if isinstance(clause, ast.Match) and len(arms) == len(clauses):
                done = True
                return (replace(clause, arms=(*clause.arms, *(arm for more in arms for arm in more.arms))),)
            if isinstance(clause, ast.Forbid) and len(exceptions) == len(clauses):
                done = True
                return (replace(clause, unless=(*clause.unless, *exceptions)),)
            return None

        made = rewrite(decl, edit)
        return made if done else None
    match decl:
        case ast.Value() if len(modifiers) == len(clauses):
            return replace(decl, modifiers=decl.modifiers + modifiers)
        case ast.Limits() if len(restrictions) == len(clauses):
            return replace(decl, restrictions=decl.restrictions + restrictions)
        case ast.Query(value=None) if len(cases) == len(clauses):
            at = next((n for n, line in enumerate(decl.lines) if isinstance(line, ast.Case)), len(decl.lines))
            return replace(decl, lines=(*decl.lines[:at], *cases, *decl.lines[at:]))
        case ast.Callable() if len(restrictions) == len(clauses):
            return replace(decl, body=restrictions + decl.body)
    return None


__all__ = ["extended", "is_statement", "value_of", "with_value"]
