"""A rules file: its text, and what it says, which may be read as late as somebody asks for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal

from rulewright.diagnostics import Diagnostic
from rulewright.syntax import ParseResult, ast, parse

Role = Literal["rules", "variant", "scenario"]
Parser = Callable[[str, str], ParseResult]

# Trees never change, so a file that is loaded again (for a variant, a scenario, a test) need not be read again.
parsed = lru_cache(maxsize=256)(parse)

_SCENARIO = re.compile(r"scenario\b")
_WITHIN = (" ", "\t", "#")
"""Lines that begin so go on with a declaration, or say nothing."""


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A rules file: its text and what it says. A file with syntax errors has what could be read of it."""

    path: str
    """As messages show it."""
    text: str = field(repr=False)
    role: Role
    read: Callable[[], ParseResult] = field(repr=False)
    """Reads it, when it is first asked for what it says."""
    name: str = ""
    """As the manifest names it."""

    @cached_property
    def _result(self) -> ParseResult:
        return self.read()

    @property
    def file(self) -> ast.File:
        """The tree of what could be read."""
        return self._result.file

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings of reading it."""
        return self._result.diagnostics

    @property
    def is_read(self) -> bool:
        """True if it has been read."""
        return "_result" in self.__dict__

    @cached_property
    def holds_scenarios_alone(self) -> bool:
        """True if it is a file of scenarios in which nothing else is declared: nothing about a game follows from it.
        The text is searched, not the tree, as it need not be read then."""
        if self.role != "scenario":
            return False
        lines = [line for line in self.text.removeprefix("\ufeff").split("\n") if line.strip()]
        outer = [line for line in lines if not line.startswith(_WITHIN)]
        first = next((line for line in lines if not line.startswith("#")), "scenario")
        return all(map(_SCENARIO.match, (first, *outer)))

    def with_tree(self, file: ast.File) -> SourceFile:
        """A copy of the file with another tree."""
        return source_of(self.path, self.text, ParseResult(file, self.diagnostics), self.role, self.name)

    def __eq__(self, other: object) -> bool:
        """Two files are equal if their names, texts and roles are, and what they say; see :meth:`with_tree`."""
        if not isinstance(other, SourceFile):
            return NotImplemented
        if (self.path, self.text, self.role, self.name) != (other.path, other.text, other.role, other.name):
            return False
        return self.file == other.file and self.diagnostics == other.diagnostics

    def __hash__(self) -> int:
        return hash((self.path, self.text, self.role, self.name))

    def __reduce__(self) -> tuple[Callable[..., SourceFile], tuple[object, ...]]:
        """A pickle carries the text; trees may be nested deeper than pickles can be."""
        found = self.diagnostics if self.is_read else None
        return _read_again, (self.path, self.text, self.role, self.name, found)


def source_of(path: str, text: str, result: ParseResult, role: Role, name: str = "") -> SourceFile:
    """A file that has been read."""
    made = SourceFile(path, text, role, lambda: result, name)
    assert made.diagnostics is result.diagnostics  # so it counts as read
    return made


def unread(path: str, text: str, role: Role, name: str = "") -> SourceFile:
    """A file that is read when somebody asks what it says."""
    return SourceFile(path, text, role, lambda: parsed(text, path), name)


def _read_again(path: str, text: str, role: Role, name: str, found: tuple[Diagnostic, ...] | None) -> SourceFile:
    if found is None:
        return unread(path, text, role, name)
    return SourceFile(path, text, role, lambda: ParseResult(parsed(text, path).file, found), name)
