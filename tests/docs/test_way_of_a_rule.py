"""The way of a rule from text to machine code, as each stage has it: ``docs/internals/way-of-a-rule.md``.

Each block of the page is what the program makes of one query of tic-tac-toe today, and of the end that asks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from types import FunctionType
from typing import Any

import rulewright as rw
from instruction_texts import function_text, instruction_text, query_text
from machine_code_text import function_texts
from rulewright.engine.evaluator.evaluated_program import EvaluatedProgram
from rulewright.engine.native.lowering.program_lowering import lower
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


def closures(made: Callable[..., Any], depth: int = 0) -> Iterator[str]:
    """The closures of which one is made, one a line: the kind of expression that each is of, with what it is given."""
    given = [cell.cell_contents for cell in made.__closure__ or ()]
    names = dict(zip(made.__code__.co_freevars, given, strict=True))
    numbers = [f"{name} = {value}" for name, value in names.items() if isinstance(value, int)]
    made_by = made.__qualname__.split(".<locals>")[0].rpartition(".")[2].removeprefix("_x_")
    yield "  " * depth + " ".join([made_by, *([f"({', '.join(numbers)})"] if numbers else [])])
    for value in given:
        for one in value if isinstance(value, list | tuple) else [value]:
            if isinstance(one, FunctionType):
                yield from closures(one, depth + 1)


def stages() -> dict[str, str]:
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
        "closures": "\n".join(closures(EvaluatedProgram(program)._raw_query(QUERY))),
        "machine": function_texts(lower(program, (QUERY,)).code)[QUERY],
    }


def test_the_page_shows_each_stage(updating: bool) -> None:
    page = PAGE.read_text("utf-8")
    for name, text in stages().items():
        block = f"<!-- stage: {name} -->\n```\n{text.rstrip()}\n```\n"
        pattern = rf"<!-- stage: {name} -->\n```\n.*?\n```\n"
        assert len(re.findall(pattern, page, re.DOTALL)) == 1
        if updating:
            page = re.sub(pattern, block.replace("\\", r"\\"), page, flags=re.DOTALL)
        assert block in page, f"`pytest --update-goldens tests/docs/{Path(__file__).name}` writes this anew: {name}"
    if updating:
        PAGE.write_text(page, "utf-8")
