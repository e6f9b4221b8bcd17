"""Data files that rules name."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.foundation.node_memo import memoized_by_node
from rulewright.foundation.tree_fields import node_fields
from rulewright.syntax import ast


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


__all__ = ["data_files"]
