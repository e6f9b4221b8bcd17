"""The builder finds its methods by the names of the grammar's rules: each rule has one, and none is left over.

And what else there is of each statement: how it is written, for messages, and how it is drawn, for random tests.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import get_args

from lark.grammar import NonTerminal, Terminal
from syntax_helpers import lark

from closed_words import closed_words, used_words
from rulewright.compiler.tree_walk import nodes
from rulewright.syntax import ast, parse
from rulewright.syntax.builder.declaration_builder import DeclBuilder
from rulewright.syntax.builder.statement_builder import StatementBuilder
from rulewright.syntax.parser.expectations import FORMS

_SAYS_ALL = {"PROCEED", "STOP", "RETURN"}
"""Words that may stand alone."""

KINDS = [kind for kind in vars(ast).values() if isinstance(kind, type) and kind.__module__.startswith(ast.__name__)]


@cache
def _forms(rule: str) -> frozenset[str]:
    """The names of the trees that stand for something of a rule: those that are inlined are looked into."""
    found: set[str] = set()
    todo, seen = [rule], {rule}
    grammar = lark().rules
    while todo:
        at = todo.pop()
        for one in grammar:
            if one.origin.name != at:
                continue
            if one.alias is not None:
                found.add(one.alias)
            elif at != rule and not (one.options.expand1 or at.startswith("_")):
                found.add(at)
            else:
                inner = [s.name for s in one.expansion if isinstance(s, NonTerminal)]
                todo += [name for name in inner if name not in seen]
                seen.update(inner)
    return frozenset(found)


def test_each_declaration_has_its_method() -> None:
    methods = {name.removeprefix("_d_") for name in dir(DeclBuilder) if name.startswith("_d_")}
    assert _forms("decl") == methods


def test_each_statement_has_its_method() -> None:
    forms = _forms("stmt")
    assert {form for form in forms if not callable(getattr(StatementBuilder, f"_{form}", None))} == set()
    # What a method is said to build is the proof that no statement of the tree is without a form.
    built = {getattr(StatementBuilder, f"_{form}").__annotations__["return"] for form in forms}
    assert built == {f"ast.{kind.__name__}" for kind in get_args(ast.Stmt)}


def test_no_method_builds_a_statement_without_a_form() -> None:
    kinds = {f"ast.{kind.__name__}" for kind in get_args(ast.Stmt)}
    methods = {
        name
        for name, held in vars(StatementBuilder).items()
        if callable(held) and held.__annotations__.get("return") in kinds
    }
    assert methods == {f"_{form}" for form in _forms("stmt")}


def test_each_statement_is_told_how_it_is_written() -> None:
    """Those that begin with a word of their own; ``finish with winner`` and ``finish ranking`` are told together."""
    forms = _forms("stmt")
    rules = (rule for rule in lark().rules if (rule.alias or rule.origin.name) in forms and rule.expansion)
    first = {rule.expansion[0].name for rule in rules if isinstance(rule.expansion[0], Terminal)}
    heads = {"FINISH" if name.startswith("FINISH") else name for name in first}
    assert len(heads) > 15
    assert heads - FORMS.keys() == _SAYS_ALL


MADE_BY_THE_COMPILER = {"RowEdit"}


def test_each_node_is_drawn() -> None:
    text = (Path(__file__).parent / "syntax_strategies.py").read_text("utf-8")
    drawn = set(re.findall(r"\bast\.(\w+)", text))
    assert {kind.__name__ for kind in KINDS} - drawn == {"Clause", "Trivia"} | MADE_BY_THE_COMPILER


def test_each_word_stands_in_the_corpus() -> None:
    files = sorted((Path(__file__).parent / "corpus").glob("*.rules"))
    decls = [decl for file in files for decl in parse(file.read_text("utf-8")).file.decls]
    wanted = closed_words(KINDS)
    assert len(wanted) > 100
    assert wanted - used_words((node for decl in decls for node in nodes(decl)), wanted) == set()
