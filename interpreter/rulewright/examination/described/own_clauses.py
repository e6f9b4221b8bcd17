"""Declarations of what is described: of the variants that are played, or of the ruleset itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.data.ruleset import Ruleset
from rulewright.syntax import ast


def own_declarations(ruleset: Ruleset, titles: Sequence[str]) -> Iterator[ast.Decl | ast.Change]:
    """The variants with these titles; without titles all that the ruleset itself declares, its scenarios left out."""
    for file in ruleset.files:
        for decl in file.file.decls if file.role != "scenario" else ():
            if decl.title in titles if isinstance(decl, ast.Variant) else not titles:
                yield decl


__all__ = ["own_declarations"]
