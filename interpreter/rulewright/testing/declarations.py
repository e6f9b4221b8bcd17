"""The parts of a ruleset that can be tested, and where each stands: scenarios, invariants, properties, variants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulewright.compiler.tree_walk import nodes
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.syntax import ast


@dataclass(frozen=True, slots=True)
class Declared:
    """A scenario, an invariant, a property or a variant of a ruleset."""

    word: Literal["scenario", "invariant", "property", "variant"]
    name: str
    """The title of a scenario or variant, the name of an invariant or property."""
    span: Span
    """The place of the declaration; its file as messages show it."""
    variant: str = ""
    """The title of the variant that declares it."""


def declared(ruleset: Ruleset) -> Iterator[Declared]:
    """The scenarios, invariants, properties and variants in the files of a ruleset, and those scenarios of the ruleset
    beneath that hold for it; the order is that of the files."""
    for file in (*ruleset.held_scenarios, *ruleset.files):
        for decl in file.file.decls:
            if isinstance(decl, ast.Scenario):
                yield Declared("scenario", decl.title, decl.span)
                continue
            title = decl.title if isinstance(decl, ast.Variant) else ""
            if title:
                yield Declared("variant", title, decl.span)
            for node in nodes(decl):
                if isinstance(node, ast.Invariant):
                    yield Declared("invariant", node.name, node.span, title)
                elif isinstance(node, ast.Property):
                    yield Declared("property", node.name, node.span, title)


def place_of(ruleset: Ruleset, name: str) -> tuple[Span, str] | None:
    """The place of an invariant or property, and the line; None if none of this name is declared."""
    under: Ruleset | None = ruleset
    while under is not None:
        texts = {file.path: file.text for file in under.files}
        for one in declared(under):
            if one.name == name and one.word in ("invariant", "property") and one.span.file in texts:
                return one.span, texts[one.span.file].split("\n")[one.span.line - 1].strip()
        under = under.base
    return None
