"""Names of a package that are imported when they are first asked for (PEP 562).

Whoever imports the library to read one diagnostic, or asks a command for its help, does not wait for the parser, the
compiler, graphs and the fuzzer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from sys import modules
from types import MappingProxyType


def lazy_exports(
    package: str,
    exports: Mapping[str, tuple[str, ...]],
    submodules: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package.

    `exports` are the names that each module gives to it, `submodules` the modules that are names of it, too, by the
    packages in which they stand. The package imports the same under ``if TYPE_CHECKING``; a test compares the two.
    """
    names = {name: module for module, found in exports.items() for name in found}
    inner = {name: f"{where}.{name}" for where, found in submodules.items() for name in found}

    def load(name: str) -> object:
        if name in names:
            found: object = getattr(import_module(names[name]), name)
        elif name in inner:
            found = import_module(inner[name])
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # From now on it is an attribute like all others.
        setattr(modules[package], name, found)
        return found

    def listing() -> list[str]:
        return sorted({*vars(modules[package]), *names, *inner})

    return load, listing, sorted(names)
