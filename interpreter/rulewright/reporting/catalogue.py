"""All codes there are, by group, each with its name and how bad it is at worst."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.diagnostics import Severity
from rulewright.lint import RULES
from rulewright.reporting.pages import codes, title

GROUPS = {
    "SYN": "how rules are written",
    "REF": "names",
    "TYP": "types",
    "CTL": "the course of the game",
    "CHO": "choices",
    "CHN": "chance",
    "INF": "who sees what",
    "TRG": "reactions",
    "MAP": "maps",
    "DAT": "manifest, tables and other data",
    "VAR": "variants and numbers of players",
    "DOC": "the rulebook",
    "PRP": "properties",
    "STY": "style",
    "LNT": "suppressions",
    "LIM": "limits",
    "MUT": "changes to prove the tests with",
    "PRG": "stored programs",
    "API": "calls of the library",
    "RUN": "while a game runs",
    "SAV": "saves and logs",
}
"""What the first letters of a code stand for, in the order in which they are listed."""

_MILD = {
    "DAT026": Severity.WARNING,
    "LIM002": Severity.WARNING,
    "LNT001": Severity.WARNING,
    "LNT002": Severity.WARNING,
    "LNT003": Severity.WARNING,
    "LNT004": Severity.WARNING,
    "MAP004": Severity.WARNING,
    "REF006": Severity.WARNING,
    "TYP204": Severity.WARNING,
    "VAR403": Severity.WARNING,
}
"""Codes that are no errors, besides those of the lint rules."""

_RANK = (Severity.ERROR, Severity.WARNING, Severity.INFO)


@dataclass(frozen=True, slots=True)
class Entry:
    """One code."""

    code: str
    title: str
    severity: Severity
    """At worst."""
    name: str = ""
    """The short name of a lint rule; empty for others."""

    @property
    def group(self) -> str:
        """The first letters."""
        return self.code[:3]


def catalogue() -> list[Entry]:
    """All codes in the order of :data:`GROUPS`."""
    rules: dict[str, tuple[str, Severity]] = {}
    for rule in RULES:
        name, severity = rules.get(rule.code, (rule.name, rule.severity))
        rules[rule.code] = (name, min(severity, rule.severity, key=_RANK.index))
    made = []
    for code in codes():
        name, severity = rules.get(code, ("", _MILD.get(code, Severity.ERROR)))
        made.append(Entry(code, title(code), severity, name))
    order = list(GROUPS)
    return sorted(made, key=lambda e: (order.index(e.group) if e.group in GROUPS else len(order), e.code))


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
