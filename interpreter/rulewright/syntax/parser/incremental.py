"""Parsing a text again of which most is known: a declaration that did not change is not parsed again.

A declaration begins with a word in the first column, whatever stands above it: no bracket and no operator goes on
there. So a text is cut above these words, and above the comments that stand over them, and what is between two cuts is
read by itself. As long as nothing is wrong with any of them, together they are what the whole text is (a mistake may
have consequences further down, and is told once a file).

The same text on the same lines of the same file gives the same tree, by identity: whatever is known about it holds.
In a :class:`TreeStore`, which an editor has, the lines need not be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from weakref import WeakValueDictionary

from rulewright.diagnostics import Report
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.line_anchors import Anchor
from rulewright.syntax import ast
from rulewright.syntax.lexer.logical_lines import read_lines
from rulewright.syntax.parser.recovery import Recovery

Declaration = ast.Decl | ast.Change
Below = tuple[str, ...]
"""Comments below the last declaration."""

_known: WeakValueDictionary[tuple[str, int, str], Declaration] = WeakValueDictionary()
"""Declarations by file, line and text, as long as a tree holds them."""

REMEMBERED = 200
"""So many declarations of a file that are gone are kept by a store: many an edit is undone."""


def parse_incrementally(text: str, file: str) -> tuple[tuple[Declaration, ...], Below] | None:
    """The declarations of a text and the comments below them; None if anything is wrong with it."""

    def find(line: int, part: str) -> tuple[Declaration, Below] | None:
        known = _known.get((file, line, part))
        if known is not None:
            return known, ()
        read = _read(part, file, line)
        if read is not None and not read[1]:
            _known[file, line, part] = read[0]
        return read

    return _together(text, find)


class TreeStore:
    """The declarations of files that are being edited. They move when lines come or go above them.

    The same text in the same file gives the same tree, wherever it stands now: a declaration has its place in the text
    of its file that was read last, and in no other. So a store belongs to one who wants to know only how things stand.
    """

    def __init__(self) -> None:
        self._files: dict[str, dict[tuple[str, int], _Kept]] = {}

    def parse(self, text: str, file: str) -> tuple[tuple[Declaration, ...], Below] | None:
        """The declarations of a text and the comments below them; None if anything is wrong with it."""
        known = self._files.get(file, {})
        now: dict[tuple[str, int], _Kept] = {}

        def find(line: int, part: str) -> tuple[Declaration, Below] | None:
            body = part.lstrip("\n")
            blank = len(part) - len(body)
            if blank > 1:  # of several blank lines the last one alone means something
                line, part = line + blank - 1, part[blank - 1 :]
            times = 0
            while (part, times) in now:
                times += 1
            kept = known.get((part, times))
            if kept is None:
                anchor = Anchor(line - 1)
                read = _read(part, file, 1, anchor)
                if read is None:
                    return None
                kept = _Kept(*read, anchor)
            now[part, times] = kept
            kept.line = line
            return kept.decl, kept.below

        found = _together(text, find)
        if found is not None:
            for kept in now.values():
                kept.anchor.move(kept.line - 1)
            gone = {key: kept for key, kept in known.items() if key not in now}
            while len(gone) > REMEMBERED:
                del gone[next(iter(gone))]
            self._files[file] = gone | now
        return found


@dataclass(slots=True)
class _Kept:
    """A declaration in a store."""

    decl: Declaration
    below: Below
    anchor: Anchor
    line: int = 0
    """The first line of its text, in the text that is being read."""


def _together(
    text: str, find: Callable[[int, str], tuple[Declaration, Below] | None]
) -> tuple[tuple[Declaration, ...], Below] | None:
    """The declarations of all parts of a text."""
    decls: list[Declaration] = []
    below: Below = ()
    for line, part in _parts(text):
        if below:
            return None  # comments that belong to no declaration, and yet are not at the end
        found = find(line, part)
        if found is None:
            return None
        decls.append(found[0])
        below = found[1]
    return (tuple(decls), below) if decls else None


def _read(part: str, file: str, line: int, anchor: Anchor | None = None) -> tuple[Declaration, Below] | None:
    """The declaration of a part that begins on a line, and the comments below it; None if anything is wrong with it."""
    report = Report()
    read = read_lines(part, file, report, line)
    parsed = () if report.found else Recovery(file, report, anchor).parse(read.lines)
    return None if report.found or len(parsed) != 1 else (parsed[0], read.below)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """The parts of a text, each with the number of its first line."""
    lines = text.split("\n")
    cuts: list[int] = []
    above: int | None = None  # where the blank lines and comments above begin
    for number, line in enumerate(lines):
        if "a" <= line[:1] <= "z":
            cuts.append(number if above is None else above)
            above = None
        elif line.startswith("#") or not line.strip(" \t"):
            above = number if above is None else above
        elif above is not None and line.lstrip(" \t").startswith("@"):
            return  # it cites for the declaration above, and what stands above it belongs to the one below
        else:
            above = None
    for begin, end in zip([0, *cuts[1:]], [*cuts[1:], len(lines)], strict=True) if cuts else ():
        yield begin + 1, "\n".join(lines[begin:end])


__all__ = ["TreeStore", "parse_incrementally"]
