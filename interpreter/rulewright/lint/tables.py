"""Data files: rows that say the same, and files that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rulewright.data.manifest import FILE
from rulewright.data.paths import shown
from rulewright.data.ruleset import Ruleset, data_files
from rulewright.diagnostics import Severity, Span
from rulewright.lint.subject import Finding, Lint, Subject, lint
from rulewright.syntax import ast

_ASIDE = ("note", "source", "guess")
"""Columns that do not make two rows different."""

_DEEPEST = 3
"""Folders in folders; what lies deeper is not looked for."""

_ENOUGH = 3
"""So many rows make a custom."""

_READ = (".rules", ".json", ".csv")


@lint("DAT029", "equal-rows")
def equal_rows(subject: Subject) -> Iterator[Finding]:
    """Rows of a table of pieces that are the same: copies are counted, so the second one is probably a slip."""
    seen: set[str] = set()
    for decl in subject.source.rules.all(ast.Piece):
        if decl.table is None or decl.table in seen:
            continue
        seen.add(decl.table)
        table = subject.ruleset.table(decl.table)
        first: dict[str, int] = {}
        for number, row in enumerate(table.rows):
            said = repr(sorted((key, value) for key, value in row.items() if key not in _ASIDE))
            if said in first:
                message = "this row says the same as an earlier one"
                other = f"the other stands on line {table.span(first[said]).line}"
                hint = "copies are written as `count`"
                yield Finding(message, table.span(number), hint, (other,), table.path(number))
            first.setdefault(said, number)


@lint("DAT031", "cell-left-out")
def cell_left_out(subject: Subject) -> Iterator[Finding]:
    """The one row that leaves out a column which all others have: whoever means none writes `null`."""
    seen: set[str] = set()
    for decl in subject.source.rules.decls.values():
        if not isinstance(decl, (ast.Piece, ast.EnumDecl)) or decl.table is None or decl.table in seen:
            continue
        seen.add(decl.table)
        table = subject.ruleset.table(decl.table)
        for column in table.columns:
            without = [number for number, row in enumerate(table.rows) if column not in row]
            if len(without) == 1 and len(table.rows) >= _ENOUGH:
                message = f"only this row does not say its `{column}`"
                yield Finding(message, table.span(without[0]), "write `null` for none", path=table.path(without[0]))


@lint("DAT030", "unused-file", Severity.INFO)
def unused_file(subject: Subject) -> Iterator[Finding]:
    """Rules and data in the folder that neither the manifest nor the rules name."""
    ruleset = subject.ruleset
    named = {FILE, *_named(ruleset)}
    for path in _files(ruleset.folder, _DEEPEST):
        name = path.relative_to(ruleset.folder).as_posix()
        if path.suffix in _READ and name not in named:
            yield Finding(f"`{name}` belongs to nothing: no rule and no manifest names it", Span(shown(path)))


def _files(folder: Path, deepest: int) -> Iterator[Path]:
    """The files of a ruleset, without hidden ones and those of other rulesets."""
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if path.name.startswith((".", "_")):
                continue
            if path.is_file():
                yield path
            elif deepest and path.is_dir() and not path.is_symlink() and not (path / FILE).is_file():
                yield from _files(path, deepest - 1)


def _named(ruleset: Ruleset) -> Iterator[str]:
    manifest = ruleset.manifest
    yield from (*manifest.rules, *manifest.variants, *manifest.scenarios, manifest.rulebook, manifest.rulings)
    for file in ruleset.files:
        yield from data_files(file.file)


RULES: tuple[Lint, ...] = (equal_rows, cell_left_out, unused_file)
