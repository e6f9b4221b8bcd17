"""The archives that a page loads: Rulewright, the libraries that it needs, and rulesets; what else its workers need.

Their bytes follow from their content alone, so that the same export has the same address in every cache.
"""

from __future__ import annotations

import ast
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath
from types import ModuleType

import rulewright as rw
from rulewright_tools.console import CommandError
from rulewright_tools.studio.browser.exported_files import EXPORTED
from rulewright_tools.studio.browser.job_worker import COMMANDS
from rulewright_tools.studio.export import stand_ins
from rulewright_tools.studio.export.bytecode import compiled_modules
from rulewright_tools.studio.export.stand_ins import (
    float_numbers,
    number_arrays,
    persistent_collections,
    statistical_functions,
)
from rulewright_tools.studio.host.jobs.commands import KINDS

LIBRARIES_OF_GAMES = (
    "lark",
    "interegular",
    "platformdirs",
    "networkx",
    "drawsvg",
    "jsonschema",
    "jsonschema-specifications",
    "referencing",
    "attrs",
    "typing-extensions",
)
"""Libraries that the interpreter and the pictures need, and those that they need. Wasmtime is not among them, as the
browser has WebAssembly; nor rpds, which is no Python, and in whose place there is :mod:`persistent_collections`."""

LIBRARIES_OF_LANGUAGE = ("pygls", "lsprotocol", "cattrs")
"""Libraries of the language server, which needs others of them, too."""

LIBRARIES_OF_COMMANDS = (
    "typer",
    "rich",
    "shellingham",
    "annotated-doc",
    "hypothesis",
    "sortedcontainers",
)
"""Libraries of the commands that run as jobs. Pydantic is not among them, which typer asks for conversions only, nor
what rich needs for source code and Markdown."""

_LEFT_OUT = {"tests", "testing", "benchmarks", "__pycache__", "__pyinstaller"}
"""Folders in them that nothing here imports."""

_KEPT = {".py", ".json", ".lark"}


def library_files(libraries: Sequence[str]) -> dict[str, Path]:
    """The files of libraries by their places in the archive."""
    files: dict[str, Path] = {}
    for name in libraries:
        try:
            found = distribution(name)
        except PackageNotFoundError:
            raise CommandError(f"an export needs `{name}`, which is not installed: pip install {name}") from None
        for file in found.files or ():
            inside = file.parts[0] != ".." and not file.parts[0].endswith(".dist-info")  # half of it is worse than none
            if file.suffix in _KEPT and inside and not _LEFT_OUT.intersection(file.parts):
                files[file.as_posix()] = Path(str(file.locate()))
    return files


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


_SHARE = "rulewright/_share"
RULESETS = f"{_SHARE}/rulesets"
"""The place of rulesets in a package that is installed, see :mod:`rulewright.foundation.resources`."""

OF_A_RULESET = (".rules", ".json", ".csv")
"""Files of other kinds are no part of a ruleset, as the rulebook that may lie beside it."""

LIBRARIES = "libraries.zip"

_EPOCH = (1980, 1, 1, 0, 0, 0)
_HOST = "rulewright_tools.studio.browser"

Files = dict[str, Path]


@dataclass(frozen=True, slots=True)
class Addition:
    """Modules, libraries and pages that another worker needs beside the archive of the game."""

    modules: tuple[str, ...]
    libraries: tuple[str, ...]
    pages: tuple[str, ...] = ()
    stand_ins: Mapping[str, ModuleType] = field(default_factory=dict)
    """Modules in the place of such as are no Python, by their places."""


ADDITIONS = {
    "language.zip": Addition((f"{_HOST}.language_host",), LIBRARIES_OF_LANGUAGE, ("language.md", "language")),
    "commands.zip": Addition(
        (f"{_HOST}.job_worker", *(f"{COMMANDS}.{kind}" for kind in KINDS)),
        LIBRARIES_OF_COMMANDS,
        stand_ins={
            "hypothesis/_native.py": float_numbers,
            "numpy.py": number_arrays,
            "scipy/__init__.py": stand_ins,
            "scipy/stats.py": statistical_functions,
        },
    ),
}
"""Libraries that are loaded at their first use, so that a game begins without them."""


def archive(rulesets: Sequence[Path], opens: bool, page: Path) -> bytes:
    """The archive with these folders of rulesets and files of variants; pages begin with the first if it `opens`.

    `page` is the folder in which the code of modules is. Libraries are an archive within, from which Python imports
    them one by one: most modules of large ones are never imported.
    """
    files, places = _own(), list[str]()
    for path in rulesets:
        _add_ruleset(path, files, places)
    libraries = {**library_files(LIBRARIES_OF_GAMES), "rpds.py": Path(persistent_collections.__file__)}
    listing = json.dumps({"paths": places, "opens": opens}).encode()
    inner = _packed(compiled_modules(page, _read(libraries)))
    return _packed({EXPORTED: listing, LIBRARIES: inner, **compiled_modules(page, _read(files))})


def added_archive(addition: Addition, page: Path) -> bytes:
    """The archive with an addition; its files lie beside those of the game, whose modules it has not once more."""
    known = _own()
    modules = {_place(path): path for module in addition.modules for path in imported_modules(module)}
    files = {name: path for name, path in modules.items() if name not in known}
    for name in addition.pages:
        shared = rw.files.share(name)
        pages = [shared] if shared.is_file() else sorted(shared.glob("*.md"))
        files |= {f"{_SHARE}/{page.relative_to(shared.parent).as_posix()}": page for page in pages}
    stand_ins = {place: Path(str(module.__file__)) for place, module in addition.stand_ins.items()}
    return _packed(compiled_modules(page, _read({**files, **library_files(addition.libraries), **stand_ins})))


def _place(path: Path) -> str:
    """The place of a module of tools or laboratory in an archive."""
    return path.relative_to(TOOLS.parent).as_posix()


def _read(files: Files) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in files.items()}


def _packed(files: Mapping[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as packed:
        for name in sorted(files):
            kind = zipfile.ZIP_STORED if name == LIBRARIES else zipfile.ZIP_DEFLATED
            packed.writestr(zipfile.ZipInfo(name, _EPOCH), files[name], kind, compresslevel=9)
    return written.getvalue()


def _own() -> Files:
    """Rulewright itself: all of the interpreter, and of the tools what the host imports."""
    interpreter = Path(str(resources.files("rulewright")))
    files = {f"rulewright/{path.relative_to(interpreter)}": path for path in interpreter.rglob("*.py")}
    files |= {_place(path): path for path in imported_modules(_HOST)}
    for name in ("grammar", "schemas"):
        folder = rw.files.share(name)
        files |= {f"{_SHARE}/{name}/{path.name}": path for path in folder.iterdir() if path.is_file()}
    return files


def _add_ruleset(path: Path, files: Files, places: list[str]) -> None:
    """Add a ruleset or a file of variants, and the rulesets that it builds on; its place is noted."""
    changed = rw.rulesets.changed_ruleset(path)
    if changed is None:
        places.append(_folder(path, files))
        return
    base = _folder(changed, files)
    inside = path.relative_to(changed) if path.is_relative_to(changed) else None
    place = f"{RULESETS}/{path.name}" if inside is None else f"{base}/{inside.as_posix()}"
    files[place] = path
    for data in rw.open_ruleset(path).data_beside:
        files[(PurePosixPath(place).parent / data.relative_to(path.parent).as_posix()).as_posix()] = data
    places.append(place)


def _folder(folder: Path, files: Files) -> str:
    """The place of the folder of a ruleset, which is added with those that it extends beside it."""
    ruleset: rw.Ruleset | None = rw.open_ruleset(folder)
    while ruleset is not None:
        for path in sorted(ruleset.folder.rglob("*")):
            inside = path.relative_to(ruleset.folder)
            if path.suffix in OF_A_RULESET and path.is_file() and not any(part[0] == "." for part in inside.parts):
                files[f"{RULESETS}/{ruleset.folder.name}/{inside.as_posix()}"] = path
        ruleset = ruleset.base
    return f"{RULESETS}/{folder.name}"
