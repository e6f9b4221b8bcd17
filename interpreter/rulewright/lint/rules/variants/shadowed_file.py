"""VAR414: a data file in place of one of the extended ruleset."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.data.paths import shown
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject


@lint("VAR414")
def shadowed_file(subject: Subject) -> Iterator[Finding]:
    """Tables and maps that the rules beneath name, and that are read from this folder now: the whole file counts."""
    ruleset = subject.ruleset
    beneath: dict[str, Ruleset] = {}
    below = ruleset.base
    while below is not None:
        for name in below.named_files:
            beneath.setdefault(name, below)
        below = below.base
    for name, base in sorted(beneath.items()):
        path = ruleset.folder / name
        if path.is_file() and (base.folder / name).is_file():
            message = f"`{name}` is read in place of that of {base.title}, with all its rows"
            hint = "to change some rows, write `set row`, `add row` and `remove row` in the rules"
            yield Finding(message, Span(shown(path)), hint)
