"""The extension for Visual Studio Code fits the project: commands, schemas, version, colours, indentation."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer

import rulewright as rw
from rulewright_tools.app import Commands, app

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "tools" / "vscode"
MANIFEST: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text("utf-8"))
CONTRIBUTES: dict[str, Any] = MANIFEST["contributes"]
SOURCE = "\n".join(path.read_text("utf-8") for path in sorted((EXTENSION / "src").glob("*.ts")))
BUILD = (EXTENSION / "scripts" / "build.mjs").read_text("utf-8")
CONFIGURATION = json.loads((EXTENSION / "language-configuration.json").read_text("utf-8"))
RULES = sorted((ROOT / "rulesets").rglob("*.rules"))
REGISTERED = re.compile(r"""registerCommand\("(rulewright\.\w+)"|^  "(rulewright\.\w+)": \["(\w+)\"""", re.MULTILINE)
"""A command that is registered by itself, or one of the table of subcommands, with the subcommand."""


def test_every_command_is_registered() -> None:
    registered = {one or other for one, other, _ in REGISTERED.findall(SOURCE)}
    assert {command["command"] for command in CONTRIBUTES["commands"]} == registered


def test_subcommands_exist() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, Commands)
    table = {subcommand for *_, subcommand in REGISTERED.findall(SOURCE) if subcommand}
    assert table == {"check", "test", "play", "simulate", "fuzz", "examine", "confirm"}
    assert table <= set(group.entries)


def test_every_schema_exists() -> None:
    """A schema is a file of the extension, or one that the build copies from the top."""
    copied = set(re.findall(r'"(\w+)"', re.findall(r"for \(const name of \[(.*?)\]\)", BUILD)[0]))
    named = [each["url"] for each in CONTRIBUTES["jsonValidation"]]
    named += re.findall(r'"\$ref": "([^"]+)"', (EXTENSION / "data.schema.json").read_text("utf-8"))
    assert len(named) == 6
    for url in named:
        name = Path(url).name.removesuffix(".schema.json")
        if Path(url).parent.name == "schemas":
            assert name in copied
            assert (ROOT / "schemas" / Path(url).name).is_file(), url
        else:
            assert (EXTENSION / url).is_file(), url


def test_it_has_the_version_of_the_project() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text("utf-8"))
    assert [MANIFEST["version"], lock["version"], lock["packages"][""]["version"]] == [rw.__version__] * 3


def test_settings_are_those_that_the_source_reads() -> None:
    assert 'getConfiguration("rulewright").get("command"' in SOURCE
    # The client of the protocol reads the other one itself.
    assert set(CONTRIBUTES["configuration"]["properties"]) == {"rulewright.command", "rulewright.trace.server"}


def test_files_that_are_named_exist() -> None:
    assert (EXTENSION / CONTRIBUTES["grammars"][0]["path"]).is_file()
    assert (EXTENSION / CONTRIBUTES["languages"][0]["configuration"]).is_file()
    assert MANIFEST["main"] == "./dist/extension.js"


def test_a_new_line_behind_the_head_of_a_block_is_indented() -> None:
    """In all shipped rules: what would be indented is, and most of what is indented would be."""
    indents, outdents = (re.compile(rule["beforeText"]) for rule in CONFIGURATION["onEnterRules"])
    wrong, missed, blocks = [], [], 0
    for path in RULES:
        lines = [line for line in path.read_text("utf-8").split("\n") if line.strip() and line.strip()[0] != "#"]
        for line, after in pairwise(lines):
            deeper = len(after) - len(after.lstrip()) > len(line) - len(line.lstrip())
            wrong += [line] if (indents.match(line) and not deeper) or (outdents.match(line) and deeper) else []
            blocks += deeper
            missed += [line] if deeper and not indents.match(line) else []
    assert wrong == []
    assert blocks > 1000
    assert len(missed) < 0.3 * blocks


def test_colours_in_the_editors_own_engine() -> None:
    tool = EXTENSION / "node_modules" / ".bin" / "vscode-tmgrammar-test"
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    if not tool.exists():
        pytest.skip("no tools/vscode/node_modules: npm ci in tools/vscode installs them")
    words = [node, str(tool), "--grammar", CONTRIBUTES["grammars"][0]["path"], "test/*.rules"]
    done = subprocess.run(words, cwd=EXTENSION, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
