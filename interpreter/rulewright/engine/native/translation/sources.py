"""The source of kernels: each function as a syntax tree, with the names of its module."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from pathlib import Path
from typing import Any

from rulewright.engine.native.translation.record_layout import Address, Kind, kind_of


class Source:
    """A function of a kernel, or a method of one of its classes."""

    def __init__(self, module: str, tree: ast.FunctionDef, owner: str) -> None:
        self.names: dict[str, Any] = vars(sys.modules[module])
        self.file, self.tree, self.owner = Path(self.names["__file__"]).name, tree, owner
        self.name = f"{owner}.{tree.name}" if owner else tree.name

    def parameters(self) -> list[tuple[str, Kind | None]]:
        """The parameters and their types; a method's first one is the record."""
        given = self.tree.args.args
        before = [(given[0].arg, Address(self.names[self.owner]))] if self.owner else []
        rest = given[len(before) :]
        return [*before, *((one.arg, kind_of(e, self.names)) for one, e in zip(rest, self.annotations(), strict=True))]

    def annotations(self) -> list[ast.expr]:
        """The annotations of the parameters, without a method's first one."""
        given = self.tree.args.args[1 if self.owner else 0 :]
        return [one.annotation or ast.Constant(None) for one in given]

    def result(self) -> Kind | None:
        """The type of the result; nothing if there is none."""
        return None if self.tree.returns is None else kind_of(self.tree.returns, self.names)

    def statements(self) -> list[ast.stmt]:
        """The statements, without the docstring."""
        first = self.tree.body[0]
        is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        return self.tree.body[1:] if is_docstring else self.tree.body

    def only_value(self) -> ast.expr | None:
        """The value that a function gives, if it does nothing else."""
        match self.statements():
            case [ast.Return(ast.expr() as value)]:
                return value
            case _:
                return None


@cache
def _sources(module: str) -> dict[str, Source]:
    """The functions of a module by their names, those of classes with the name of the class before them."""
    found: dict[str, Source] = {}
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        for one in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(one, ast.FunctionDef):
                source = Source(module, one, node.name if isinstance(node, ast.ClassDef) else "")
                found[source.name] = source
    return found


def source_of(function: Any) -> Source:
    """The source of a function or method."""
    function = function.fget if isinstance(function, property) else function
    return _sources(function.__module__)[function.__qualname__]
