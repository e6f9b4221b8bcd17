"""A new operator touches few places, and mypy or a quick test finds each of them that is forgotten.

`new_operator.patch` adds `S xor T`, the members of one of two sets alone, to the language, to programs and to both
engines. It is applied to a copy of the project: once as a whole, and once without each of its hunks.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest
from mutants import LEFT_OUT, ROOT, is_quick

from sampling import thorough

PATCH = Path(__file__).with_name("new_operator.patch")
MOST = 20
MYPY = "mypy"
PRINTED = "tests/syntax/test_syntax_identity.py::test_the_corpus_is_canonical"
CORPUS = "tests/syntax/test_builder_complete.py::test_each_word_stands_in_the_corpus"
PLAYED_CASE = "tests/language/test_language_cases.py::test_case[played_expressions-sets]"
OPERATIONS = "tests/transform/test_rewriting_rules.py::test_what_is_known_of_operations_on_sets"
FINDERS: dict[str, tuple[str, ...]] = {
    "grammar/rules.lark": (CORPUS,),
    "interpreter/rulewright/syntax/ast/expressions.py": (PRINTED,),
    "interpreter/rulewright/compiler/lowering/expressions/operators.py": (PLAYED_CASE,),
    "interpreter/rulewright/navigation/type_inference.py": (MYPY,),
    "interpreter/rulewright/findings/text/rules/conditions.py": (MYPY,),
    "interpreter/rulewright/ir/set_operations.py": (OPERATIONS,),
    "tests/engine/oracle.py": (OPERATIONS,),
    "tests/syntax/corpus/expressions.rules": (CORPUS,),
    "tests/language/cases/played_expressions.cases": (
        "tests/language/test_lowering_complete.py::test_each_word_of_what_is_asked_or_done_is_played_in_some_case",
    ),
    "tests/language/test_language_oracle.py": ("tests/language/test_language_oracle.py::test_each_operator_is_drawn",),
    "docs/language.md": ("tests/docs/test_language_tables.py::test_every_word_has_its_row",),
    "docs/language/expressions.md": (
        "tests/docs/test_language_examples.py::test_each_operator_is_in_the_table_of_operators",
        "tests/docs/test_language_examples.py::test_each_operator_stands_in_the_order_of_precedence",
    ),
    "docs/language/lexical-structure.md": ("tests/docs/test_language_examples.py::test_all_words_are_listed",),
    "docs/engine-lowering.md": (
        "tests/engine/test_evaluator_complete.py::test_each_operation_is_described_to_who_writes_a_backend",
    ),
    "schemas/program.schema.json": (
        "tests/project/test_contributing.py::test_written_files_are_what_their_command_writes",
    ),
    "tools/vscode/syntaxes/rulewright.tmLanguage.json": (
        "tests/tools/test_textmate.py::test_the_committed_grammar_is_the_generated_one",
    ),
}  # fmt: skip
"""For each file what fails if a hunk of it, or it as a whole, is forgotten, and passes with all of them."""
GENERATED = {
    "schemas/program.schema.json": "rulewright.ir.codec",
    "tools/vscode/syntaxes/rulewright.tmLanguage.json": "rulewright_tools.textmate",
}
"""Files that a command writes, with its module."""

PLAYED = '''"""The operator in a game, on both engines."""

from pathlib import Path

from lockstep import Lockstep
from small_rules import loaded, written

import rulewright as rw

RULES = """game difference
players 2
query evens(n: Int) -> set of Int = {k in {0 .. n} where k mod 2 is 0}
field apart: set of Int = {}
procedure play
    first(players) chooses n from {1 .. 90}
    apart = evens(n) xor {3 .. 70}
    finish with winner players
scenario "apart"
    players anna, bert
    start play
    when anna: n = 6
    then apart is {0, 2, 3, 5} + {7 .. 70}, {} xor apart is apart
"""


def test_played(tmp_path: Path) -> None:
    game = loaded(tmp_path, RULES)
    for seed in range(20):
        Lockstep(game.program).play(seed)
    (plan,) = rw.scenarios.plans(rw.open_ruleset(tmp_path))
    result = rw.scenarios.run_scenario(plan)
    assert result.passed, result.failure
'''


class Hunk(NamedTuple):
    """Lines of a file that become others, with a line around them."""

    file: str
    before: str
    after: str

    def applied(self, text: str) -> str:
        """The text with these lines, which must stand in it just once."""
        found = f"\n{text}".split(f"\n{self.before}")
        assert len(found) == 2, f"{self.file} has changed, and the patch must:\n{self.after}"
        return f"\n{self.after}".join(found)[1:]


def hunks() -> list[Hunk]:
    """The hunks of the patch."""
    found = []
    for part in re.split(r"^diff --git .*\n", PATCH.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        head, *bodies = re.split(r"^@@.*\n", part, flags=re.MULTILINE)
        file = head.rpartition("+++ b/")[2].strip()
        for body in bodies:
            lines = body.splitlines(keepends=True)
            before, after = ("".join(line[1:] for line in lines if line[0] in f" {sign}") for sign in "-+")
            found.append(Hunk(file, before, after))
    return found


def put(into: Path, chosen: Iterable[Hunk], files: Iterable[str]) -> None:
    """Write files of the project with these hunks alone."""
    texts = {file: (ROOT / file).read_text("utf-8") for file in files}
    for hunk in chosen:
        if hunk.file in texts:
            texts[hunk.file] = hunk.applied(texts[hunk.file])
    for file, text in texts.items():
        (into / file).write_text(text, "utf-8")


def test_the_patch_fits_and_is_small() -> None:
    found = hunks()
    for hunk in found:
        hunk.applied((ROOT / hunk.file).read_text("utf-8"))
    assert len(found) + len(GENERATED) <= MOST
    assert {hunk.file for hunk in found} | GENERATED.keys() == FINDERS.keys()
    tests = {test.partition("[")[0] for finders in FINDERS.values() for test in finders} - {MYPY}
    assert sorted(test for test in tests if not is_quick(test)) == []


class Copy:
    """A copy of the project."""

    def __init__(self, folder: Path) -> None:
        self.top = folder / "project"
        shutil.copytree(ROOT, self.top, ignore=LEFT_OUT, symlinks=True)
        paths = os.pathsep.join(str(self.top / name) for name in ("interpreter", "tools"))
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTEST_ADDOPTS")}
        self.tests = {**kept, "PYTHONPATH": paths, "RULEWRIGHT_CACHE": str(folder / "rulewright-tests-cache")}
        self.types = {**kept, "MYPYPATH": str(self.top / "interpreter")}
        self.checked = [file for file, finders in FINDERS.items() if MYPY in finders]

    def generate(self, file: str) -> None:
        """Write a file by its command."""
        done = self._run(["-W", "ignore", "-m", GENERATED[file]], self.tests)
        assert done.returncode == 0, done.stderr
        (self.top / file).write_text(done.stdout, "utf-8")

    def failure(self, finders: Iterable[str]) -> str:
        """The output of what fails first; nothing if all passes."""
        options: tuple[str, ...]
        tests = [finder for finder in finders if finder != MYPY]
        if tests:
            options = ("-q", "-x", "-n0", "--no-header", "--tb=short", "-p", "no:cacheprovider")
            done = self._run(["-m", "pytest", *options, *tests], self.tests)
            assert done.returncode in (0, 1, 2), done.stdout + done.stderr
            if done.returncode:
                return done.stdout
        if MYPY in finders:
            options = ("--follow-imports", "silent", "--cache-dir", "types")
            done = self._run(["-m", MYPY, *options, *self.checked], self.types)
            assert done.returncode in (0, 1), done.stdout + done.stderr
            if done.returncode:
                return done.stdout
        return ""

    def _run(self, arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=self.top, env=environment, capture_output=True, text=True, check=False)


@thorough
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_each_place_that_is_forgotten_is_found(tmp_path: Path, subtests: pytest.Subtests) -> None:
    copy, patch = Copy(tmp_path), hunks()
    put(copy.top, patch, {hunk.file for hunk in patch})
    for file in GENERATED:
        copy.generate(file)
    played = "tests/engine/test_new_operator_in_a_game.py"
    (copy.top / played).write_text(PLAYED, "utf-8")
    finders = dict.fromkeys(finder for several in FINDERS.values() for finder in several)
    assert copy.failure((played, *finders)) == ""
    for hunk in patch:
        with subtests.test(hunk.file, added=hunk.after):
            put(copy.top, (one for one in patch if one is not hunk), [hunk.file])
            assert copy.failure(FINDERS[hunk.file]), "nothing finds that this is forgotten"
        put(copy.top, patch, [hunk.file])
    for file in GENERATED:
        with subtests.test(file):
            put(copy.top, (), [file])
            assert copy.failure(FINDERS[file]), "nothing finds that this is not generated anew"
        copy.generate(file)
