"""Tables by the words of a closed set have a row for each word.

A table says which words it is for by the type of its keys: ``dict[CmpOp, str]``. mypy finds a row too many, and no row
that is missing: that is found here. A table that is meant for some of the words says for which.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

import rulewright

TABLES = ("dict[", "Mapping[")
PACKAGE = Path(rulewright.__file__).parent


def tables() -> Iterator[tuple[str, str]]:
    """The modules and names of all tables that say of which type their keys are."""
    for module in pkgutil.walk_packages([str(PACKAGE)], "rulewright."):
        path = PACKAGE.parent / (module.name.replace(".", "/") + ("/__init__.py" if module.ispkg else ".py"))
        for statement in ast.parse(path.read_text("utf-8")).body:
            if (
                isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and statement.value is not None
                and ast.unparse(statement.annotation).startswith(TABLES)
            ):
                yield module.name, statement.target.id


def key_type(module: ModuleType, name: str) -> Any:
    return get_args(eval(module.__annotations__[name], vars(module)))[0]


def test_each_word_has_its_row() -> None:
    seen, missing = 0, []
    for where, name in tables():
        module = importlib.import_module(where)
        try:
            keys = key_type(module, name)
        except (NameError, TypeError):  # a type that is there for mypy only
            continue
        if get_origin(keys) is Literal:
            seen += 1
            missing += [f"{where}.{name}: {word!r}" for word in get_args(keys) if word not in getattr(module, name)]
    assert seen >= 10
    assert missing == []


def test_mypy_finds_a_match_that_forgets_something() -> None:
    """``exhaustive-match``: a match handles all there is, or says in a last case what becomes of the rest."""
    text = (PACKAGE.parents[1] / "pyproject.toml").read_text("utf-8")
    assert 'enable_error_code = ["exhaustive-match"]' in text
