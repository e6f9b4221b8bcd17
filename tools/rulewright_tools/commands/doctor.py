"""``rulewright doctor``: what this installation has, and what is missing."""

from __future__ import annotations

import os
import platform
from importlib.util import find_spec
from typing import Annotated

import rulewright as rw
from rulewright_tools.commands.cache import CacheFormat
from rulewright_tools.console import Exit, out, print_json
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import EXTRAS, install_command
from rulewright_tools.vocabulary import named


@guarded
def doctor(
    format: Annotated[CacheFormat, named("--format")] = CacheFormat.TEXT,
) -> Exit:
    """Show what is installed here, which engine plays, where the cache lies, and what is missing.

    Nothing that is missing keeps the rest from working; how to get it is shown beside it.

    Examples:

      rulewright doctor
      rulewright doctor --format json
      rulewright doctor --engine python
    """
    cached = rw.disk_cache.cache_info()
    engine, advice = _engine()
    report: dict[str, object] = {
        "rulewright": rw.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "engine": engine,
        "cache": str(cached.folder) if cached.folder else None,
        "cached_bytes": sum(size for _, size in cached.kinds.values()),
        "missing": [*advice, *_missing()],
    }
    if format is CacheFormat.JSON:
        print_json(report)
        return Exit.FINE
    for name, value in report.items():
        if name != "missing":
            shown = "nothing is kept" if value is None else value
            out().print(f"{name.replace('_', ' '):13} {shown}", highlight=False, soft_wrap=True)
    for line in [*advice, *_missing()]:
        out().print(line, highlight=False, soft_wrap=True, markup=False)
    return Exit.FINE


def _engine() -> tuple[str, list[str]]:
    """The engine that plays whole games, and what to do if it is not machine code."""
    try:
        return rw.playing.native_engine(), []
    except rw.RulesetError as problem:
        found = problem.diagnostics[0]
        return "python", [f"{found.message}: {found.hint}"]


def _missing() -> list[str]:
    """Lines about what is not installed: what it is for, and the extra that brings it."""
    return [
        f"{library} is not installed ({purpose}): {install_command(extra)}"
        for library, (extra, purpose) in EXTRAS.items()
        if find_spec(library) is None
    ]
