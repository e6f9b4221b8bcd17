"""Pages of the documentation that are done step by step, as a reader would: each block writes or changes a file, or
runs commands, and the answers must be those on the page. How blocks are meant is said at the top of such a page.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from pytest_runs import run_pytest
from rulewright_tools.app import app

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?P<info>[^\n]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
ANY = "…"


@dataclass(frozen=True)
class Command:
    """A command of a console block, what is typed into it, and what it answers."""

    line: str
    answer: tuple[str, ...]

    @property
    def typed(self) -> str:
        return "".join(line[2:] + "\n" for line in self.answer if line.startswith("> "))

    def run(self) -> list[str]:
        words = shlex.split(self.line)
        if words[:2] == ["cp", "-r"]:
            shutil.copytree(ROOT / words[2], words[3])
            return []
        if words[0] == "pytest":
            found = run_pytest(Path.cwd(), "--color=no", *words[1:])
            assert not found.stderr, found.stderr
            lines = re.sub(r" in \d+\.\d+s( \([\d:]+\))?", "", found.stdout).rstrip("\n").split("\n")
            return [line.rstrip() for line in lines]
        assert words[0] == "rulewright", self.line
        result = CliRunner().invoke(app, words[1:], input=self.typed, env={"COLUMNS": "100", "NO_COLOR": "1"})
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return [line.rstrip() for line in result.output.rstrip("\n").split("\n")]


def commands(body: str) -> list[Command]:
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)
    assert parts[0] == ""
    return [Command(first, tuple(rest)) for first, *rest in (part.rstrip("\n").split("\n") for part in parts[1:])]


def change(file: Path, body: str) -> None:
    """Replace the passage of the lines that go and stay by that of those that stay and come."""
    lines = body.splitlines()
    old = "".join(line[1:] + "\n" for line in lines if line[:1] in (" ", "-"))
    new = "".join(line[1:] + "\n" for line in lines if line[:1] in (" ", "+"))
    text = file.read_text("utf-8")
    assert text.count(old) == 1, f"{file} has not this passage once:\n{old}"
    file.write_text(text.replace(old, new), "utf-8")


def agrees(expected: tuple[str, ...], found: list[str]) -> bool:
    """True if an answer is the one expected, `…` being any lines."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == ANY else re.escape(line) + "\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None


def walk(page: Path, update: bool, without: Sequence[str] = ()) -> list[str]:
    """Do all steps of a page in the current folder; the tools that were used. Its answers are written anew if
    that is wanted. Commands `without` which the rest goes on are left out."""
    head, rest = page.read_text("utf-8").split("-->", 1)
    ran: list[str] = []
    left_out: list[str] = []

    def step(block: re.Match[str]) -> str:
        kind, _, name = block["info"].partition(" ")
        body = block["body"]
        if kind == "console":
            made = []
            for command in commands(body):
                if command.line in without:
                    left_out.append(command.line)
                    continue
                found = command.run()
                ran.append(command.line.split()[1])
                if not update:
                    assert agrees(command.answer, found), f"$ {command.line}\n" + "\n".join(found)
                elif not agrees(command.answer, found):
                    command = Command(command.line, tuple(found))
                made.append("\n".join((f"$ {command.line}", *command.answer)) + "\n")
            body = "".join(made)
        else:
            file = Path(name)
            file.parent.mkdir(exist_ok=True)
            if kind == "diff":
                change(file, body)
            else:
                file.write_text(body, "utf-8")
        return f"```{block['info']}\n{body}```"

    done = BLOCK.sub(step, rest)
    assert left_out == list(without)
    if update:
        page.write_text(f"{head}-->{done}", "utf-8")
    return ran
