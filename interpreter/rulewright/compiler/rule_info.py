"""The place of each rule of a game, and what it transcribes: for refusals, traces and messages at run time."""

from __future__ import annotations

from itertools import chain

from rulewright.compiler.declaration_facts import clauses
from rulewright.compiler.overlays.declaration_set import Rules, name_of
from rulewright.compiler.overlays.labels import label_of
from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.syntax import ast


def rule_infos(rules: Rules) -> tuple[m.RuleInfo, ...]:
    """All rules of a game: its declarations, and what has a label in them."""
    return tuple(chain.from_iterable(map(rule_infos_of, rules.decls.values())))


@memoized_by_node
def rule_infos_of(decl: ast.Decl) -> tuple[m.RuleInfo, ...]:
    """A declaration, and what has a label in it."""
    name = name_of(decl)
    if name is None:
        return ()
    made = {name: _info(name, decl)}
    for clause in clauses(decl):
        if (label := label_of(clause)) is not None:
            made.setdefault(f"{name}.{label}", _info(f"{name}.{label}", clause))
    return tuple(made.values())


def _info(name: str, clause: ast.Clause) -> m.RuleInfo:
    span = clause.span
    return m.RuleInfo(name, clause.trivia.cites, span.file, span.line, span.column)


__all__ = ["rule_infos", "rule_infos_of"]
