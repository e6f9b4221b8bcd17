"""The tables of the parser, kept between one command and the next: to make them takes longer than most commands.

They are kept as JSON in the user's cache folder, or in the one that ``RULEWRIGHT_CACHE`` names (nowhere, if it is
empty), under a digest of all that they are made from. Nothing that is read from there is run: lark's own ``save`` would
pickle. A file that cannot be read, is damaged, or lies where others could write is ignored and made again; not being
able to write there is no failure either.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef
from platformdirs import user_cache_path

from rulewright.diagnostics import RulesetError
from rulewright.files import read_bytes, write_text

FOLDER = "RULEWRIGHT_CACHE"
"""The variable that names another folder."""
_FORM = 1
"""To be raised when the form of the files changes."""
_KEPT = 4
"""So many tables are kept: those of the latest versions of the grammar and of lark."""


def stored(make: Callable[[], Lark], made_from: str, **given: Any) -> Lark:
    """The parser that `make` makes from the text `made_from`, by its tables if they are stored.

    `given` are the options that are objects of Python, which are not stored.
    """
    folder = cache_folder()
    if folder is None:
        return make()
    key = hashlib.sha256(f"{_FORM}\n{lark.__version__}\n{made_from}".encode()).hexdigest()
    path = folder / f"grammar-{key[:32]}.json"
    found = _read(path, key)
    if found is not None:
        # Whatever is wrong with tables that are as they were written, new ones cannot have.
        with suppress(Exception):
            loaded: Lark = Lark._load_from_dict(*found, **given)  # type: ignore[no-untyped-call]
            return loaded
    parser = make()
    with suppress(OSError, TypeError, ValueError):
        _write(path, key, parser, set(given))
    return parser


def cache_folder() -> Path | None:
    """The folder for things that can be made again; None: nowhere."""
    named = os.environ.get(FOLDER)
    if named is not None:
        return Path(named) if named else None
    with suppress(RuntimeError, OSError):  # of somebody who has no home
        return user_cache_path("rulewright", appauthor=False)
    return None


def _read(path: Path, key: str) -> tuple[dict[str, Any], dict[int, Any]] | None:
    """The data and memo that stand in a file, if it is whole and nobody else can have written it."""
    with suppress(OSError, ValueError, RulesetError, RecursionError, LookupError, TypeError, AttributeError):
        if not (_ours(path.parent) and _ours(path)):
            return None
        head, _, body = read_bytes(path).decode("ascii").partition("\n")
        if head != _head(key, body):
            return None
        held = json.loads(body)
        table = held["data"]["parser"]["parser"]
        table["tokens"] = _numbered(table["tokens"])
        table["states"] = {state: _numbered(found) for state, found in _numbered(table["states"]).items()}
        return held["data"], _numbered(held["memo"])
    return None


def _write(path: Path, key: str, parser: Lark, but: set[str]) -> None:
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in but}
    body = json.dumps({"data": data, "memo": memo}, separators=(",", ":"))
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


def _numbered(held: dict[str, Any]) -> dict[int, Any]:
    """JSON makes texts of the keys that are numbers."""
    return {int(key): value for key, value in held.items()}
