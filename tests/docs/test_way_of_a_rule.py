"""The way of a rule from text to machine code, as each stage has it: ``docs/internals/way-of-a-rule.md``.

Each block of the page is what the program makes of one query of tic-tac-toe today, and of the end that asks it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

import rulewright as rw
from rulewright.engine.codegen import compiled_program
from rulewright.engine.codegen.compiled_program import Compiled
from rulewright.engine.native.lowering.program_lowering import lower
from rulewright.engine.native.webassembly.disassembly import function_texts
from rulewright.ir import model as m
from rulewright.ir.text import function_text, instruction_text, query_text
from rulewright.ir.transform.optimizer import Optimizer
from rulewright.syntax import ast

PAGE = Path(__file__).parents[2] / "docs" / "internals" / "way-of-a-rule.md"
QUERY, ASKING = "row_from", 1
"""The query, and the instruction of the function that looks for consequences which asks it."""
UNSAID = {"span", "trivia"}


def tree(value: object, depth: int = 0, name: str = "") -> Iterator[str]:
    """A syntax tree, one node a line, without the places and comments that each node has."""
    before = "  " * depth + (f"{name}: " if name else "")
    if isinstance(value, ast.Node):
        yield before + type(value).__name__
        for field in fields(value):
            if field.name not in UNSAID and (inner := getattr(value, field.name)) not in (None, (), False):
                yield from tree(inner, depth + 1, field.name)
    elif isinstance(value, tuple):
        for one in value:
            yield from tree(one, depth, name)
    else:
        yield f"{before}{value}"


def python_code(program: m.Program, monkeypatch: pytest.MonkeyPatch) -> str:
    """The function that the Python engine writes for the query."""
    written: list[str] = []
    compiled = compiled_program.compiled_code

    def recorded(text: str, origins: Any) -> CodeType:
        written.append(text)
        return compiled(text, origins)

    monkeypatch.setattr(compiled_program, "compiled_code", recorded)
    Compiled(program).demand_query(QUERY)
    return "".join(written)


def stages(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The blocks of the page by their names."""
    game = rw.load("tic-tac-toe")
    program = game.program
    [file] = [file for file in game.ruleset.files if f"query {QUERY}" in file.text]
    [declared] = [one for one in file.file.decls if isinstance(one, ast.Query) and one.name == QUERY]
    [query] = [query for query in program.queries if query.name == QUERY]
    asking = next(number for number, function in enumerate(program.functions) if function.name == "what follows")
    return {
        "text": "\n".join(file.text.splitlines()[declared.span.line - 1 : declared.span.end_line]),
        "tree": "\n".join(tree(declared)),
        "program": query_text(query) + function_text(program.functions[asking]),
        "passes": instruction_text(Optimizer(program).instruction(asking, ASKING)),
        "python": python_code(program, monkeypatch),
        "machine": function_texts(lower(program, (QUERY,)).code)[QUERY],
    }


def test_the_page_shows_each_stage(updating: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    page = PAGE.read_text("utf-8")
    for name, text in stages(monkeypatch).items():
        block = f"<!-- stage: {name} -->\n```\n{text.rstrip()}\n```\n"
        pattern = rf"<!-- stage: {name} -->\n```\n.*?\n```\n"
        assert len(re.findall(pattern, page, re.DOTALL)) == 1
        if updating:
            page = re.sub(pattern, block.replace("\\", r"\\"), page, flags=re.DOTALL)
        assert block in page, f"`pytest --update-goldens tests/docs/{Path(__file__).name}` writes this anew: {name}"
    if updating:
        PAGE.write_text(page, "utf-8")
