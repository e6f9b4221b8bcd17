"""Paths that a ruleset may reach: its own folder, and for `extends` the folders beside it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span
from rulewright.host.files import decode, read_bytes, read_text, shown

__all__ = ["beside", "decode", "inside", "read_bytes", "read_text", "shown"]


def inside(folder: Path, name: str, where: Span) -> Path:
    """The file `name` of a ruleset's folder. Names that lead out of the folder are refused, links
    included."""
    if ".." in PurePosixPath(name).parts or not _is_plain(name) or not _within(folder / name, folder):
        raise RulesetError(
            Diagnostic(
                "DAT020",
                f"`{name}` leads out of the ruleset's folder",
                where,
                hint="name a file inside the folder, with `/` between folders",
            )
        )
    return folder / name


def beside(folder: Path, name: str, where: Span = NOWHERE) -> Path:
    """The folder `name` that a ruleset extends: anywhere below the folder that its own one lies in, links
    included."""
    if not _is_plain(name) or not _within(folder / name, folder.resolve().parent):
        raise RulesetError(
            Diagnostic(
                "DAT020",
                f"`{name}` is neither beside the ruleset's folder nor inside it",
                where,
                hint="put both rulesets into one folder and name the other one, such as `../name`",
                path="extends",
            )
        )
    return folder / name


def _is_plain(name: str) -> bool:
    """True if a name is relative, and means the same on all systems."""
    return not (PurePosixPath(name).is_absolute() or any(sign in name for sign in "\\:\0") or not name.strip())


def _within(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):  # such as links that form a cycle
        return False
