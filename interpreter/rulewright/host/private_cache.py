"""Machine code on disk, between one process and the next: what is read from here is run.

So it must be certain that nobody but the user has written it. It lies in a folder of its own within the cache folder
(:mod:`rulewright.host.disk_cache`), which only the user can enter (mode 0700); a folder that others can read or that
belongs to somebody else is not used, and links are not followed. Each file must belong to the user, too, and begins
with its key and the hash of its content: one that is damaged, or of another key, is ignored. A file is complete or not
there at all, and as many of the oldest are removed as are needed for all to stay below a size.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from rulewright.host.disk_cache import CODE, CODE_SUFFIX, cache_folder

MOST_BYTES = 64 << 20
"""All files together are not larger."""
LARGEST = 16 << 20
"""A file is not larger."""


def read(key: str) -> bytes | None:
    """The content that is kept under a key."""
    folder = _folder()
    if folder is None:
        return None
    with suppress(OSError, ValueError):
        if not _is_private(os.lstat(folder)):
            return None
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(_path(folder, key), flags), "rb") as file:
            if not _is_private(found := os.fstat(file.fileno()), folder=False) or found.st_size > LARGEST:
                return None
            head, _, content = file.read().partition(b"\n")
        if head == _head(key, content):
            return content
    return None


def keep(key: str, content: bytes) -> None:
    """Keep a content under a key; not being able to is no failure."""
    folder = _folder()
    if folder is None or len(content) > LARGEST // 2:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(os.lstat(folder)):
            return
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")  # for the user alone
        try:
            with open(handle, "wb") as file:
                file.write(_head(key, content) + b"\n" + content)
            os.replace(temporary, _path(folder, key))
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        _make_room(folder)


def _make_room(folder: Path) -> None:
    """Remove the oldest files beyond :data:`MOST_BYTES`, and what writers have left that were killed."""
    left = MOST_BYTES
    found = [(path.stat().st_mtime, path) for path in (*folder.glob(f"*{CODE_SUFFIX}"), *folder.glob(".*.part"))]
    for age, (_, path) in enumerate(sorted(found, reverse=True)):
        left -= path.stat().st_size
        if age and left < 0:
            path.unlink()


def _folder() -> Path | None:
    outer = cache_folder()
    return None if outer is None else outer / CODE


def _path(folder: Path, key: str) -> Path:
    return folder / f"{key[:32]}{CODE_SUFFIX}"


def _head(key: str, content: bytes) -> bytes:
    return f"{key} {hashlib.sha256(content).hexdigest()}".encode()


def _is_private(found: os.stat_result, folder: bool = True) -> bool:
    """True for a folder or file of the user that nobody else can change (and a folder that nobody else can enter)."""
    if not (stat.S_ISDIR if folder else stat.S_ISREG)(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # on Windows and in browsers a user's folders are their own
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & 0o077
