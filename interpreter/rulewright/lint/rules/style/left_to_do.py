"""STY703: something that is left to do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.diagnostics import Span
from rulewright.lint.context import Finding, Subject, lint

_TODO = re.compile(r"#.*?\b(TODO|FIXME|XXX)\b")
_STRING = re.compile(r'"[^"\n]*"')


@lint("STY703")
def left_to_do(subject: Subject) -> Iterator[Finding]:
    """Comments that say that something is missing."""
    for source in subject.ruleset.files:
        for number, line in enumerate(source.text.split("\n"), 1):
            found = _TODO.search(_STRING.sub(lambda string: "_" * len(string[0]), line))
            if found is not None:
                where = Span(source.path, number, found.start(1) + 1, number, found.end(1) + 1)
                yield Finding(f"`{found[1]}`: something is left to do here", where)
