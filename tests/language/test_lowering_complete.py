"""A node that no lowerer knows is an error of the compiler, and is never dropped silently."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from language_helpers import cases, write

import rulewright as rw
from closed_words import closed_words, used_words
from rulewright.compiler import sources
from rulewright.compiler.driver import Compiler
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.overlays.layers import for_game
from rulewright.compiler.symbols.static_types import BUILTINS
from rulewright.compiler.symbols.symbols import Scope
from rulewright.compiler.tree_walk import nodes
from rulewright.diagnostics import Report
from rulewright.syntax import ast, parse

UNKNOWN: Any = object()


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    folder: Path = tmp_path_factory.mktemp("complete")
    write(folder, "")
    source, report = sources(rw.open_ruleset(folder)), Report()
    rules = for_game(source.rules, 2, [], report, source.by_count)
    made = Compiler(source.ruleset, rules, 2, {}, report)
    made.compile(())
    return made


def test_an_unknown_statement(compiler: Compiler) -> None:
    with pytest.raises(AssertionError):
        compiler.lowering.statements.lower(UNKNOWN, Scope(), FunctionBuilder("play", "procedure", True))


def test_an_unknown_beginning_of_a_body(compiler: Compiler) -> None:
    with pytest.raises(AssertionError):
        compiler.lowering.possibility.of_body((UNKNOWN,), Scope(), "play")


def test_an_unknown_restriction(compiler: Compiler) -> None:
    with pytest.raises(AssertionError):
        compiler.lowering.restrictions.lower((UNKNOWN,), Scope(), "play")


def test_an_unknown_expression(compiler: Compiler) -> None:
    with pytest.raises(AssertionError):
        compiler.expressions.lower(UNKNOWN, Scope())


def test_an_unknown_type(compiler: Compiler) -> None:
    with pytest.raises(AssertionError):
        compiler.world.resolve(UNKNOWN)


def test_an_unknown_instruction() -> None:
    code = FunctionBuilder("play", "procedure", True)
    code.add(UNKNOWN)
    with pytest.raises(AssertionError):
        code.assemble((), ())


def test_each_statement_is_played_in_some_case() -> None:
    texts = ("\n".join(case.rules) + "\n" for case in cases("*played*.cases"))
    decls = [decl for text in texts for decl in parse(text).file.decls]
    assert set(get_args(ast.Stmt)) <= {type(node) for decl in decls for node in nodes(decl)}


def test_each_built_in_function_has_its_lowering(compiler: Compiler) -> None:
    assert compiler.expressions.calls.builtins.by_name.keys() == BUILTINS.keys()


def test_each_built_in_function_is_played_in_some_case() -> None:
    """All but ``old``, which only properties ask."""
    calls = [node for node in _written("*played*.cases") if isinstance(node, ast.Call)]
    assert BUILTINS.keys() - {call.operand.name for call in calls if isinstance(call.operand, ast.Name)} == {"old"}


def _written(pattern: str) -> Iterator[ast.Node]:
    for case in cases(pattern):
        for decl in parse("\n".join(case.rules) + "\n").file.decls:
            yield from nodes(decl)


def test_each_word_of_what_is_asked_or_done_is_played_in_some_case() -> None:
    wanted = closed_words((*get_args(ast.Expr), *get_args(ast.Stmt), ast.Many, ast.Modifier, ast.Reaction))
    assert wanted - used_words(_written("*played*.cases"), wanted) == set()


def test_each_word_stands_in_some_case() -> None:
    kinds = [kind for kind in vars(ast).values() if isinstance(kind, type) and kind.__module__.startswith(ast.__name__)]
    wanted = closed_words(kinds)
    assert wanted - used_words(_written("*.cases"), wanted) == set()


@pytest.mark.parametrize(
    "family", [ast.Decl, ast.OverlayOp, ast.ScenarioLine], ids=["Decl", "OverlayOp", "ScenarioLine"]
)
def test_each_declaration_change_and_line_stands_in_some_case(family: Any) -> None:
    assert set(get_args(family)) - {type(node) for node in _written("*.cases")} == set()
