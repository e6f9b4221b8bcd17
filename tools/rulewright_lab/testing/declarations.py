"""The parts of a ruleset that can be tested, and where each stands: scenarios, invariants, properties, variants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rulewright.compiler import nodes
from rulewright.data import Ruleset
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
    text: str
    """The first line, as it stands in the file."""
    variant: str = ""
    """The title of the variant that declares it."""

    @property
    def place(self) -> str:
        """The file, the line, and the text: ``pig/game.rules:33  invariant …``."""
        return f"{self.span.file}:{self.span.line}  {self.text}"


def declared(ruleset: Ruleset) -> Iterator[Declared]:
    """The scenarios, invariants, properties and variants in the files of a ruleset, and those scenarios of the ruleset
    beneath that hold for it; the order is that of the files."""
    for file in (*ruleset.held_scenarios, *ruleset.files):
        lines = file.text.split("\n")
        for decl in file.file.decls:
            if isinstance(decl, ast.Scenario):
                yield Declared("scenario", decl.title, decl.span, _line(lines, decl))
                continue
            title = decl.title if isinstance(decl, ast.Variant) else ""
            if title:
                yield Declared("variant", title, decl.span, _line(lines, decl))
            for node in nodes(decl):
                if isinstance(node, ast.Invariant):
                    yield Declared("invariant", node.name, node.span, _line(lines, node), title)
                elif isinstance(node, ast.Property):
                    yield Declared("property", node.name, node.span, _line(lines, node), title)


def assertion_of(ruleset: Ruleset, name: str) -> Declared | None:
    """The invariant or property of a name, in a ruleset or the nearest beneath that declares it."""
    under: Ruleset | None = ruleset
    while under is not None:
        for one in declared(under):
            if one.name == name and one.word in ("invariant", "property"):
                return one
        under = under.base
    return None


def _line(lines: Sequence[str], node: ast.Node) -> str:
    return lines[node.span.line - 1].strip()
