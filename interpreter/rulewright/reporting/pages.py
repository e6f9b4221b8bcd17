"""The pages of the diagnostics: one for each code, in ``docs/diagnostics/``."""

from __future__ import annotations

import re
from functools import cache

from rulewright.resources import share

_CODE = re.compile(r"[A-Z]{3}[0-9]{3}")


def codes() -> list[str]:
    """All codes that have a page, in order."""
    return sorted(path.stem for path in share("diagnostics").glob("*.md") if _CODE.fullmatch(path.stem))


def explain(code: str) -> str | None:
    """The page of a code as Markdown, or None if there is no such code. Small letters will do."""
    word = code.strip().upper()
    # Only what looks like a code becomes part of a path.
    if not _CODE.fullmatch(word):
        return None
    return _page(word)


def title(code: str) -> str:
    """What a code is about, in a few words: the heading of its page."""
    page = explain(code) or ""
    heading = page.partition("\n")[0].lstrip("# ").strip()
    return heading.partition(":")[2].strip() or heading or code


@cache
def _page(code: str) -> str | None:
    path = share("diagnostics") / f"{code}.md"
    return path.read_text("utf-8") if path.is_file() else None
