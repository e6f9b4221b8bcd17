"""Names of a package that are imported on first use (PEP 562).

A program that reads one diagnostic, or a command that prints its help, does not wait for parser, compiler, graphs
and the fuzzer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from opcode import opmap
from types import CodeType


def _imports(code: CodeType) -> Iterator[tuple[str, str]]:
    """Each name that code imports from a module, and the module; those in branches that are never run, too.

    Each is stored by its own name. That leaves out `import a.b as x`, which pytest puts into modules whose assertions
    it rewrites.
    """
    module, high, taken = "", 0, -1
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        index = high << 8 | low
        high = index if operation == opmap["EXTENDED_ARG"] else 0
        if operation == opmap["IMPORT_NAME"]:
            module = code.co_names[index]
        elif operation == opmap["IMPORT_FROM"]:
            taken = index
        elif operation == opmap["STORE_NAME"] and index == taken:
            yield code.co_names[index], module


def lazy_exports(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package, called by its ``__init__``.

    The names are those that the package imports under ``if TYPE_CHECKING``. They are read from its compiled code, so
    that each is written once, and type checkers see plain imports.
    """
    there = vars(sys.modules[package])
    modules = {name: module for name, module in _imports(sys._getframe(1).f_code) if name not in there}

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = modules[name]
        if home == package:
            there[name] = import_module(f"{home}.{name}")
        else:  # as in a statement: an attribute of that module, or a module in it
            there[name] = getattr(__import__(home, fromlist=[name]), name)
        return there[name]  # from now on it is an attribute like all others

    return load, lambda: sorted({*there, *modules}), sorted(modules)
