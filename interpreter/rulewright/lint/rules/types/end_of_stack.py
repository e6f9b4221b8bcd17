"""TYP244: the first or last of a stack."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics import Edit, Fix, Span
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("TYP244", ast.Aggregate, ast.Call)
def end_of_stack(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """The first or last piece of a stack, of which each reader thinks another one."""
    for node in nodes_of(decl, ast.Aggregate, ast.Call):
        match node:
            case ast.Aggregate("first", pile, ()) if pile is not None and index.is_stack(pile):
                keyword, word, place, other = "first", "top", "on top", ("bottom", "lies below all others")
            case ast.Call(ast.Name("last"), (pile,)) if index.is_stack(pile):
                keyword, word, place, other = "last", "bottom", "at the bottom", ("top", "was laid last")
            case _:
                continue
        if index.decl_named(word) is not None:
            continue  # these rules use the word in a sense of their own
        named, span = print_expr(pile), node.span
        start = Span(span.file, span.line, span.column, span.line, span.column + len(keyword))
        yield Finding(
            f"`{keyword}({named})` of a stack is the piece that lies {place}",
            span,
            hint=f"say so: `{word}({named})`; or `{other[0]}({named})`, if the one is meant that {other[1]}",
            fix=Fix(f"write `{word}`", (Edit(start, word),), safe=False),
        )
