"""Paths that a ruleset may reach: its own folder, and for `extends` the folders beside it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span
from rulewright.foundation.memo import memoized_by_node
from rulewright.foundation.tree_fields import node_fields
from rulewright.host.files import decode, read_bytes, read_text, shown
from rulewright.syntax import ast


def inside(folder: Path, name: str, where: Span) -> Path:
    """The file `name` of a ruleset's folder. Names that lead out of the folder are refused, links
    included."""
    if ".." in PurePosixPath(name).parts or not _is_plain(name) or not _within(folder / name, folder):
        raise RulesetError(
            Diagnostic(
                "DAT020",
                f"`{name}` leads out of the ruleset's folder",
                where,
                hint="name a file inside the folder, with `/` between folders",
            )
        )
    return folder / name


def beside(folder: Path, name: str, where: Span = NOWHERE) -> Path:
    """The folder `name` that a ruleset extends: anywhere below the folder that its own one lies in, links
    included."""
    if not _is_plain(name) or not _within(folder / name, folder.resolve().parent):
        raise RulesetError(
            Diagnostic(
                "DAT020",
                f"`{name}` is neither beside the ruleset's folder nor inside it",
                where,
                hint="put both rulesets into one folder and name the other one, such as `../name`",
                path="extends",
            )
        )
    return folder / name


def _is_plain(name: str) -> bool:
    """True if a name is relative, and means the same on all systems."""
    return not (PurePosixPath(name).is_absolute() or any(sign in name for sign in "\\:\0") or not name.strip())


def _within(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # such as links that form a cycle
        return False


def data_files(files: Iterable[ast.File]) -> list[str]:
    """Data files that rules files name, without the part after ``#``."""
    return sorted({name for file in files for name in _of_file(file)})


@memoized_by_node
def _of_file(file: ast.File) -> frozenset[str]:
    return frozenset(name for decl in file.decls for name in _of_declaration(decl))


@memoized_by_node
def _of_declaration(decl: ast.Clause) -> frozenset[str]:
    found: set[str] = set()
    todo: list[object] = [decl]
    while todo:
        node = todo.pop()
        if isinstance(node, tuple):
            todo.extend(node)
        elif isinstance(node, ast.Clause):  # expressions name no files
            table = getattr(node, "table", None)
            if isinstance(table, str):
                found.add(table.partition("#")[0])
            todo.extend(getattr(node, name) for name in node_fields(type(node)))
    return frozenset(found)


__all__ = ["beside", "data_files", "decode", "inside", "read_bytes", "read_text", "shown"]
