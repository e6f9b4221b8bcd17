"""Libraries of the archive: those of the environment that runs, as far as they are Python alone."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from rulewright_tools.console import CommandError

LIBRARIES = (
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

_LEFT_OUT = {"tests", "testing", "benchmarks", "__pycache__", "__pyinstaller"}
"""Folders in them that nothing here imports."""

_KEPT = {".py", ".json", ".lark"}


def library_files() -> dict[str, Path]:
    """Their files by their places in the archive."""
    files: dict[str, Path] = {}
    for name in LIBRARIES:
        try:
            found = distribution(name)
        except PackageNotFoundError:
            raise CommandError(f"an export needs `{name}`, which is not installed: pip install {name}") from None
        for file in found.files or ():
            if file.suffix in _KEPT and ".." not in file.parts and not _LEFT_OUT.intersection(file.parts):
                files[file.as_posix()] = Path(str(file.locate()))
    return files
