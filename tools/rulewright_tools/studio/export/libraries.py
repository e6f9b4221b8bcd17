"""Libraries of the archive: those of the environment that runs, as far as they are Python alone."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from rulewright_tools.console import CommandError

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
