"""The tables of the parser, kept between one command and the next: to make them takes longer than most commands."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from rulewright import disk_cache

_FORM = 2
"""To be raised when the form of the tables changes."""
_KEPT = 4
"""So many tables are kept: those of the latest versions of the grammar and of lark."""

Tables = TypeVar("Tables")


def stored(make: Callable[[], dict[str, Any]], use: Callable[[dict[str, Any]], Tables], grammar: str) -> Tables:
    """The tables that `use` makes of the result of `make` for a grammar, computed now or earlier."""
    key = disk_cache.digest(str(_FORM), lark_digest(), grammar)
    found = disk_cache.read("grammar", key)
    if found is not None:
        # Whatever is wrong with tables that are as they were written, new ones cannot have.
        with suppress(Exception):
            return use(found)
    made = make()
    disk_cache.keep("grammar", key, made, _KEPT)
    return use(made)


def lark_digest() -> str:
    """The hash of the file with the version of lark: importing lark takes longer than reading a small ruleset."""
    found = find_spec("lark")
    with suppress(OSError):
        if found is not None and found.origin is not None:
            return hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()
    return ""
