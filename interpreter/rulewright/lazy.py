"""Names of a package that are imported when they are first asked for (PEP 562).

Whoever imports the library to read one diagnostic, or asks a command for its help, does not wait for the parser, the
compiler, graphs and the fuzzer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from sys import modules


def lazy_exports(
    package: str, names: Mapping[str, str], submodules: Iterable[str] = ()
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package.

    `names` says in which module each name stands, `submodules` which modules of the package are names of it, too.
    """
    inner = frozenset(submodules)

    def load(name: str) -> object:
        if name in names:
            found: object = getattr(import_module(names[name]), name)
        elif name in inner:
            found = import_module(f"{package}.{name}")
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        # From now on it is an attribute like all others.
        setattr(modules[package], name, found)
        return found

    def listing() -> list[str]:
        return sorted({*vars(modules[package]), *names, *inner})

    return load, listing
