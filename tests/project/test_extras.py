"""The interpreter alone needs few libraries; a command whose extra is not installed says which one it needs."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import install_commands
import rulewright as rw
from rulewright.syntax.tables import parse_tables
from rulewright_tools.extras import EXTRAS, install_command

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]

PUBLISHED = {"sklearn": "scikit-learn", "vl_convert": "vl-convert-python"}
"""Libraries that are published under another name than they are imported by."""

BLOCKING = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocked())
"""
COMMANDS = """
from rulewright_tools.cli import main

for words in {commands!r}:
    sys.argv = ["rulewright", *words]
    try:
        main()
    except SystemExit as end:
        print(end.code, file=sys.stderr)
"""
PLAY = """
import rulewright as rw
from rulewright import reporting
ruleset = rw.open_ruleset("tic-tac-toe")
assert rw.check(ruleset) == []
state = rw.load("tic-tac-toe").playout(1, keep=True)
print(reporting.to_text([rw.Diagnostic("SYN001", "m", rw.Span("f", 1, 1, 1, 2))]), end="")
"""


def run(code: str, blocked: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKING.format(blocked=blocked) + code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )


def test_the_interpreter_alone_plays() -> None:
    done = run(PLAY, list(EXTRAS))
    assert done.returncode == 0, done.stderr
    assert "SYN001" in done.stdout


def sentence(library: str) -> str:
    extra, purpose = EXTRAS[library]
    return f"error: {purpose} needs `{library}`, which is not installed: {install_command(extra)}"


def test_a_missing_extra_is_told() -> None:
    """Each command says which one it needs, and those that need none do without."""
    commands = {
        ("fuzz", "tic-tac-toe", "--games", "1"): "hypothesis",
        ("mutate", "tic-tac-toe", "--limit", "1"): "hypothesis",
        ("draw", "tic-tac-toe"): "drawsvg",
        ("test", "tic-tac-toe", "--format", "junit"): "junitparser",
        ("test", "tic-tac-toe"): "",
    }
    done = run(COMMANDS.format(commands=list(commands)), ["hypothesis", "drawsvg", "junitparser"])
    told = [line for library in commands.values() for line in ([sentence(library), "2"] if library else ["0"])]
    assert done.stderr.splitlines() == told
    assert done.stdout.startswith("tic-tac-toe: ")


def test_printing_without_its_library(tmp_path: Path) -> None:
    done = run(COMMANDS.format(commands=[["print", "tic-tac-toe", "-o", str(tmp_path / "a.pdf")]]), ["typst"])
    assert done.stderr.splitlines() == [sentence("typst"), "2"]
    assert not list(tmp_path.iterdir())


def test_without_the_command_line() -> None:
    for library, command in (("typer", ["check", "tic-tac-toe"]), ("rich", ["simulate", "tic-tac-toe"])):
        done = run(COMMANDS.format(commands=[command]), [library])
        assert done.stderr.splitlines() == [sentence(library), "2"]
        assert done.stdout == ""


def test_learning_without_its_library(tmp_path: Path) -> None:
    done = run(COMMANDS.format(commands=[["learn", "tic-tac-toe", "-o", str(tmp_path / "w.json")]]), ["sklearn"])
    assert done.stderr.splitlines() == [sentence("sklearn"), "2"]
    assert not list(tmp_path.iterdir())


def test_questions_about_parameters_without_their_libraries() -> None:
    """A space that is small enough to be tried in full needs no sampler."""
    aim = ("--aim", "decisions = 9", "--games", "1", "--over")
    commands = {
        ("experiment", "breakthrough", "--over", "size=5..6", "--limit", "8"): "SALib",
        ("experiment", "connect-four", *aim, "columns=4..14,rows=4..14"): "optuna",
        ("experiment", "connect-four", *aim, "columns=4..5", "--format", "json"): "",
    }
    done = run(COMMANDS.format(commands=list(commands)), ["SALib", "optuna"])
    told = [line for library in commands.values() for line in ([sentence(library), "2"] if library else [])]
    found = [line for line in done.stderr.splitlines()[:-1] if "at most" not in line]  # how much work there is
    assert found == told
    assert done.stderr.splitlines()[-1] in ("0", "1")  # found, or not


def test_without_a_solver_no_position_is_laid(tmp_path: Path) -> None:
    (tmp_path / "ruleset.json").write_text('{"name": "dull", "title": "Dull", "rules": ["dull.rules"]}', "utf-8")
    (tmp_path / "dull.rules").write_text(
        "game dull\nplayers 2\n\nfield gold: 0..9 = 0\n\nprocedure play\n    each p in players\n"
        "        p chooses either as way\n            option wait\n                gold = 1\n"
        "            option win\n                forbid poor: gold < 5\n                finish with winner p\n"
        "    finish with nobody winning\n",
        "utf-8",
    )
    aim = ("fuzz", str(tmp_path), "--reach", "rules", "--games", "2")
    done = run(COMMANDS.format(commands=[aim]), ["z3"])
    assert "MISSED  play.win" in done.stdout, done.stderr
    assert "laid" not in done.stdout
    assert set(done.stderr.splitlines()) <= {"0", "1"}


def test_each_extra_is_declared() -> None:
    extras = PROJECT["optional-dependencies"]
    for library, (extra, _) in EXTRAS.items():
        assert any(one.startswith(PUBLISHED.get(library, library)) for one in extras[extra]), library
        assert not any(one.startswith(PUBLISHED.get(library, library)) for one in PROJECT["dependencies"]), library
    everything = {extra for extra, _ in EXTRAS.values()}
    (named,) = extras["all"]
    assert set(named.partition("[")[2].rstrip("]").split(",")) == everything
    assert "rulewright[all]" in extras["dev"]


def test_the_demo_installs_what_an_editable_installation_holds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a build: what the interpreter and the commands require, the folders, and the command."""
    asked: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda words, check: asked.append(words))
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setattr(parse_tables, "write_built_in", lambda folder: None)
    monkeypatch.setattr(sys, "path", [*sys.path])
    install_commands.main(["pip", "install", "--quiet"])
    required = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["cli"]]
    assert asked == [[sys.executable, "-m", "pip", "install", "--quiet", *required]]
    folders = (tmp_path / "_rulewright.pth").read_text("utf-8").splitlines()
    assert folders == [str(ROOT / "interpreter"), str(ROOT / "tools")]
    (tmp_path / "python").write_text('#!/bin/sh\necho "$@"\n', "utf-8")
    (tmp_path / "python").chmod(0o755)
    command = subprocess.Popen([tmp_path / "rulewright", "check", "a b"], stdout=subprocess.PIPE, text=True)
    assert command.communicate()[0] == "-m rulewright_tools check a b\n"


def test_what_the_wheel_holds() -> None:
    """Every shipped ruleset is named one by one, and no draft."""
    included = [name for name in WHEEL["force-include"] if name.startswith("rulesets")]
    shipped = {f"rulesets/{folder.name}" for folder in rw.shipped_rulesets()}
    assert shipped == {name for name in included if (ROOT / name / "ruleset.json").is_file()} == set(included)
    for package in WHEEL["packages"]:
        assert (ROOT / package / "py.typed").is_file()


def test_a_wheel_has_no_draft_and_the_tables_of_its_grammar(tmp_path: Path) -> None:
    """Built if the build backend is there; a clean clone need not have it."""
    builders = pytest.importorskip("hatchling.builders.wheel")
    (made,) = builders.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with ZipFile(made) as wheel:
        names = wheel.namelist()
        grammar = wheel.read("rulewright/_share/grammar/rules.lark").decode("utf-8")
        held = json.loads(wheel.read(f"rulewright/_share/grammar/{parse_tables.BUILT_IN}"))
    assert parse_tables.built_in_text(held["tables"], grammar) == json.dumps(held, separators=(",", ":"))
    assert [name for name in names if "drafts" in name] == []
    assert "rulewright/_share/rulesets/tic-tac-toe/ruleset.json" in names
    pages = [ROOT / "docs" / "language.md", *(ROOT / "docs" / "language").iterdir()]
    assert {f"rulewright/_share/{page.relative_to(ROOT / 'docs').as_posix()}" for page in pages} <= {*names}
    # The page of the studio is in it as it was built, and nothing of what it is built from.
    page = ROOT / "tools" / "rulewright_tools" / "studio" / "page"
    built = {f"rulewright_tools/studio/page/{file.relative_to(page)}" for file in page.rglob("*.*")}
    assert {name for name in names if "studio/page" in name} == built
    assert not any("node_modules" in name for name in names)
