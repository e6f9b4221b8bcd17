"""Helpers that the tests of the syntax share."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from lark import Lark

from rulewright.diagnostics import Diagnostic
from rulewright.syntax import ast
from rulewright.syntax.tables.grammar import make_lark
from rulewright.syntax.tables.parse_tables import ALWAYS_WRONG, EXPRESSION, START, TRIVIA, grammar_text

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def corpus() -> list[Path]:
    """Texts with every construct, in canonical form."""
    return sorted((HERE / "corpus").glob("*.rules"))


def all_rules() -> list[Path]:
    """Every rules file of the project."""
    places = (ROOT / "rulesets", ROOT / "tests" / "language", HERE / "corpus", HERE / "layout")
    return sorted(path for place in places for path in place.rglob("*.rules"))


def every_day(paths: list[Path], step: int) -> list[Path]:
    """The texts with every construct, and of the others one in so many."""
    constructs = [path for path in paths if path.is_relative_to(HERE)]
    return constructs + [path for path in paths if path not in constructs][::step]


@cache
def lark() -> Lark:
    """The grammar as lark itself reads it, and lark's own parser of it."""
    return make_lark(grammar_text(), (START, EXPRESSION), (*TRIVIA, *ALWAYS_WRONG))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def nodes(node: object) -> Iterator[ast.Node]:
    """A node and all below it."""
    if isinstance(node, ast.Node):
        yield node
        for field in dataclasses.fields(node):
            yield from nodes(getattr(node, field.name))
    elif isinstance(node, tuple):
        for item in node:
            yield from nodes(item)


def trivia_of(text: str) -> tuple[list[str], list[str]]:
    """The comments and citations of a text, found without the parser."""
    comments, cites = [], []
    for line in text.split("\n"):
        code = re.sub(r'"[^"]*"', lambda m: "_" * len(m[0]), line).partition("#")[0]
        if "#" in line[len(code) :]:
            comments.append(line[len(code) + 1 :].removeprefix(" ").rstrip())
        cites += re.findall(r"@([A-Za-z][A-Za-z0-9._\-]*)", code)
    return sorted(comments), sorted(cites)


def lines_of(diagnostics: tuple[Diagnostic, ...]) -> list[int]:
    return [d.span.line for d in diagnostics]
