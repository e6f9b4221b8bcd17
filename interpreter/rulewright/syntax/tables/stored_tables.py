"""The tables of the parser, kept between one command and the next: to make them takes longer than most commands.

They are kept as JSON in the user's cache folder, or in the one that ``RULEWRIGHT_CACHE`` names (nowhere, if it is
empty), under a digest of all that they are made from. Nothing that is read from there is run. A file that cannot be
read, is damaged, or lies where others could write is ignored and made again; not being able to write there is no
failure either.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

from rulewright.diagnostics import RulesetError
from rulewright.files import read_bytes, write_text

FOLDER = "RULEWRIGHT_CACHE"
"""The variable that names another folder."""
_FORM = 2
"""To be raised when the form of the files changes."""
_KEPT = 4
"""So many tables are kept: those of the latest versions of the grammar and of lark."""

Tables = TypeVar("Tables")


def stored(make: Callable[[], dict[str, Any]], use: Callable[[dict[str, Any]], Tables], grammar: str) -> Tables:
    """The tables that `use` makes of the result of `make` for a grammar, computed now or earlier."""
    folder = cache_folder()
    if folder is None:
        return use(make())
    key = hashlib.sha256(f"{_FORM}\n{lark_digest()}\n{grammar}".encode()).hexdigest()
    path = folder / f"grammar-{key[:32]}.json"
    found = _read(path, key)
    if found is not None:
        # Whatever is wrong with tables that are as they were written, new ones cannot have.
        with suppress(Exception):
            return use(found)
    made = make()
    with suppress(OSError, TypeError, ValueError):
        _write(path, key, made)
    return use(made)


def lark_digest() -> str:
    """The hash of the file with the version of lark: importing lark takes longer than reading a small ruleset."""
    found = find_spec("lark")
    with suppress(OSError):
        if found is not None and found.origin is not None:
            return hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()
    return ""


def cache_folder() -> Path | None:
    """The folder for things that can be made again; None: nowhere."""
    named = os.environ.get(FOLDER)
    if named is not None:
        return Path(named) if named else None
    with suppress(RuntimeError, OSError):  # of somebody who has no home
        return user_cache_path("rulewright", appauthor=False)
    return None


def _read(path: Path, key: str) -> dict[str, Any] | None:
    """The contents of a file, if it is whole and nobody else can have written it."""
    with suppress(OSError, ValueError, RulesetError, RecursionError):
        if not (_ours(path.parent) and _ours(path)):
            return None
        head, _, body = read_bytes(path).decode("ascii").partition("\n")
        if head == _head(key, body):
            held: dict[str, Any] = json.loads(body)
            return held
    return None


def _write(path: Path, key: str, made: dict[str, Any]) -> None:
    body = json.dumps(made, separators=(",", ":"))
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_text(path, f"{_head(key, body)}\n{body}")
    others = [(other.stat().st_mtime, other) for other in path.parent.glob("grammar-*.json") if other != path]
    for _, other in sorted(others)[: -(_KEPT - 1)]:
        other.unlink()


def _head(key: str, body: str) -> str:
    """The first line of a file, which tells what it is made from, and that it is whole."""
    return f"{key} {hashlib.sha256(body.encode('ascii')).hexdigest()}"


def _ours(path: Path) -> bool:
    """True if nobody else could write there. On Windows a user's folders are their own."""
    if os.name == "nt":
        return True
    found = path.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
