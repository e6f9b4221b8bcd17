"""MAP331: a map that falls into parts."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics.suggestions import listing
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("MAP331")
def disconnected_map(subject: Subject) -> Iterator[Finding]:
    """Maps that fall into parts; places without any neighbour are MAP004."""
    for decl in subject.source.rules.all(ast.MapDecl):
        if decl.table is None or decl.shape == "growing":
            continue
        read = subject.ruleset.map_file(decl.table, decl.span)
        order = {key: number for number, key in enumerate(read.graph)}
        parts = [sorted(part, key=order.__getitem__) for part in read.graph.components() if len(part) > 1]
        parts.sort(key=lambda part: (-len(part), order[part[0]]))
        for part in parts[1:]:
            many = listing(part) if len(part) <= 4 else f"`{part[0]}` and {len(part) - 1} other places"
            hint = "add the edge that is missing"
            yield Finding(
                f"no path leads from the other places of {decl.name} to {many}", read.place_span(part[0]), hint
            )
