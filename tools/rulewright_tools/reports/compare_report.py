"""Reports on the differences of two rulesets: for a terminal, a discussion, a program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

from rich.text import Text

import rulewright as rw
from rulewright_tools.console import plural

_KINDS = {
    "changed": "changed", "added": "added", "removed": "removed", "moved": "moved", "cited": "cited differently",
}  # fmt: skip
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


def shown(found: rw.diff.Comparison, cites: bool) -> tuple[rw.diff.Difference, ...]:
    """The differences to report; those of one declaration together."""
    if not cites:
        return found.differences
    order = {d.declaration: None for d in (*found.differences, *found.cited)}
    places = {name: place for place, name in enumerate(order)}
    return tuple(sorted((*found.differences, *found.cited), key=lambda d: places[d.declaration]))


def summary(found: rw.diff.Comparison, cites: bool) -> str:
    """``2 changed, 1 added in 2 declarations``, or that there is nothing."""
    differences = shown(found, cites)
    if not differences:
        return f"both say the same {_compared(found)}"
    kinds = Counter(str(d.kind) for d in differences)
    told = ", ".join(f"{kinds[kind]} {words}" for kind, words in _KINDS.items() if kinds[kind])
    where = plural(len({d.declaration for d in differences}), "declaration")
    return f"{told} in {where}, compared {_compared(found)}"


def titles(found: rw.diff.Comparison) -> tuple[str, str]:
    """The titles of both sides; two folders of one title by their paths, too."""
    old, new = found.old, found.new
    if old.title != new.title or old.ruleset.path == new.ruleset.path:
        return old.title, new.title
    return f"{old.title} ({old.ruleset.path})", f"{new.title} ({new.ruleset.path})"


def _compared(found: rw.diff.Comparison) -> str:
    ours, theirs = ([pair[side] for pair in found.players] for side in (0, 1))
    return _players(ours, "and") if ours == theirs else f"{_players(ours)} and {_players(theirs)}"


def _players(counts: Sequence[int], between: str = "or") -> str:
    *others, last = map(str, counts)
    some = f"{', '.join(others)} {between} {last}" if others else last
    return f"with {some} players"


def sides(difference: rw.diff.Difference) -> Iterator[tuple[str, rw.diff.Wording, str]]:
    """The lines of a difference, ``-`` the old wording, ``+`` the new one, ``~`` both, each with what it cites."""
    old, new = difference.old, difference.new
    if old is not None and new is not None and difference.kind in ("moved", "cited"):
        both = (_cites(old), _cites(new))
        yield "~", new, " → ".join(cites or "nothing" for cites in dict.fromkeys(both)) if any(both) else ""
        return
    if old is not None:
        yield "-", old, _cites(old)
    if new is not None:
        yield "+", new, _cites(new)


def _cites(wording: rw.diff.Wording) -> str:
    return " ".join(f"@{id}" for id in wording.cites)


def remarks(difference: rw.diff.Difference) -> str:
    """The meaning of a difference, where it stands, and with how many players."""
    # Where a clause has gone to, its note says already.
    inside = [f"in `{' / '.join(difference.inside)}`"] if difference.inside and difference.kind != "moved" else []
    said = "; ".join([*difference.notes, *inside])
    players = [_players(difference.players)] if difference.players else []
    return ": ".join([*players, said] if said else players)


def _statements(found: rw.diff.Comparison, difference: rw.diff.Difference) -> list[tuple[str, str]]:
    """The statements that a difference cites, in the words of each side's rulebook."""
    told: dict[str, str] = {}
    for side, wording in ((found.old, difference.old), (found.new, difference.new)):
        for id in wording.cites if wording is not None else ():
            told.setdefault(id, side.words(id) or "(not in the index of the rulebook)")
    return list(told.items())


# ------------------------------------------------------------------------------------------ for a terminal

_COLOURS = {"-": "red", "+": "green", "~": "yellow"}


def as_text(found: rw.diff.Comparison, cites: bool, words: bool, whole: bool) -> Iterator[Text]:
    """The lines for a terminal, grouped by declaration."""
    old, new = titles(found)
    yield Text.assemble((old, "bold red"), " → ", (new, "bold green"))
    for name, group in groupby(shown(found, cites), key=lambda d: d.declaration):
        differences = list(group)
        yield Text()
        yield Text(name, style="bold")
        labels = [_label(d) for d in differences]
        column = max(map(len, labels)) + 4 if any(label != "·" for label in labels) else 0
        for difference in differences:
            yield from _lines(found, difference, column, words, whole)
    yield Text()
    yield Text(summary(found, cites), style="dim")


def _label(difference: rw.diff.Difference) -> str:
    return difference.address.removeprefix(difference.declaration).removeprefix(".") or "·"


def _lines(
    found: rw.diff.Comparison, difference: rw.diff.Difference, column: int, words: bool, whole: bool
) -> Iterator[Text]:
    label = f"  {_label(difference)}".ljust(column) if column else "  "
    blank = " " * len(label)
    words_of = emphasis(difference)
    for number, (sign, wording, cited) in enumerate(sides(difference)):
        colour = _COLOURS[sign]
        line = Text.assemble(blank if number else label, (f"{sign} ", colour))
        for word, strong in words_of.get(sign, [(wording.text, False)]):
            line.append(word, style=f"bold {colour} underline" if strong else colour)
        if wording.below and not whole:
            line.append(f" … and {plural(len(wording.below), 'line')} in it", style="dim")
        if cited:
            line.append(f"  {cited}", style="dim")
        yield line
        if whole:
            yield from (Text(f"{blank}{sign} {below}", style=colour) for below in wording.below)
    if said := remarks(difference):
        yield Text(f"{blank}  {said}", style="italic")
    if words:
        yield from (Text(f"{blank}  @{id} {said}", style="dim") for id, said in _statements(found, difference))


def emphasis(difference: rw.diff.Difference) -> dict[str, list[tuple[str, bool]]]:
    """Both wordings of a changed clause in words, and for each whether the other side has it not."""
    if difference.kind != "changed" or difference.old is None or difference.new is None:
        return {}
    old, new = (_WORD.findall(wording.text) for wording in (difference.old, difference.new))
    told: dict[str, list[tuple[str, bool]]] = {"-": [], "+": []}
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for sign, part in (("-", old[a:b]), ("+", new[c:d])):
            if part:
                told[sign].append(("".join(part), what != "equal"))
    return told


# ------------------------------------------------------------------------------------------ in a discussion


def as_markdown(found: rw.diff.Comparison, cites: bool, words: bool, whole: bool) -> str:
    """A text for a discussion: sites that know the language ``diff`` show it in red and green."""
    lines = [f"### {' → '.join(titles(found))}", ""]
    for difference in shown(found, cites):
        said = remarks(difference)
        head = f"**`{difference.address}`** {_KINDS[difference.kind]}"
        lines += [f"{head}: {said}" if said else head, ""]
        block = []
        for sign, wording, cited in sides(difference):
            told = [f"{wording.text}  {cited}".rstrip(), *(wording.below if whole else ())]
            block += [f"{sign if sign in '+-' else ' '} {line}" for line in told]
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", "\n".join(block))), 3)
        lines += [f"{fence}diff", *block, fence, ""]
        if words and (statements := _statements(found, difference)):
            lines += [*(f"- @{id} {said}" for id, said in statements), ""]
    return "\n".join([*lines, summary(found, cites), ""])


# ------------------------------------------------------------------------------------------ for a program


def as_json(found: rw.diff.Comparison, cites: bool, words: bool) -> dict[str, Any]:
    """The report of ``schemas/comparison.schema.json``."""
    differences = shown(found, cites)
    report: dict[str, Any] = {
        "old": _edition(found.old),
        "new": _edition(found.new),
        "players": [list(pair) for pair in found.players],
        "equal": not differences,
        "differences": [_difference(d) for d in differences],
    }
    if words:
        statements = (pair for d in differences for pair in _statements(found, d))
        report["statements"] = dict(sorted(statements))
    return report


def _edition(edition: rw.diff.Edition) -> dict[str, Any]:
    return {
        "ruleset": edition.ruleset.name,
        "title": edition.title,
        "variants": list(edition.variants),
        "options": {name: str(value) for name, value in edition.options.items()},
        "players": edition.players,
    }


def _difference(difference: rw.diff.Difference) -> dict[str, Any]:
    return {
        "kind": difference.kind,
        "address": difference.address,
        "declaration": difference.declaration,
        "label": difference.label,
        "word": difference.word,
        "old": _wording(difference.old),
        "new": _wording(difference.new),
        "inside": list(difference.inside),
        "notes": list(difference.notes),
        "players": list(difference.players),
    }


def _wording(wording: rw.diff.Wording | None) -> dict[str, Any] | None:
    if wording is None:
        return None
    return {
        "text": wording.text,
        "below": list(wording.below),
        "cites": list(wording.cites),
        "file": wording.span.file,
        "line": wording.span.line,
    }
