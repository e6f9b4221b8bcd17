"""Questions of lint rules to a game: about calls, reads and changes, while they look at a declaration."""

from __future__ import annotations

from rulewright.findings.text.analyses.control_flow import Words, flow_of
from rulewright.findings.text.analyses.declaration_nodes import nodes_of
from rulewright.findings.text.analyses.mentions import Mentions, mentions
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.foundation.memo import memoized_by_node, tracked_query
from rulewright.syntax import ast


def reads(index: RuleIndex, node: object) -> Words:
    """The words that a node depends on, queries, limits and areas that it asks included."""
    return reads_in(index, mentions(node))


@tracked_query
def reads_in(index: RuleIndex, spoken: Mentions) -> Words:
    """The reads where these words stand."""
    return index.game.ask(flow_of).reads(spoken)


def writes(index: RuleIndex, node: object) -> Words:
    """The changes that may be made by statements, calls included."""
    return _writes_in(index, mentions(node))


@tracked_query
def _writes_in(index: RuleIndex, spoken: Mentions) -> Words:
    return index.game.ask(flow_of).writes(spoken)


def finishes(index: RuleIndex, node: object) -> bool:
    """True if the game may end in a node, or in something it calls."""
    return _finishes_in(index, mentions(node))


@tracked_query
def _finishes_in(index: RuleIndex, spoken: Mentions) -> bool:
    return index.game.ask(flow_of).finishes(spoken)


@tracked_query
def is_spoken(index: RuleIndex, word: str) -> bool:
    """True if a bare word stands anywhere in the game."""
    return word in index.game.ask(flow_of).spoken


@tracked_query
def callers(index: RuleIndex, name: str) -> tuple[str, ...]:
    """The other effects and procedures that name this one."""
    return index.game.ask(flow_of).callers.get(name, ())


@tracked_query
def is_opened(index: RuleIndex, name: str) -> bool:
    """True if it is found out whether an effect or procedure can be carried out before it is, somewhere."""
    return name in index.game.ask(flow_of).opened


@tracked_query
def follows(index: RuleIndex) -> Words:
    """The words that consequences may change."""
    return index.game.ask(flow_of).follows


@tracked_query
def due(index: RuleIndex) -> Words:
    """The reads to know whether a consequence follows or the game ends."""
    return index.game.ask(flow_of).due


@tracked_query
def due_at_once(index: RuleIndex) -> Words:
    """The reads to know after each statement whether a consequence follows or the game ends."""
    return index.game.ask(flow_of).due_at_once


@tracked_query
def ends(index: RuleIndex) -> tuple[Words, ...]:
    """For each end of the game the reads to know whether it has come."""
    return index.game.ask(flow_of).ends


@tracked_query
def is_ever_written(index: RuleIndex, name: str) -> bool:
    """True if any rule may change something."""
    return name in index.game.ask(flow_of).ever_written


@tracked_query
def changes_when_run(index: RuleIndex, spoken: Mentions) -> bool:
    """True if a rule that can be run may change something that these words read."""
    flow = index.game.ask(flow_of)
    return not flow.reads(spoken).isdisjoint(flow.written_when_run)


@tracked_query
def never_returns(index: RuleIndex, name: str) -> bool:
    """True if a word stands for an effect or procedure that never comes back to who called it."""
    return name in index.game.ask(flow_of).going


@tracked_query
def has_ending(index: RuleIndex) -> bool:
    """True if any rule that is ever run ends the game with a result."""
    return index.game.ask(flow_of).has_ending


__all__ = [
    *("callers", "changes_when_run", "due", "ends", "finishes", "follows", "has_ending", "is_ever_written"),
    *("is_opened", "is_spoken", "never_returns", "reads", "reads_in", "writes"),
]


_ASKING: dict[type[ast.Node], str] = {
    ast.Branch: "condition", ast.Forbid: "condition", ast.Unless: "condition", ast.Obey: "call",
    ast.Choose: "where", ast.Each: "where", ast.Repeat: "value", ast.Match: "subject", ast.Let: "value",
    ast.Consequence: "when", ast.End: "when", ast.Reaction: "where", ast.IfElse: "condition",
}  # fmt: skip
"""Fields in which rules look before they do something."""


def looks_at(decl: ast.Clause, field: str, index: RuleIndex) -> bool:
    """True if a rule reads a field in a condition or an amount."""
    return field in reads_in(index, _conditions_in(decl))


@memoized_by_node
def _conditions_in(decl: ast.Clause) -> Mentions:
    """The mentions in conditions and amounts of a rule."""
    return mentions(tuple(getattr(node, _ASKING[type(node)]) for node in nodes_of(decl, *_ASKING)))


@tracked_query
def callers_look(index: RuleIndex, name: str, field: str) -> bool:
    """True if all who call an effect or procedure have looked at a field."""
    decls = index.game.rules.decls

    def all_look(name: str, seen: tuple[str, ...]) -> bool:
        above = [c for c in callers(index, name) if c not in seen]
        return bool(above) and all(looks_at(decls[c], field, index) or all_look(c, (*seen, name)) for c in above)

    return all_look(name, ())
