"""All codes there are, as a table of Markdown."""

from __future__ import annotations

from rulewright.diagnostics import Severity
from rulewright.diagnostics.codes import CODES, GROUPS, Code


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
