"""The one reader and the one writer of files.

Whatever a file turns out to be, a folder, a pipe, a device, a link to nowhere, ten gigabytes: it is opened without
waiting, looked at, and refused with a message. A file is written whole or not at all.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation import limits
from rulewright.foundation.resources import share as share

MOST_BYTES = limits.FILE_BYTES
"""Files that are larger are refused: no rulebook needs them."""

_NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def shown(path: Path) -> str:
    """The path as messages show it: relative to the working directory where that is possible."""
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except (ValueError, OSError, RuntimeError):
        return path.as_posix()


# --------------------------------------------------------------------------------------------------- reading

_unsaved: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default=MappingProxyType({}))


@contextmanager
def unsaved(texts: Mapping[str, str]) -> Iterator[None]:
    """In here these texts, by absolute paths, are read instead of what is on disk: an editor holds them."""
    before = _unsaved.set(texts)
    try:
        yield
    finally:
        _unsaved.reset(before)


_recorded: ContextVar[set[str] | None] = ContextVar("recorded", default=None)


@contextmanager
def recorded() -> Iterator[set[str]]:
    """The absolute paths of the files that are to be read in here, whether or not they can be read."""
    found: set[str] = set()
    before = _recorded.set(found)
    try:
        yield found
    finally:
        _recorded.reset(before)


def read_bytes(path: Path, where: Span = NOWHERE, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file that is named at `where`; a clear error if there is none or it is too
    large."""

    def refuse(code: str, message: str, hint: str = "") -> RulesetError:
        # Without a place that names the file, the file itself is the place.
        return RulesetError(Diagnostic(code, message, where if where.file else Span(shown(path)), hint=hint))

    seen = _recorded.get()
    if seen is not None:
        seen.add(os.path.abspath(path))
    held = _unsaved.get()
    if held and (text := held.get(os.path.abspath(path))) is not None:
        return text.encode("utf-8", "replace")
    try:
        handle = os.open(path, os.O_RDONLY | _NO_WAITING)
    except FileNotFoundError:
        raise refuse("DAT002", f"no such file: `{shown(path)}`", did_you_mean(path.name, _beside(path))) from None
    except (OSError, ValueError) as problem:
        raise refuse(*_unreadable(path, problem)) from None
    try:
        with os.fdopen(handle, "rb") as file:
            mode = os.fstat(handle).st_mode
            if stat.S_ISDIR(mode):
                raise refuse("DAT003", f"`{shown(path)}` is a folder, but a file is needed here")
            if not stat.S_ISREG(mode):
                raise refuse("DAT003", f"`{shown(path)}` is not an ordinary file")
            size = os.fstat(handle).st_size
            # Files of the system do not give their size, and others grow while they are read.
            raw = file.read(most + 1) if size <= most else b""
            if max(size, len(raw)) > most:
                message = f"`{shown(path)}` has {max(size, len(raw)) / 1_048_576:.1f} MB"
                raise refuse("DAT004", f"{message}; files of more than {_megabytes(most)} are not read")
            return raw
    except OSError as problem:
        raise refuse(*_unreadable(path, problem)) from None


def read_text(path: Path, where: Span = NOWHERE, *, most: int = MOST_BYTES, as_is: bool = False) -> str:
    """The text of a UTF-8 file. Line ends become ``\\n``, and a byte order mark is passed over, unless it is wanted
    `as_is`."""
    raw = read_bytes(path, where, most)
    return _decoded(raw, path) if as_is else decode(raw, path)


def decode(raw: bytes, path: Path) -> str:
    """Bytes as text, or an error that names the first line which is no UTF-8. Line ends become ``\\n``."""
    return _decoded(raw, path).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _decoded(raw: bytes, path: Path) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        before = raw[: problem.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8-sig", "replace")) + 1
        raise RulesetError(
            Diagnostic(
                "DAT005",
                f"byte {raw[problem.start]:#04x} on line {line} is not UTF-8 text",
                Span(shown(path), line, column, line, column + 1),
                hint="save the file with the encoding UTF-8",
            )
        ) from None


def _megabytes(size: int) -> str:
    return f"{size // 1_048_576} MB" if size >= 1_048_576 else f"{size // 1024} KB"


def _unreadable(path: Path, problem: Exception) -> tuple[str, str]:
    if isinstance(problem, OSError) and problem.errno in (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP):
        return "DAT003", f"`{shown(path)}` is not an ordinary file"  # such as a socket
    text = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
    return "DAT003", f"`{shown(path)}` cannot be read: {str(text).lower()}"


def _beside(path: Path) -> list[str]:
    """Names of what lies in the same folder and could be read in its place: no rules for data, nor data for rules."""
    try:
        names = sorted(entry.name for entry in path.parent.iterdir()) if path.parent.is_dir() else []
    except OSError:
        return []
    return [name for name in names if (Path(name).suffix == ".rules") == (path.suffix == ".rules")]


# --------------------------------------------------------------------------------------------------- writing


def line_ends_of(raw: str, text: str) -> str:
    """A new text with the line ends and the byte order mark of the file as it lies on the disk."""
    if "\r\n" in raw and raw.count("\r\n") == raw.count("\n"):
        text = text.replace("\n", "\r\n")
    return "\ufeff" + text if raw.startswith("\ufeff") else text


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8, see :func:`write_bytes`."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))  # names of files may hold halves of characters


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; what stood there before stays until the new bytes are on the disk.

    :class:`OSError` if it cannot be written. Nothing is written through a link, or into anything but a file.
    """
    mode = _mode_for(path)
    left = memoryview(data)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.", suffix=".part")
    try:
        try:
            while left:
                left = left[os.write(handle, left) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _settle(path.parent)


def try_to_write(path: Path) -> None:
    """:class:`OSError` if a file cannot be written, as far as that can be known before there is what to write."""
    _mode_for(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.", suffix=".part")
    os.close(handle)
    os.unlink(temporary)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Other processes that want to change something in the folder wait until this block is left.

    Nothing is left behind, whatever happens: the system itself holds the lock, on the folder.
    """
    if os.name == "nt":
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # on file systems that know no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _mode_for(path: Path) -> int:
    """The permissions that the file has, or that a new one gets."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        now = os.umask(0)
        os.umask(now)
        return 0o666 & ~now
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, "this is a link; name the file itself", str(path))
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, "this is a folder", str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "this is not an ordinary file", str(path))
    return stat.S_IMODE(mode)


def _settle(folder: Path) -> None:
    """Have the new name on the disk, too. Some systems cannot do that for folders; then there is nothing to do."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as problem:
        if problem.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EROFS):
            raise
    finally:
        os.close(handle)
