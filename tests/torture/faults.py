"""Every way to the disk fails once: full, broken, or the process is killed there, in each command that writes.

    python tests/torture/faults.py [calls]

As SQLite is tested: a command is run again and again, and the first, the second, the third … call of the system that
changes something on the disk fails. Afterwards every file is the old one or the new one, an error is one message and
exit code 2, and the same command, run again, does all of its work. With a number, no more calls than that fail, and
each command meets one of the two errors, in turn.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from typer.testing import CliRunner

from rulewright_tools.app import app

ROOT = Path(__file__).resolve().parents[2]
CALLS = ("open", "write", "fsync", "chmod", "replace", "rename")
FAULTS = {"disk full": errno.ENOSPC, "input/output error": errno.EIO, "killed": None}
ERRORS = [name for name, problem in FAULTS.items() if problem is not None]
NEVER = 99
"""The exit code of a child in which nothing has failed."""
BREAKS = 98
"""And of one that has told its error badly."""

Content = dict[str, bytes]


@dataclass(frozen=True)
class Command:
    """A command that writes."""

    words: tuple[str, ...]
    typed: str = ""
    goes_on: bool = False
    """True if it reports the error and goes on, so that nothing is lost."""
    learns: bool = False
    """True if it begins with what is there, so that a second run does something else."""


COMMANDS = (
    Command(("fmt", "game.rules")),
    Command(("check", "--fix", ".")),
    Command(("draw", "tic-tac-toe", "-o", "board.svg")),
    Command(("new", "river-race")),
    Command(("fuzz", "tic-tac-toe", "--games", "1", "--seed", "1", "--keep", "kept"), learns=True),
    Command(("play", "tic-tac-toe", "--seed", "1"), "1\nsave game.json\nquit\n", goes_on=True),
)


def prepare(folder: Path) -> None:
    """A ruleset that is not formatted and has something that can be mended; an old save and an old picture."""
    rules = (ROOT / "rulesets" / "tic-tac-toe" / "game.rules").read_text("utf-8")
    (folder / "game.rules").write_text(rules.replace("forbid taken:", "forbid   taken  :") + "\n\n\n", "utf-8")
    (folder / "ruleset.json").write_text(
        json.dumps({"name": "small", "title": "Small", "rules": ["game.rules"]}), "utf-8"
    )
    (folder / "game.json").write_text("old", "utf-8")
    (folder / "board.svg").write_text("old", "utf-8")


def content(folder: Path) -> Content:
    """Every file and what is in it."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def run(command: Command) -> tuple[int, str]:
    """Run it here."""
    done = CliRunner().invoke(app, command.words, input=command.typed or None, env={"COLUMNS": "200", "NO_COLOR": "1"})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def failing(number: int, problem: int | None) -> Callable[[], int]:
    """Let the call of this number fail; what is given back tells how many there were."""
    count = 0

    def wrap(name: str) -> None:
        right = getattr(os, name)

        def call(*args: Any, **more: Any) -> Any:
            nonlocal count
            if name == "open" and not args[1] & os.O_CREAT:
                return right(*args, **more)
            count += 1
            if count != number:
                return right(*args, **more)
            if name == "write":
                right(args[0], args[1][: len(args[1]) // 2])
            if problem is None:
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(problem, os.strerror(problem or 0))

        setattr(os, name, call)

    for name in CALLS:
        wrap(name)
    return lambda: count


def child(command: Command, folder: Path, number: int, problem: int | None) -> int:
    """Run the command in a process of its own in which one call fails; its exit code, negative for a signal."""
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        code = BREAKS
        try:
            os.chdir(folder)
            count = failing(number, problem)
            ended, told = run(command)
            code = NEVER if count() < number else ended
            if code != NEVER and problem is not None:
                right = os.strerror(problem).lower() in told.lower() and "inside Rulewright" not in told
                code = ended if right and ended == (0 if command.goes_on else 2) else BREAKS
                if code == BREAKS:
                    print(ended, told, file=sys.stderr, flush=True)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def fails(command: Command, fault: str, work: Path, new: Content, most: int) -> tuple[int, list[str]]:
    """At how many calls it was tried, and what was wrong then; `new` is what stands there if nothing fails."""
    problem = FAULTS[fault]
    wrong: list[str] = []
    number = 0
    while number < most:
        number += 1
        folder = _fresh(work)
        old = content(folder)
        code = child(command, folder, number, problem)
        if code == NEVER:
            return number - 1, wrong
        said = f"{' '.join(command.words)}: {fault} at call {number}"
        if code == BREAKS or (problem is None) != (code == -signal.SIGKILL):
            wrong.append(f"{said}: ended with {code}")
        for name, found in content(folder).items():
            # Whoever is killed leaves the file on which they were at work, under its own name.
            left = problem is None and "/." in f"/{name}"
            if found not in (old.get(name), new.get(name)) and not left:
                wrong.append(f"{said}: {name} is neither old nor new")
        wrong += [f"{said}: {name} is gone" for name in old if not (folder / name).exists()]
        if problem is not None:
            continue
        if child(command, folder, 10**9, None) != NEVER and not (folder / "river-race").exists():
            wrong.append(f"{said}: cannot be run again")
        after = {name: found for name, found in content(folder).items() if "/." not in f"/{name}"}
        if after != new and not command.learns:
            wrong.append(f"{said}: run again, it does not do all of its work")
    return number, wrong


def _clean(command: Command, work: Path) -> Content:
    """The contents of the folder if nothing fails. Run in this process: so the children need not read it all again."""
    folder = _fresh(work)
    before = Path.cwd()
    os.chdir(folder)
    run(command)
    os.chdir(before)
    return content(folder)


def _fresh(work: Path) -> Path:
    folder = work / "here"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    prepare(folder)
    return folder


def main() -> int:
    table = Table("command", *FAULTS, title="calls of the system that failed, one at a time")
    wrong: list[str] = []
    few = len(sys.argv) > 1
    most = int(sys.argv[1]) if few else 100
    with tempfile.TemporaryDirectory() as work:
        for place, command in enumerate(COMMANDS):
            row = []
            new = _clean(command, Path(work))
            for fault in FAULTS:
                if few and fault == ERRORS[place % len(ERRORS)]:
                    row.append("")
                    continue
                count, found = fails(command, fault, Path(work), new, most)
                row.append(str(count) + (f", {len(found)} wrong" if found else ""))
                wrong += found
                wrong += [f"{command.words[0]} writes nothing"] if not count else []
            table.add_row(command.words[0], *row)
    Console().print(table)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
