"""A cache on disk: things that can be made again, kept between one command and the next.

Each is kept as JSON in the user's cache folder, or in the one that ``RULEWRIGHT_CACHE`` names (nowhere, if it is
empty), under a digest of all that it is made from. Nothing that is read from there is run; what is lies in a folder
within, see :mod:`rulewright.host.private_cache`. A file that cannot be read, is damaged, or lies where others could
write is ignored and made again; not being able to write there is no failure either.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from rulewright.diagnostics import RulesetError
from rulewright.host.files import read_bytes, write_text

FOLDER = "RULEWRIGHT_CACHE"
"""The variable that names another folder."""

CODE, CODE_SUFFIX = "code", ".bin"
"""The folder within for machine code, and the ends of the names of its files."""

_off: ContextVar[bool] = ContextVar("off", default=False)


@contextmanager
def without_cache() -> Iterator[None]:
    """In here nothing is taken from the cache on disk, and nothing is kept there."""
    before = _off.set(True)
    try:
        yield
    finally:
        _off.reset(before)


def cache_folder() -> Path | None:
    """The folder for things that can be made again; None: nowhere."""
    if _off.get():
        return None
    named = os.environ.get(FOLDER)
    if named is not None:
        return Path(named) if named else None
    with suppress(RuntimeError, OSError):  # of a user without a home
        return user_cache_path("rulewright", appauthor=False)
    return None


def digest(*parts: str | bytes) -> str:
    """A key: the hash of all that something is made from."""
    hashed = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        hashed.update(len(raw).to_bytes(8, "big") + raw)
    return hashed.hexdigest()


def read(kind: str, key: str) -> Any | None:
    """Read what is kept of a kind under a key, if it is whole and only the user can have written it."""
    folder = cache_folder()
    if folder is None:
        return None
    path = _path(folder, kind, key)
    with suppress(OSError, ValueError, RulesetError, RecursionError):
        if not (_ours(path.parent) and _ours(path)):
            return None
        head, _, body = read_bytes(path).decode("ascii").partition("\n")
        if head == _head(key, body):
            return json.loads(body)
    return None


def keep(kind: str, key: str, made: Any, most: int) -> None:
    """Keep something, and of its kind not more than the last `most`."""
    folder = cache_folder()
    if folder is None:
        return
    with suppress(OSError, TypeError, ValueError):
        path = _path(folder, kind, key)
        body = json.dumps(made, separators=(",", ":"))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(path, f"{_head(key, body)}\n{body}")
        others = [(other.stat().st_mtime, other) for other in folder.glob(f"{kind}-*.json") if other != path]
        for _, other in sorted(others)[: max(0, len(others) - most + 1)]:
            other.unlink()


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """The contents of the cache."""

    folder: Path | None
    kinds: dict[str, tuple[int, int]]
    """For each kind how many files there are, and their bytes."""


def cache_info() -> CacheInfo:
    """List what lies in the cache."""
    folder = cache_folder()
    kinds: dict[str, tuple[int, int]] = {}
    for path in _files(folder):
        kind = path.name.rpartition("-")[0] if path.parent == folder else path.parent.name
        count, size = kinds.get(kind, (0, 0))
        with suppress(OSError):
            kinds[kind] = count + 1, size + path.stat().st_size
    return CacheInfo(folder, kinds)


def clear_cache() -> int:
    """Remove all that lies in the cache; how many files that were."""
    removed = 0
    for path in _files(cache_folder()):
        with suppress(OSError):
            path.unlink()
            removed += 1
    return removed


def _files(folder: Path | None) -> list[Path]:
    """The files of the cache: only those that have names as it gives them."""
    if folder is None or not folder.is_dir():
        return []
    kept = [path for path in sorted(folder.glob("*-*.json")) if len(path.stem.rpartition("-")[2]) == _LETTERS]
    code = [path for path in sorted((folder / CODE).glob(f"*{CODE_SUFFIX}")) if len(path.stem) == _LETTERS]
    return kept + code


_LETTERS = 32
"""So much of a key stands in the name of a file."""


def _path(folder: Path, kind: str, key: str) -> Path:
    return folder / f"{kind}-{key[:_LETTERS]}.json"


def _head(key: str, body: str) -> str:
    """The first line of a file, with the digests of its source and its content."""
    return f"{key} {hashlib.sha256(body.encode('ascii')).hexdigest()}"


def _ours(path: Path) -> bool:
    """True if only the user could write there. On Windows and in browsers a user's folders are their own."""
    if not hasattr(os, "geteuid"):
        return True
    found = path.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
