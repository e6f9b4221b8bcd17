"""Docstrings begin with a noun or a verb, and the code keeps to plain English (see ``CONTRIBUTING.md``)."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("interpreter", "tools", "tests")

RIDDLE = re.compile(r"(?:What|Whether|Where|Who|Whom|Whose|When|Why|Which|How|That|Wh\w+ever|However)\b")
"""First words that leave open what a function gives or a class is: such a sentence never says it."""

RIDDLED = re.compile(rf"[\"'](?:\s|\\\n)*{RIDDLE.pattern}")
"""A text that begins so: whether it is a docstring, only the tree tells."""

UNWANTED = re.compile(r"\b(?:can not|shall|he|him|his|himself)\b", re.IGNORECASE)
"""Words with a plainer form: cannot; will, must or is to; they, them, their, themselves."""


def riddles(source: str) -> list[int]:
    """The lines of docstrings, those below attributes included, that begin with a question word."""
    if not RIDDLED.search(source):
        return []  # trees take long
    return sorted(
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and RIDDLE.match(str(node.value.value).strip())
    )


def unwanted(source: str) -> list[int]:
    """The lines of comments, docstrings and messages with an unwanted word."""
    if not UNWANTED.search(source):
        return []  # tokens take long
    return [
        token.start[0] + below
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type != tokenize.NAME
        for below, line in enumerate(token.string.split("\n"))
        if UNWANTED.search(line)
    ]


def assert_none(folder: str, lines_of: Callable[[str], list[int]]) -> None:
    """No module in a folder has such a line; this one gives examples of them."""
    found = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        if "node_modules" in path.parts:  # of the extension for an editor: written by others
            continue
        source = path.read_text("utf-8")
        if path != Path(__file__):
            lines = source.split("\n")
            found += [f"{path.relative_to(ROOT)}:{n}: {lines[n - 1].strip()}" for n in lines_of(source)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_begin_with_a_noun_or_a_verb(folder: str) -> None:
    assert_none(folder, riddles)


@pytest.mark.parametrize("folder", FOLDERS)
def test_words_with_a_plainer_form(folder: str) -> None:
    assert_none(folder, unwanted)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('"""What it does."""', [1]),
        ('def f():\n    """Whether it is."""', [2]),
        ('class A:\n    x: int\n    """How many."""', [3]),
        ('async def f():\n    """  Who is\n    asked."""', [2]),
        ('if True:\n    def f():\n        """Wherever it lies."""', [3]),
        ('def f():\n    """The number of pieces.\n\n    What is left out is not counted.\n    """', []),
        ('x = "What it does."', []),
        ('"""Whatsits, however called."""', []),
    ],
)
def test_riddles_are_found(source: str, lines: list[int]) -> None:
    assert riddles(source) == lines


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("x = 1  # it shall be", [1]),
        ('"""One.\n\nHe goes.\n"""', [3]),
        ('x = f"{y} can not"', [1]),
        ("he = 1", []),
        ("# the shallow hissing", []),
    ],
)
def test_unwanted_words_are_found(source: str, lines: list[int]) -> None:
    assert unwanted(source) == lines
