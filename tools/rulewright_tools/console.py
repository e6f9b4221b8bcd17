"""The console of the tools: output on stdout, everything about the run on stderr, exit codes, files written whole.

Whatever goes to a terminal goes through here. Titles, keys and logs are other people's words: they are never markup,
and no control character in them reaches the terminal.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import rulewright as rw

if TYPE_CHECKING:
    from rich.console import Console


class Exit(IntEnum):
    """Exit codes of the commands."""

    FINE = 0
    FINDINGS = 1
    COULD_NOT_RUN = 2
    INTERRUPTED = 130


class Format(StrEnum):
    """Formats of a report."""

    TEXT = "text"
    JSON = "json"


class CommandError(Exception):
    """A tool cannot go on; the message is for the person at the terminal."""


PLAIN = "rulewright.plain_letters"
_PLAIN_LETTERS = {"─": "-", "━": "=", "│": "|", "┃": "#", "•": "*", "·": ".", "–": "-", "…": "...", "→": "->", "×": "x"}


def _plain(error: UnicodeError) -> tuple[str, int]:
    """The replacement for letters that an encoding does not have; a `+` for all other corners of lines."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(_PLAIN_LETTERS.get(x, "+" if "─" <= x <= "╿" else "?") for x in letters), error.end


codecs.register_error(PLAIN, _plain)


def out() -> Console:
    """The console for results. Made anew each time, so that it follows a redirected stdout.

    Where stdout cannot write a letter, as when output is piped on some systems, a plain one stands for it.
    """
    _plain_where_needed()
    return _console(stderr=False)


def is_terminal() -> bool:
    """True if results go to a terminal, or are to look as if they did: :func:`out` then shows headings and colours."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def print_text(text: str) -> None:
    """Text that needs neither colours nor tables, on stdout, as :func:`out` would print it."""
    _plain_where_needed()
    sys.stdout.write(rw.characters.printable(text, lines=True))


def _plain_where_needed() -> None:
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in ("strict", "replace"):
        sys.stdout.reconfigure(errors=PLAIN)


def err() -> Console:
    """The console for progress and errors."""
    _before_stderr()
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    from rulewright_tools.rich_console import SafeConsole

    return SafeConsole(stderr=stderr)


def print_note(text: str) -> None:
    """One plain line on stderr."""
    _before_stderr()
    print(rw.characters.printable(text, lines=True), file=sys.stderr, flush=True)


def _before_stderr() -> None:
    """Flush stdout, so that where both streams go into one pipe, their texts stand in the order of the calls."""
    with suppress(OSError, ValueError):  # a reader that has gone is noticed at the end of the command
        sys.stdout.flush()


def put(text: str) -> None:
    """A whole document on stdout: a picture, a page, a list of differences."""
    sys.stdout.write(rw.characters.printable(text, lines=True))


def show_diagnostics(found: Sequence[rw.Diagnostic], *, on_stderr: bool = True) -> None:
    """Print findings for a person, with the source line and carets, in colour on a terminal."""
    stream = sys.stderr if on_stderr else sys.stdout
    if on_stderr:
        _before_stderr()
    colour = stream.isatty() and "NO_COLOR" not in os.environ
    print(rw.reporting.to_text(found, colour=colour), file=stream, end="")


def json_text(data: object, indent: int | None = 2) -> str:
    """Data as JSON that can be shown: letters as they are, characters that are not seen by their numbers."""
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    return rw.characters.UNSEEN.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)


def print_json(data: object) -> None:
    """Print a report as JSON, always in the same order."""
    print(json_text(data))


def will_write(*paths: Path | None) -> None:
    """Try, before long work begins, whether what comes of it can be written to these files, if they are wanted."""
    for path in paths:
        if path is not None:
            if not path.absolute().parent.is_dir():
                raise CommandError(f"cannot write {path}: there is no folder {path.parent}")
            try:
                rw.files.try_to_write(path)
            except (OSError, ValueError) as error:
                raise _cannot_write(path, error) from error


def write_file(path: Path, data: str | bytes) -> None:
    """Write a file whole or not at all: what stood there before stays until the new one is on the disk."""
    try:
        rw.files.write_bytes(path, data) if isinstance(data, bytes) else rw.files.write_text(path, data)
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error) from error


def _cannot_write(path: Path, error: Exception) -> CommandError:
    return CommandError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}")


def write_page(path: Path, page: str) -> None:
    """Write a page, and say so."""
    write_file(path, page)
    print_note(f"wrote {path}")


def plural(number: int, word: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def read_save(path: Path) -> dict[str, object]:
    """The contents of a saved game; the game itself checks whether it fits."""
    return parsed_save(path, rw.files.read_text(path))


def parsed_save(path: Path, text: str) -> dict[str, object]:
    """The saved game in the text of a file."""
    try:
        data = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not a saved game: {error}") from error
    if not isinstance(data, dict):
        raise CommandError(f"{path} is not a saved game")
    return data


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON; refuses duplicate keys, as it is unknown which value is meant."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} occurs twice in one object")
    return found


@contextmanager
def errors_in(path: Path) -> Iterator[None]:
    """Errors about a saved game or a log, with the file that holds it."""
    try:
        yield
    except rw.RulesetError as error:
        file = rw.Span(rw.files.shown(path))
        found = (replace(one, span=file) if one.code.startswith("SAV") else one for one in error.diagnostics)
        raise rw.RulesetError(found) from None
