"""CONTRIBUTING.md can be followed: what it names exists, and its pattern of a statement is complete."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer

from rulewright.findings.text import linter
from rulewright.syntax import ast
from rulewright_tools.app import app

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PROSE = re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL)
LINES = [
    line.partition("#")[0].strip()
    for block in re.findall(r"^```\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]
COMMANDS = [*LINES, *re.findall(r"`((?:rulewright|make|pytest|python -m) [^`]+)`", PROSE)]


def recipe(title: str) -> str:
    return TEXT.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_each_path_exists() -> None:
    paths = re.findall(r"`([\w.-]+(?:/[\w.-]+)+|[\w-]+\.(?:toml|md))`", PROSE)
    assert len(paths) > 25
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_each_slow_test_exists() -> None:
    """A line of ``slow.txt`` that means nothing leaves its test to ``make test``, or is only dead."""
    for line in (ROOT / "tests" / "slow.txt").read_text("utf-8").splitlines()[1:]:
        file, *names = line.split("::")
        assert (ROOT / file).exists(), line
        text = (ROOT / file).read_text("utf-8") if names else ""
        assert all(name == "runTest" or re.search(rf"\b{name}\b", text) for name in names), line


def test_each_recipe_has_places_and_commands() -> None:
    for title in re.findall(r"^## (Add .*)$", TEXT, re.MULTILINE):
        assert recipe(title).count("\n```\n") >= 2, title
        assert re.search(r"^(1\. |\| place)", recipe(title), re.MULTILINE), title


def test_commands_exist() -> None:
    group = typer.main.get_command(app)
    known = set(getattr(group, "commands", {}))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for command in COMMANDS:
        words = command.split()
        if words[:1] == ["rulewright"]:
            assert words[1] in known, command
        elif words[:1] == ["make"]:
            assert words[1] in targets, command
        elif words[:2] == ["python", "-m"]:
            assert find_spec(words[2]) is not None, command
        for path in re.findall(r"\b((?:tests|rulesets|schemas)(?:/[\w.-]+)*)", command):
            assert (ROOT / path).exists(), command


def test_the_scaffold_is_named_once_it_is_there() -> None:
    named = "rulewright_tools.scaffold" in recipe("Add a lint rule")
    assert named == (find_spec("rulewright_tools.scaffold") is not None)


def test_the_pattern_of_a_statement_stands_in_each_place() -> None:
    """The example of the first recipe, `flip`, and its instruction are found in every place of its steps."""
    listed = re.findall(r"`((?:grammar|interpreter|docs|tests)/[\w/.-]+)`", recipe("Add a statement to the language"))
    others = ("versions.py", "possibility.py", "clause_tree.py")
    places = [ROOT / path for path in listed if not path.endswith(others)]
    assert len(places) >= 18
    for place in places:
        files = [path for path in place.rglob("*") if path.is_file()] if place.is_dir() else [place]
        texts = (path.read_text("utf-8") for path in files if path.suffix != ".pyc")
        assert any(re.search(r"\bflip|\bturned\b", text, re.IGNORECASE) for text in texts), place


@pytest.mark.parametrize(
    ("title", "word", "others"),
    [
        (
            "Add an operator or another expression",
            "intersect",
            {"versions.py", "program.schema.json"},
        ),
        ("Add a declaration, or a change that variants can make", "area|unchanged", {"clause_tree.py"}),
    ],
)
def test_the_pattern_of_a_recipe_stands_in_each_place(title: str, word: str, others: set[str]) -> None:
    table = "".join(line for line in recipe(title).splitlines(True) if line.startswith("| `"))
    listed = re.findall(r"`((?:grammar|interpreter|docs|tests|tools)/[\w/.-]+)`", table)
    places = [ROOT / path for path in listed if Path(path).name not in others]
    assert len(places) >= 12
    for place in places:
        files = [path for path in place.rglob("*") if path.is_file()] if place.is_dir() else [place]
        texts = (path.read_text("utf-8") for path in files if path.suffix != ".pyc")
        assert any(re.search(word, text, re.IGNORECASE) for text in texts), place


def test_names_in_the_recipes() -> None:
    assert hasattr(ast, "Stmt")
    assert callable(linter.lint)


@pytest.mark.parametrize("module, file", [("rulewright.ir.codec", "schemas/program.schema.json")])
def test_written_files_are_what_their_command_writes(module: str, file: str) -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-m", module], capture_output=True, text=True, check=True)
    assert done.stdout == (ROOT / file).read_text("utf-8")
