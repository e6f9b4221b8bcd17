"""``rulewright fmt``: one style for all rules files."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import (
    CommandError,
    Exit,
    plural,
    print_note,
    print_text,
    put,
    show_diagnostics,
    write_file,
)
from rulewright_tools.error_boundary import guarded


def rules_files(paths: list[str]) -> list[Path]:
    """The rules files that are meant: files themselves, and all in folders."""
    found: list[Path] = []
    for name in paths:
        path = Path(name)
        if path.is_dir():
            found.extend(_in_folder(path))
        elif path.is_file():
            found.append(path)
        else:
            raise CommandError(f"{name}: no such file or folder")
    # The same file may be named in several ways. What a link leads to is another file: nothing is written through one.
    first: dict[Path, Path] = {}
    for path in found:
        first.setdefault(path.parent.resolve() / path.name, path)
    return list(first.values())


def _in_folder(folder: Path) -> list[Path]:
    """All rules files in a folder. Links among them may lead out of it, so who means one has to name it."""
    return [path for path in sorted(folder.rglob("*.rules")) if not path.is_symlink()]


@guarded
def fmt(
    paths: Annotated[list[str], typer.Argument(metavar="PATH…", help="Rules files, or folders with some.")],
    diff: arg.Diff = False,
) -> Exit:
    """Rewrite rules files in the standard format. Comments are kept, and what the rules say does not change.

    With --diff the exit code is 1 if a file would change.

    Examples:

      rulewright fmt my-game
      rulewright fmt quick.rules
      rulewright fmt my-game --diff
    """
    changed = failed = 0
    files = rules_files(paths)
    for path in files:
        try:
            before = rw.files.read_text(path, as_is=True)
            after = rw.files.line_ends_of(before, rw.format_text(before, str(path)))
        except rw.RulesetError as error:
            # One file that cannot be read must not keep the others from being written.
            show_diagnostics(error.diagnostics)
            failed += 1
            continue
        if after == before:
            continue
        changed += 1
        if diff:
            _print_diff(path, before, after)
        else:
            write_file(path, after)
            print_text(f"changed {path}\n")
    print_note(f"{plural(len(files), 'file')}, {changed} {'to change' if diff else 'changed'}")
    if failed:
        return Exit.COULD_NOT_RUN
    return Exit.FINDINGS if changed and diff else Exit.FINE


def _print_diff(path: Path, before: str, after: str) -> None:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"{path} (now)", f"{path} (formatted)"
    )
    for line in lines:
        put(line if line.endswith("\n") else line + "\n")
