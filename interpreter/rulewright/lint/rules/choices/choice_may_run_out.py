"""CHO310: a pile that may run out."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.tree_walk import nodes
from rulewright.lint.analyses.declaration_nodes import blocks, nodes_of
from rulewright.lint.analyses.flow_questions import reads
from rulewright.lint.analyses.mentions import rooted, roots
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CHO310", ast.Repeat)
def choice_may_run_out(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A repetition that takes from a zone again and again, without an alternative when it is empty."""
    for loop in nodes_of(decl, ast.Repeat):
        if loop.mode == "forever":
            continue
        bounded = reads(index, (loop.value, loop.at_most))
        conditional = {id(choice) for choice in _conditional(loop)}
        for block in blocks(nodes(loop)):
            for choice in block:
                if not isinstance(choice, ast.Choose) or choice.optional or choice.otherwise is not None:
                    continue
                if id(choice) in conditional:
                    continue
                zone = rooted(choice.source)
                if index.zone_order(zone) is None or zone in bounded or _looks(loop, zone, index):
                    continue
                if choice.many is None and _takes(loop, choice.name) and not _fills(loop, zone):
                    message = f"`{zone}` may be empty before this is over: then nothing can be chosen"
                    yield Finding(message, choice.span, hint=f"add an `else`, or repeat at most `size({zone}…)` times")


def _conditional(loop: ast.Repeat) -> Iterator[ast.Choose]:
    """The choices whose answers decide whether what they stand in is offered at all, so that no alternative is needed:
    the first ones of options, and of what a player repeats as often as they like."""
    for node in nodes(loop):
        match node:
            case ast.Option(body=body):
                yield from _opening(body)
            case ast.Repeats(many=ast.Many(mode="up to" | "any number"), body=body):
                yield from _opening(body)
            case _:
                pass


def _opening(body: tuple[ast.Stmt, ...]) -> Iterator[ast.Choose]:
    """The choices that may come first in a body."""
    for statement in body:
        match statement:
            case ast.Choose():
                yield statement
            case ast.Step(body=inner):
                yield from _opening(inner)
            case ast.If(branches=branches, otherwise=otherwise):
                for inner in (*(branch.body for branch in branches), otherwise):
                    yield from _opening(inner)
            case _:
                pass
        if not isinstance(statement, (ast.Forbid, ast.Obey, ast.Let, ast.DoNothing, ast.If)):
            return


def _looks(loop: ast.Repeat, zone: str, index: RuleIndex) -> bool:
    """True if some condition in a repetition looks at a zone."""
    return any(isinstance(n, ast.Branch) and zone in reads(index, n.condition) for n in nodes(loop.body))


def _takes(loop: ast.Repeat, name: str) -> bool:
    return any(isinstance(n, ast.Move) and n.what == ast.Name(name) for n in nodes(loop.body))


def _fills(loop: ast.Repeat, zone: str) -> bool:
    return any(isinstance(n, (ast.Move, ast.Draw)) and zone in roots(n.to) for n in nodes(loop.body))
