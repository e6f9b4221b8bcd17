"""CTL116: the same whatever the answer."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL116", ast.If, ast.IfElse, ast.Match, ast.Choose, ast.Either)
def equal_branches(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A question that changes nothing: whatever the answer, the same is done."""
    for node in nodes_of(decl, ast.If, ast.IfElse, ast.Match, ast.Choose, ast.Either):
        match node:
            case ast.If(branches=branches, otherwise=otherwise) if otherwise:
                if all(b.body == otherwise for b in branches):
                    yield Finding("both branches do the same", node.span)
            case ast.IfElse(then=then, otherwise=otherwise_) if then == otherwise_:
                yield Finding("this is the same whether the condition holds or not", node.span)
            case ast.Match(arms=arms) if len(arms) + (node.otherwise is not None) > 1:
                bodies = [a.body for a in (*arms, *((node.otherwise,) if node.otherwise is not None else ()))]
                if all(b == bodies[0] for b in bodies):
                    yield Finding("every arm does the same", node.span)
            case ast.Choose(then=then_, otherwise=rest) if then_ is not None and rest is not None and then_ == rest:
                yield Finding("the same is done with and without an answer", node.span)
            case ast.Either(options=options):
                for late, option in enumerate(options):
                    twin = next((o for o in options[:late] if o.body == option.body), None)
                    if twin is not None and option.body:
                        message = f"the options `{twin.label}` and `{option.label}` do the same"
                        yield Finding(message, option.span)
            case _:
                pass  # all else is in order
