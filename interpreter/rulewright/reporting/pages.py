"""The pages of the diagnostics: one for each code, in ``docs/diagnostics/``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from rulewright.diagnostics import Severity
from rulewright.diagnostics.codes import CODES, GROUPS, Code
from rulewright.foundation.resources import share

_CODE = re.compile(r"[A-Z]{3,4}[0-9]{3}")


def codes() -> list[str]:
    """All codes, by their letters."""
    return sorted(CODES)


def explain(code: str) -> str | None:
    """The page of a code as Markdown, or None if there is no such code. Small letters will do."""
    word = code.strip().upper()
    # Only what looks like a code becomes part of a path.
    if not _CODE.fullmatch(word):
        return None
    return _page(word)


def title(code: str) -> str:
    """The title of a code: the heading of its page."""
    return CODES[code].title if code in CODES else code


def page_file(code: str) -> Path | None:
    """The file with the page of a code, for readers that open it themselves."""
    path = share("diagnostics") / f"{code}.md"
    return path if code in CODES and path.is_file() else None


@cache
def _page(code: str) -> str | None:
    path = page_file(code)
    return path.read_text("utf-8") if path is not None else None


def catalogue() -> list[Code]:
    """All codes in the order of the groups."""
    return list(CODES.values())


def catalogue_table() -> str:
    """The catalogue as Markdown, one table a group: what stands in ``docs/guide/linting.md``."""
    lines: list[str] = []
    entries = catalogue()
    for group in dict.fromkeys(entry.group for entry in entries):
        lines += [f"### {group}: {GROUPS.get(group, 'others')}", "", "| code | what | severity |", "|---|---|---|"]
        lines += [
            f"| [{e.code}](../diagnostics/{e.code}.md) | {_cell(e.title)} | {word(e.severity)} |"
            for e in entries
            if e.group == group
        ]
        lines.append("")
    return "\n".join(lines)


def word(severity: Severity) -> str:
    """A severity as people call it."""
    return "remark" if severity is Severity.INFO else severity.value


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
