"""How the tools speak: output on stdout, everything about the run on stderr, exit codes, files written whole."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from enum import IntEnum, StrEnum
from pathlib import Path

from rich.console import Console

import rulewright as rw
from rulewright import reporting


class Exit(IntEnum):
    """What the command tells the shell."""

    FINE = 0
    FINDINGS = 1
    COULD_NOT_RUN = 2
    INTERRUPTED = 130


class Format(StrEnum):
    """How a report is written."""

    TEXT = "text"
    JSON = "json"


class Trouble(Exception):
    """A tool cannot go on; the message is for the person at the terminal."""


class _Console(Console):
    """A console that leaves closed pipes to :mod:`rulewright_tools.guard`."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


PLAIN = "rulewright.plain_letters"
_PLAIN_LETTERS = {"─": "-", "━": "=", "│": "|", "┃": "#", "•": "*", "·": ".", "–": "-", "…": "..."}


def _plain(error: UnicodeError) -> tuple[str, int]:
    """What stands for letters that an encoding does not have; a `+` for all other corners of lines."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(_PLAIN_LETTERS.get(x, "+" if "─" <= x <= "╿" else "?") for x in letters), error.end


codecs.register_error(PLAIN, _plain)


def out() -> Console:
    """The console for results. Made anew each time, so that it follows a redirected stdout.

    Where stdout cannot write a letter, as when output is piped on some systems, a plain one stands for it.
    """
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in ("strict", "replace"):
        sys.stdout.reconfigure(errors=PLAIN)
    return _Console(highlight=False, soft_wrap=True)


def err() -> Console:
    """The console for progress and errors."""
    return _Console(stderr=True, highlight=False, soft_wrap=True)


def say(text: str) -> None:
    """One plain line on stderr."""
    print(text, file=sys.stderr)


def show_diagnostics(found: Sequence[rw.Diagnostic], *, on_stderr: bool = True) -> None:
    """Print findings for a person, with the source line and carets, in colour on a terminal."""
    stream = sys.stderr if on_stderr else sys.stdout
    colour = stream.isatty() and "NO_COLOR" not in os.environ
    print(reporting.to_text(found, colour=colour), file=stream, end="")


def print_json(data: object) -> None:
    """Print a report as JSON, always in the same order."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all: what stood there before stays until the new text is on the disk."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise Trouble(f"cannot write {path}: {error.strerror}") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise Trouble(f"cannot write {path}: {error.strerror}") from error
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


def plural(number: int, word: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
