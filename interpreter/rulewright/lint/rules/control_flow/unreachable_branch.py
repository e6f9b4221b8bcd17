"""CTL115: a branch that is never reached."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.constant_conditions import MOST_PARTS, ConditionAnalysis, operands
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CTL115", ast.If, ast.Query, ast.IfElse, ast.Match)
def unreachable_branch(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Branches, cases and arms that are never taken, as something above is taken before."""
    truths = ConditionAnalysis(decl, index)
    inner = {id(n.otherwise) for n in nodes_of(decl, ast.IfElse)}
    for node in nodes_of(decl, ast.If, ast.Query, ast.IfElse, ast.Match):
        match node:
            case ast.If(branches=branches, otherwise=otherwise):
                conditions = [b.condition for b in branches]
                if not any(index.acts(c) for c in conditions):
                    yield from _in_turn(conditions, otherwise[0] if otherwise else None, "`else`", truths)
            case ast.Query(cases=cases) if cases:
                conditions = [c.condition for c in cases if c.condition is not None]
                at = next((i for i, c in enumerate(cases) if c.condition is None), len(cases))
                for case in cases[at + 1 :]:
                    yield Finding("this is never reached: `otherwise` comes first", case.span)
                last = cases[at] if at == len(cases) - 1 else None
                yield from _in_turn(conditions, last, "`otherwise`", truths)
            case ast.IfElse() if id(node) not in inner:
                conditions, rest = [], node
                while isinstance(rest, ast.IfElse):
                    conditions.append(rest.condition)
                    rest = rest.otherwise  # type: ignore[assignment]
                yield from _in_turn(conditions, rest, "what follows `else`", truths)
            case ast.Match(subject=subject, arms=arms, otherwise=ast.Arm() as rest_of_all):
                named = {index.value_of(v) for a in arms for v in a.values}
                type = index.type_in(decl, subject)
                values = set(range(index.values_of_enum(type.universe) or 0))
                if values and named >= values and not type.optional:
                    yield Finding("`otherwise` is never reached: all values are handled above", rest_of_all.span)
            case _:
                pass  # all else is in order


def _in_turn(
    conditions: list[ast.Expr], last: ast.Node | None, word: str, truths: ConditionAnalysis
) -> Iterator[Finding]:
    """Conditions that are evaluated one after the other, until one holds; and what is left over."""
    above: set[ast.Expr] = set()
    for late, condition in enumerate(conditions):
        if condition in above:
            yield Finding("this is never reached: the same condition is tested above", condition.span)
            continue
        above.add(condition)
        parts = list(operands(condition, "and"))
        for before in conditions[:late] if len(conditions) <= MOST_PARTS else ():
            if any(truths.truth(p) is None and truths.implies(p, before) for p in parts):
                message = f"this is never reached: `{print_expr(before)}` is tested above"
                yield Finding(message, condition.span)
                break
    if last is not None and len(conditions) > 1 and truths.always(conditions):
        yield Finding(f"{word} is never reached: one of the conditions above always holds", last.span)
