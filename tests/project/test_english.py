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

UNWANTED = re.compile(r"\b(?:can not|shall|he|him|his|himself)\b", re.IGNORECASE)
"""Words with a plainer form: cannot; will, must or is to; they, them, their, themselves."""


PRONOUN = re.compile(
    r"(?:The same|Those|That|Its?|Their|They|Both|Also|He|She|(?:Every|Some|No)thing|(?:Every|Some|No)body)\b"
)
"""First words that mean nothing away from the neighbour of a docstring."""

SPEECH = re.compile(r"\b(?:told|tells?|asked|heard|said|says|whoever|nobody|somebody)\b", re.IGNORECASE)
"""Verbs of speech and their persons, where a noun of the field would say what something is."""

BUDGETS = {
    "comparison": (0, 10),
    "compiler": (0, 37),
    "data": (0, 35),
    "diagnostics": (0, 20),
    "engine": (0, 60),
    "findings": (0, 142),
    "foundation": (0, 13),
    "host": (0, 9),
    "ir": (0, 20),
    "knowledge": (0, 18),
    "navigation": (0, 11),
    "play": (0, 30),
    "reporting": (0, 0),
    "search": (0, 9),
    "syntax": (0, 34),
    "rulewright_lab": (0, 77),
    "rulewright_tools": (0, 49),
}
"""For each package the docstrings that begin with a pronoun and the verbs of speech that it has left: fewer may be
written here at any time, more never. Keywords of the language (``tells``, ``asked``, ``nobody``) are among them."""


def beginning(source: str, first: re.Pattern[str]) -> list[int]:
    """The lines of docstrings, those below attributes included, that begin with some words."""
    if not re.search(rf"[\"'](?:\s|\\\n)*{first.pattern}", source):
        return []  # trees take long
    return sorted(
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and first.match(str(node.value.value).strip())
    )


def riddles(source: str) -> list[int]:
    """The lines of docstrings that begin with a question word."""
    return beginning(source, RIDDLE)


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


@pytest.mark.parametrize("package", BUDGETS)
def test_pronouns_and_verbs_of_speech_grow_fewer(package: str) -> None:
    """If this fails: say what the thing is, with a noun; if it passes with fewer, write that into the budget."""
    top = "tools" if package.startswith("rulewright_") else "interpreter/rulewright"
    sources = [p.read_text("utf-8") for p in (ROOT / top / package).rglob("*.py") if "node_modules" not in p.parts]
    pronouns = sum(len(beginning(source, PRONOUN)) for source in sources)
    speech = sum(len(SPEECH.findall(source)) for source in sources)
    most_pronouns, most_speech = BUDGETS[package]
    assert pronouns <= most_pronouns
    assert speech <= most_speech


def test_each_package_has_a_budget() -> None:
    rooms = {path.parent.name for path in (ROOT / "interpreter" / "rulewright").glob("*/__init__.py")}
    assert rooms | {"rulewright_lab", "rulewright_tools"} == set(BUDGETS)


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
