"""EXM158: a limit that is refused itself: an answer equal to the number of a parameter is refused, too."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.overlays.addresses import walk
from rulewright.compiler.tree_walk import named_in
from rulewright.data.ruleset import Ruleset
from rulewright.examination.described.definitions_and_uses import own_declarations
from rulewright.examination.findings import Suspect
from rulewright.play.game import Game
from rulewright.syntax import ast


def refused_limits(game: Game) -> Iterator[Suspect]:
    """A restriction compares an answer with a parameter by `>=` or `<=`, so that the number of the parameter itself is
    refused: of a limit one expects that it may be reached."""
    params = _parameters(game.ruleset)
    for decl in own_declarations(game.ruleset, game.program.variants):
        for clause in walk(decl):
            for answer, forbid in _restricted(clause):
                limit = _refuses(forbid.condition, answer, params)
                if limit:
                    yield Suspect(
                        "EXM158",
                        answer,
                        forbid.label,
                        f"`{forbid.label}` refuses {limit} itself",
                        "`>` or `<` lets it be reached",
                        span=forbid.span,
                    )


def _parameters(ruleset: Ruleset | None) -> frozenset[str]:
    """The parameters of a ruleset, of its variants and of what it extends."""
    found = set[str]()
    while ruleset is not None:
        for file in ruleset.files:
            for decl in file.file.decls:
                several = (decl, *decl.ops) if isinstance(decl, ast.Variant) else (decl,)
                for one in several:
                    made = one.decl if isinstance(one, ast.AddDeclOp) else one
                    if isinstance(made, ast.Parameter):
                        found.add(made.name)
        ruleset = ruleset.base
    return frozenset(found)


def _restricted(clause: ast.Clause) -> Iterator[tuple[str, ast.Forbid]]:
    """The restrictions of a question, with the name of its answer."""
    match clause:
        case ast.Choose(name=name, restrictions=several):
            yield from ((name, one) for one in several if isinstance(one, ast.Forbid))
        case ast.ExtendOp(path=path, clauses=several):
            yield from ((path.parts[-1], one) for one in several if isinstance(one, ast.Forbid))
        case _:
            pass  # all else asks no question


def _refuses(condition: ast.Expr, answer: str, params: frozenset[str]) -> str:
    """The parameter to which an answer may not come, in words; empty if a condition is another one."""
    match condition:
        case ast.Binary(op=">=" | "<=", left=left, right=ast.Name(name)) if name in params:
            bound = left
        case ast.Binary(op=">=" | "<=", left=ast.Name(name), right=right) if name in params:
            bound = right
        case _:
            return ""
    return f"`{name}`" if answer in named_in(bound) else ""
