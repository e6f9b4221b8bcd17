"""Narrations as text: answers and chance with their numbers, what they have led to below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import rulewright as rw

INDENT = " " * 6


def story_lines(lines: Iterable[rw.narration.Line], statements: Mapping[str, str]) -> Iterator[str]:
    """The lines of a narration as text, each followed by those of the given statements that it cites."""
    number = 1
    for line in lines:
        if line.entries:
            yield rw.characters.printable(f"{number:>4}  {line.text}")
            number += line.entries
        else:
            yield rw.characters.printable(f"{INDENT}{line.text}")
        for cite in line.cites:
            if cite in statements:
                yield rw.characters.printable(f"{INDENT}    @{cite}  {statements[cite]}")
