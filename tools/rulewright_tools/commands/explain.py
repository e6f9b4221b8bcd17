"""``rulewright explain``: the page of a diagnostic, or the catalogue of all of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from rulewright import reporting
from rulewright_tools.console import CommandError, Exit, is_terminal, out, print_json, print_text
from rulewright_tools.error_boundary import guarded
from rulewright_tools.vocabulary import named


class ExplainFormat(StrEnum):
    """Formats of an explanation."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


@guarded
def explain(
    code: Annotated[
        str | None,
        typer.Argument(metavar="[CODE]", help="Code of a diagnostic, such as REF001; without it, all of them."),
    ] = None,
    format: Annotated[ExplainFormat, named("--format")] = ExplainFormat.TEXT,
) -> Exit:
    """Explain a diagnostic: what it means, why it matters, and how to fix it. Without a code, list them all.

    Examples:

      rulewright explain REF001
      rulewright explain
      rulewright explain VAR401 --format json
    """
    if code is None:
        _catalogue(format)
        return Exit.FINE
    text = reporting.explain(code)
    if text is None:
        near = [known for known in reporting.codes() if known[:3] == code.strip().upper()[:3]]
        hint = f"; there are {', '.join(near)}" if near else "; `rulewright explain` lists all codes"
        raise CommandError(f"there is no page for `{code}`{hint}")
    if format is ExplainFormat.JSON:
        entry = next(entry for entry in reporting.catalogue() if entry.code == code.strip().upper())
        print_json(_entry(entry) | {"page": text})
    elif format is ExplainFormat.TEXT and is_terminal():
        from rich.markdown import Markdown

        out().print(Markdown(text))
    else:
        print_text(text)
    return Exit.FINE


def _catalogue(format: ExplainFormat) -> None:
    entries = reporting.catalogue()
    if format is ExplainFormat.JSON:
        print_json({"codes": [_entry(entry) for entry in entries]})
    elif format is ExplainFormat.MARKDOWN:
        print_text(reporting.catalogue_table())
    elif is_terminal():
        from rich.table import Table

        console = out()
        for group in dict.fromkeys(entry.group for entry in entries):
            table = Table(title=f"{group}: {reporting.GROUPS.get(group, 'others')}", title_justify="left", box=None)
            for heading in ("code", "severity", "what"):
                table.add_column(heading)
            for entry in entries:
                if entry.group == group:
                    table.add_row(entry.code, reporting.word(entry.severity), entry.title)
            console.print(table)
            console.print()
    else:
        for entry in entries:
            print_text(f"{entry.code}  {reporting.word(entry.severity):8} {entry.title}\n")


def _entry(entry: reporting.Code) -> dict[str, str]:
    """An entry as JSON; a lint rule has a name, too."""
    data = {
        "code": entry.code,
        "group": reporting.GROUPS.get(entry.group, "others"),
        "severity": entry.severity.value,
        "title": entry.title,
    }
    return data | ({"name": entry.name} if entry.name else {})
