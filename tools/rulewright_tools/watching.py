"""``--watch``: a command runs again whenever a file of the rulesets it is about has changed.

The operating system notifies of an event; what it was is found by comparing the files with what they were before the
last run. So a change made while a run was going on is found at its end, files that editors write beside those they edit
are no change, and where no event arrives, as on some network drives, changes are found a little later.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import rulewright as rw
from rulewright_tools.console import CommandError, Exit, json_text, print_note, show_diagnostics
from rulewright_tools.extras import require

SUFFIXES = (".rules", ".json", ".csv")
"""The files of a ruleset."""
QUIET, LONGEST, LOOK = 50, 400, 1000
"""Milliseconds: several changes are one if no more than the first lie between them, at most for the second; without
any notice files are looked at each time that the third has passed."""
NAMED = 3
"""Changed files that are named."""

Snapshot = dict[Path, tuple[int, int]]
"""Files with the time of their last change and their size."""


def watch(run: Callable[[], Exit], folders: Callable[[], Iterable[Path]], *, as_lines: bool) -> Exit:
    """Run, and again after each change, until the command is interrupted; the exit code is that of the last run.

    `folders` is called before each run; its result may contain files, too. If it raises, because a folder has vanished,
    the last ones are watched. Whatever keeps a run from its end is reported, `as_lines` as one line of JSON on stdout,
    and the next change awaited.
    """
    require("watchfiles")
    watched = list(folders())
    notices = _notices(watched)
    last: Exit | None = None
    try:
        while True:
            before = snapshot(watched)
            last = _outcome(run, as_lines)
            sys.stdout.flush()
            print_note("waiting for changes; Ctrl-C ends")
            changes = _await_change(watched, before, notices)
            print_note(f"{time.strftime('%H:%M:%S')} {changes}")
            with suppress(rw.RulesetError, CommandError, OSError):
                if (found := list(folders())) != watched:
                    watched, notices = found, _notices(found)
    except KeyboardInterrupt:
        if last is None:
            raise
        print_note("stopped watching")
        return last


def one_line(data: object) -> None:
    """Print a report as one line of JSON."""
    print(json_text(data, indent=None))


def folders_of(ruleset: str) -> list[Path]:
    """The folders of a ruleset and of those that it extends, as far as they can be read."""
    found = [Path(ruleset)]
    with suppress(rw.RulesetError):
        base = rw.open_ruleset(ruleset).base
        while base is not None:
            found.append(base.folder)
            base = base.base
    return found


def _outcome(run: Callable[[], Exit], as_lines: bool) -> Exit:
    try:
        return run()
    except CommandError as error:
        print_note(f"error: {error}")
        return Exit.COULD_NOT_RUN
    except rw.RulesetError as error:
        found = error.diagnostics
    except rw.Stopped as error:
        found = (error.diagnostic,)
    if as_lines:
        one_line(rw.reporting.to_json(found))
    else:
        show_diagnostics(found)
    return Exit.COULD_NOT_RUN


# ------------------------------------------------------------------------------------------------------ changes


def snapshot(paths: Iterable[Path]) -> Snapshot:
    """The files at and below some paths, as they are now."""
    found: Snapshot = {}
    for path in paths:
        for file in _files(path):
            with suppress(OSError):  # it vanished just now
                stat = file.stat()
                found[file] = (stat.st_mtime_ns, stat.st_size)
    return found


def _files(path: Path) -> Iterator[Path]:
    """The files of rulesets at or below a path; nothing that is hidden, such as what tools keep for themselves."""
    if not path.is_dir():
        yield path
    for folder, inner, names in os.walk(path):
        inner[:] = [name for name in inner if not name.startswith(".")]
        yield from (Path(folder, name) for name in names if name.endswith(SUFFIXES) and not name.startswith("."))


def differences(before: Snapshot, now: Snapshot) -> str:
    """``changed a.rules, new b.json, removed c.csv``."""
    words = {
        path: "changed" if path in before and path in now else "new" if path in now else "removed"
        for path in sorted(before.keys() | now.keys())
        if before.get(path) != now.get(path)
    }
    named = [f"{word} {rw.files.shown(path)}" for path, word in list(words.items())[:NAMED]]
    more = [f"and {len(words) - NAMED} more"] if len(words) > NAMED else []
    return ", ".join([*named, *more])


def _await_change(paths: list[Path], before: Snapshot, notices: Iterator[None]) -> str:
    """Wait until a file is not what it was; what has happened."""
    while (now := snapshot(paths)) == before:
        next(notices)
    return differences(before, now)


def _notices(paths: list[Path]) -> Iterator[None]:
    """An item whenever something may have happened, at least every second; events between two requests are not lost."""
    import watchfiles

    while True:
        there = [path for path in paths if path.exists()]
        if there:
            # More folders than the system can watch, or one that goes away just now: then looking must do.
            with suppress(OSError, RuntimeError):
                for found in watchfiles.watch(
                    *there, watch_filter=None, debounce=LONGEST, step=QUIET, rust_timeout=LOOK, yield_on_timeout=True
                ):
                    yield
                    if not found or not all(path.is_dir() for path in there):
                        break  # a file or folder of this name may be another one by now
                continue
        time.sleep(LOOK / 1000)
        yield
