"""Functions that dispatch over many kinds of expressions, and matches over kinds that pass over the others in silence:
a new kind of expression has to be thought of in each. Facts on expressions stand in ``rulewright.ir.facts``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

from rulewright.ir import model as m
from rulewright.syntax import ast as syntax

SOURCES = Path(__file__).parents[2] / "interpreter" / "rulewright"
PATTERN = re.compile(r"^ +case [^\n]*\(", re.MULTILINE)
MANY, SEVERAL = 6, 3

DISPATCHERS = 22
"""Functions that may dispatch over six or more kinds of expressions; the number only falls."""
NAMED = {"m": 20, "ast": 14}
"""Of a hundred matches over three or more kinds (of expressions and instructions, of syntax) those that end in
``assert_never``, or give the kinds of the default a name; the number only grows."""

EXPRESSIONS = frozenset(kind.__name__ for kind in get_args(m.Expr)) | {"Bound"}
KINDS = {
    "m": EXPRESSIONS | {kind.__name__ for kind in get_args(m.Instr)},
    "ast": frozenset(name for name, one in vars(syntax).items() if isinstance(one, type)),
}


@cache
def trees() -> tuple[tuple[str, ast.Module], ...]:
    """The modules of the interpreter that match patterns of classes."""
    sources = ((path, path.read_text(encoding="utf-8")) for path in sorted(SOURCES.rglob("*.py")))
    return tuple((str(path.relative_to(SOURCES)), ast.parse(text)) for path, text in sources if PATTERN.search(text))


def kinds_in(match: ast.AST) -> Iterator[tuple[str, str]]:
    """The kinds that patterns name, each with the module under whose name it is known."""
    for node in ast.walk(match):
        match node:
            case ast.MatchClass(ast.Attribute(ast.Name(module), kind)):
                yield module, kind
            case ast.MatchClass(ast.Name(kind)):
                yield "", kind
            case _:
                pass  # a pattern of something else


def dispatchers() -> Iterator[str]:
    """The functions that dispatch over many kinds of expressions, nested functions included."""
    for path, tree in trees():
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            named = {kind for module, kind in kinds_in(function) if module in ("", "m") and kind in EXPRESSIONS}
            if len(named) >= MANY:
                yield f"{path}:{function.lineno} {function.name} ({len(named)})"


def names_its_default(match: ast.Match) -> bool:
    """True if no kind is passed over in silence: the last case is never reached, or is of kinds with a name."""
    last = match.cases[-1]
    return "assert_never" in ast.unparse(last) or not (isinstance(last.pattern, ast.MatchAs) and last.guard is None)


def test_no_more_functions_dispatch_over_many_kinds_of_expressions() -> None:
    found = list(dispatchers())
    assert len(found) <= DISPATCHERS, "\n".join(["ask ir/facts.py instead of one of these:", *found])


def test_matches_over_kinds_name_their_default() -> None:
    for module, least in NAMED.items():
        several = [
            match
            for _, tree in trees()
            for match in ast.walk(tree)
            if isinstance(match, ast.Match)
            and len({kind for owner, kind in kinds_in(match) if owner == module and kind in KINDS[module]}) >= SEVERAL
        ]
        share = 100 * sum(map(names_its_default, several)) // len(several)
        assert share >= least, f"{share} of 100 matches over kinds of {module} name their default"
