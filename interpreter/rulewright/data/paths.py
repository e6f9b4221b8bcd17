"""Files as people name them: how they are shown, and how far a ruleset may reach."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from rulewright import limits
from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span
from rulewright.spelling import did_you_mean

MOST_BYTES = limits.FILE_BYTES
"""Files that are larger are refused: no rulebook needs them."""


def shown(path: Path) -> str:
    """The path as messages show it: relative to the working directory where that is possible."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()


def read_bytes(path: Path, where: Span = NOWHERE) -> bytes:
    """The bytes of a file that somebody named at `where`; a clear error if there is none or it is too
    large."""

    def refuse(code: str, message: str, hint: str = "") -> RulesetError:
        # Without a place that names the file, the file itself is the place.
        return RulesetError(Diagnostic(code, message, where if where.file else Span(shown(path)), hint=hint))

    try:
        if path.is_dir():
            raise refuse("DAT003", f"`{shown(path)}` is a folder, but a file is needed here")
        if not path.exists():
            raise refuse("DAT002", f"no such file: `{shown(path)}`", did_you_mean(path.name, _beside(path)))
        if not path.is_file():
            raise refuse("DAT003", f"`{shown(path)}` is not an ordinary file")
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise refuse(
                "DAT004",
                f"`{shown(path)}` has {size / 1_048_576:.1f} MB;"
                f" files of more than {MOST_BYTES // 1_048_576} MB are not read",
            )
        return path.read_bytes()
    except (OSError, ValueError) as problem:
        raise refuse("DAT003", f"`{shown(path)}` cannot be read: {_reason(problem)}") from None


def read_text(path: Path, where: Span = NOWHERE) -> str:
    """The text of a UTF-8 file; a byte order mark in front is passed over."""
    return decode(read_bytes(path, where), path)


def decode(raw: bytes, path: Path) -> str:
    """Bytes as text, or an error that names the first line which is no UTF-8. Line ends become ``\\n``."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = raw[: problem.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        raise RulesetError(
            Diagnostic(
                "DAT005",
                f"byte {raw[problem.start]:#04x} on line {line} is not UTF-8 text",
                Span(shown(path), line, column, line, column + 1),
                hint="save the file with the encoding UTF-8",
            )
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def inside(folder: Path, name: str, where: Span) -> Path:
    """The file `name` of a ruleset's folder. Names that lead out of the folder are refused, links
    included."""
    plain = PurePosixPath(name)
    bad = plain.is_absolute() or ".." in plain.parts or "\\" in name or ":" in name or "\0" in name or not name.strip()
    path = folder / name if not bad else folder
    if not bad:
        try:
            bad = not path.resolve().is_relative_to(folder.resolve())
        except (OSError, RuntimeError, ValueError):
            bad = True
    if bad:
        raise RulesetError(
            Diagnostic(
                "DAT020",
                f"`{name}` leads out of the ruleset's folder",
                where,
                hint="name a file inside the folder, with `/` between folders",
            )
        )
    return path


def _beside(path: Path) -> list[str]:
    """Names of what lies in the same folder."""
    try:
        return sorted(entry.name for entry in path.parent.iterdir()) if path.parent.is_dir() else []
    except OSError:
        return []


def _reason(problem: Exception) -> str:
    text = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
    return str(text).lower()
