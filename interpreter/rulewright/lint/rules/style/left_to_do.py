"""STY703: something that is left to do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.data.source_file import SourceFile
from rulewright.diagnostics import Span
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject

_WORDS = ("TODO", "FIXME", "XXX")
_TODO = re.compile(rf"#.*?\b({'|'.join(_WORDS)})\b")
_STRING = re.compile(r'"[^"\n]*"')


@lint("STY703")
def left_to_do(subject: Subject) -> Iterator[Finding]:
    """Comments that say that something is missing."""
    for source in subject.ruleset.files:
        if any(word in source.text for word in _WORDS):
            yield from _left_in(source)


def _left_in(source: SourceFile) -> Iterator[Finding]:
    for number, line in enumerate(source.text.split("\n"), 1):
        found = _TODO.search(_STRING.sub(lambda string: "_" * len(string[0]), line))
        if found is not None:
            where = Span(source.path, number, found.start(1) + 1, number, found.end(1) + 1)
            yield Finding(f"`{found[1]}`: something is left to do here", where)
