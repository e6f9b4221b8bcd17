"""The tables of the parser, kept between one command and the next: to make them takes longer than most commands.

An installed package contains those of its grammar. They are made while it is built (``tools/hatch_build.py``) and found
by a digest, so that a grammar that was edited since has its own, which lie in the cache on disk.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from rulewright.foundation.resources import share
from rulewright.host import disk_cache

_FORM = 2
"""To be raised when the form of the tables changes."""
_KEPT = 4
"""So many tables are kept: those of the latest versions of the grammar and of lark."""

BUILT_IN = "tables.json"
"""The file beside the grammar with the tables that were made when the package was built."""

Tables = TypeVar("Tables")


def stored(make: Callable[[], dict[str, Any]], use: Callable[[dict[str, Any]], Tables], grammar: str) -> Tables:
    """The tables that `use` makes of the result of `make` for a grammar, computed now or earlier."""
    with suppress(Exception):  # whatever is wrong with tables that were kept, new ones cannot have
        built_in = json.loads((share("grammar") / BUILT_IN).read_text("utf-8"))
        if built_in["key"] == disk_cache.digest(str(_FORM), grammar):
            return use(built_in["tables"])
    key = disk_cache.digest(str(_FORM), lark_digest(), grammar)
    found = disk_cache.read("grammar", key)
    if found is not None:
        with suppress(Exception):
            return use(found)
    made = make()
    disk_cache.keep("grammar", key, made, _KEPT)
    return use(made)


def built_in_text(tables: dict[str, Any], grammar: str) -> str:
    """The text of the file with the tables of a grammar that a package contains."""
    return json.dumps({"key": disk_cache.digest(str(_FORM), grammar), "tables": tables}, separators=(",", ":"))


def lark_digest() -> str:
    """The hash of the file with the version of lark: importing lark takes longer than reading a small ruleset."""
    found = find_spec("lark")
    with suppress(OSError):
        if found is not None and found.origin is not None:
            return hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()
    return ""
