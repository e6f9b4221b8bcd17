"""The modules of tools and laboratory that a module imports, directly or not, also where it imports them late."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TOOLS = Path(__file__).parents[2]
"""The folder of the package of the tools."""


def imported_modules(module: str) -> list[Path]:
    """The files of all of them, that of the module itself and those of the packages around included; sorted."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _file(name)
        if path is not None and name not in found:
            found[name] = path
            waiting += [name.rpartition(".")[0], *_imports(path)]
    return sorted(found.values())


def _file(module: str) -> Path | None:
    """The file of a module of tools or laboratory; none for a name inside of one, or of another package."""
    if module.partition(".")[0] not in (TOOLS.name, "rulewright_lab"):
        return None
    path = TOOLS.parent.joinpath(*module.split("."))
    candidates = (path / "__init__.py", path.with_suffix(".py"))
    return next((one for one in candidates if one.is_file()), None)


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
