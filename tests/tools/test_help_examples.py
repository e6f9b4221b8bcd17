"""Options that the help of a command mentions are options of that command."""

from __future__ import annotations

import re
from typing import Any

import pytest
import typer

from rulewright_tools.app import app
from rulewright_tools.command_help import UNIVERSAL

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def options(command: Any) -> set[str]:
    found = {word for param in command.params for word in (*param.opts, *param.secondary_opts)}
    return found.union(*(options(inner) for inner in getattr(command, "commands", {}).values()))


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_options_that_are_mentioned(name: str) -> None:
    """Of another command, if the line names it."""
    for line in re.split(r"\n\s*\n|\n(?= )", COMMANDS[name].help or ""):
        named = set(re.findall(r"(?:rulewright |`)([a-z][\w-]*)", line)) & COMMANDS.keys()
        known = {"--help", *UNIVERSAL}.union(*(options(COMMANDS[one]) for one in {name, *named}))
        assert known.issuperset(re.findall(r"(?<![\w-])--[a-z][\w-]*", line)), line
