"""``rulewright cache``: what is kept between commands, and how to get rid of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools.console import Exit, out, plural, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.vocabulary import named

_KINDS = {
    "grammar": "tables of the parser",
    "check": "findings of rulesets that have not changed",
    "code": "machine code of games",
}


class CacheAction(StrEnum):
    """Things to do with the cache."""

    INFO = "info"
    CLEAR = "clear"


class CacheFormat(StrEnum):
    """Formats of the report."""

    TEXT = "text"
    JSON = "json"


@guarded
def cache(
    action: Annotated[
        CacheAction, typer.Argument(help="Show what lies in the cache, or remove it.")
    ] = CacheAction.INFO,
    format: Annotated[CacheFormat, named("--format")] = CacheFormat.TEXT,
) -> Exit:
    """Show what is kept between commands, where, and how large it is; or remove it.

    All of it can be made again. It is found by its contents, so nothing in it is ever out of date. The variable
    RULEWRIGHT_CACHE names another folder; if it is empty, nothing is kept.

    Examples:

      rulewright cache
      rulewright cache clear
      rulewright cache info --format json
    """
    if action is CacheAction.CLEAR:
        removed = rw.disk_cache.clear_cache()
        if format is CacheFormat.JSON:
            print_json({"removed": removed})
        else:
            out().print(f"{plural(removed, 'file')} removed")
        return Exit.FINE
    found = rw.disk_cache.cache_info()
    if format is CacheFormat.JSON:
        kinds = {kind: {"files": files, "bytes": size} for kind, (files, size) in found.kinds.items()}
        print_json({"folder": str(found.folder) if found.folder else None, "kinds": kinds})
        return Exit.FINE
    out().print(f"{found.folder}" if found.folder else "nothing is kept: RULEWRIGHT_CACHE is empty", soft_wrap=True)
    for kind, (files, size) in found.kinds.items():
        out().print(f"{plural(files, 'file')}, {size / 1024:,.0f} KB: {_KINDS.get(kind, kind)}")
    return Exit.FINE
