"""``docs/editors.md`` starts the server that there is, for each editor, and its configurations can be read."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
import typer

import rulewright as rw
from rulewright_tools.app import Commands, app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", PAGE, re.MULTILINE))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WORDS = re.compile(r"""["']rulewright["'].*?["']lsp["']""", re.DOTALL)
"""The two words of the command, as each configuration spells a list."""


def test_each_editor_has_its_section() -> None:
    assert set(SECTIONS) == {"Visual Studio Code", "Neovim", "Helix", "Emacs", "Zed"}
    assert all(BLOCK.search(text) for text in SECTIONS.values())


def test_the_page_names_the_command() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, Commands)
    assert "`rulewright lsp`" in PAGE
    named = set(re.findall(r"`rulewright ([a-z]+)", PAGE))
    assert named <= set(group.entries)


@pytest.mark.parametrize("editor", ["Neovim", "Helix", "Emacs", "Zed"])
def test_each_configuration_starts_the_server(editor: str) -> None:
    blocks = "".join(text for _, text in BLOCK.findall(SECTIONS[editor]))
    assert WORDS.search(blocks)


def test_json_and_toml_can_be_read() -> None:
    blocks = [block for text in SECTIONS.values() for block in BLOCK.findall(text)]
    read = [json.loads(text) if kind == "json" else tomllib.loads(text) for kind, text in blocks if kind in "json toml"]
    assert len(read) == 5
    versions = [data["version"] for data in read if "schema_version" in data]
    assert versions == [rw.__version__]


def test_the_setting_of_visual_studio_code_is_there() -> None:
    properties = json.loads((ROOT / "tools/vscode/package.json").read_text("utf-8"))["contributes"]["configuration"]
    ((_, text),) = BLOCK.findall(SECTIONS["Visual Studio Code"])
    assert set(json.loads(text)) <= set(properties["properties"])
