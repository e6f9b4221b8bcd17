"""Analysis of rules of a change that can never apply, since a parameter has another value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts, names_in
from rulewright.findings.program.facts.program_words import same_words, words_of
from rulewright.findings.suspects import Suspect
from rulewright.foundation.tree_fields import below
from rulewright.ir import model as m
from rulewright.ir.text import expression_text
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# ------------------------------------------------------------------------------------------------------- dead parameter
# EXM119: a rule of a change that waits for a value of a parameter which it has not.


def dead_parameters(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A condition asks, among other things, whether a parameter has a value, and it has another one: all that hangs on
    it is never done. Of conditions that the base has as well nothing is reported, whatever the change sets.
    """
    known = {words for words, _name, _e, _words in _conditions(base)}
    for words, name, e, wording in _conditions(examined):
        if words not in known and any(_is_wrong(part) for part in conjuncts(e)):
            yield Suspect(
                "EXM119",
                name,
                words,
                "this never happens as the parameters are set: one that is asked for here has another value by default",
                "`set` the parameter to the value that is asked for, or give it that default",
                kinds=(ast.Branch, ast.Case),
                words=wording,
            )


_Condition = tuple[str, str, m.Expr, frozenset[str]]
"""The words of a condition without the values of parameters, where it stands, it, and the names in it."""


def _conditions(examined: ExaminedProgram) -> Iterator[_Condition]:
    for function in examined.functions.values():
        for i in function.code:
            if isinstance(i, m.JumpUnless):
                e = _blank(Rewriter(), i.condition)
                wording = words_of(function, i.condition)
                yield same_words(examined.program, function.name, e), function.name, i.condition, wording
    for query in examined.program.queries:
        for node in nodes(query.body):
            if isinstance(node, m.IfElse) and len(conjuncts(node.condition)) > 1:  # a parameter alone is a switch
                text = expression_text(_blank(Rewriter(), node.condition))
                yield f"{query.name}: {text}", query.name, node.condition, names_in(node.condition)


def _is_wrong(e: m.Expr) -> bool:
    """True of a parameter compared with another value than it has."""
    match e:
        case m.Cmp("eq", m.Const(value), m.Const(other)):
            return value != other
        case m.Cmp("ne", m.Const(value), m.Const(other)):
            return value == other
        case _:
            return False


def _blank(rewriter: Rewriter, node: Any) -> Any:
    """A condition in which parameters have no value; each number may be that of one."""
    if isinstance(node, m.Cmp) and isinstance(node.left, m.Const) and isinstance(node.right, m.Const):
        return m.Cmp(node.op, m.Var("a parameter"), node.right, node.nothing)
    if isinstance(node, m.Const):
        return m.Var("a parameter")
    if type(node) is tuple:
        return tuple(_blank(rewriter, one) for one in node)
    parts = {name: _blank(rewriter, getattr(node, name)) for name in below(type(node)) or ()}
    return rewriter.changed(node, parts) if parts else node
