"""Reports on the differences of two rulesets: for a terminal, a discussion, a program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from rich.text import Text

import rulewright as rw
from rulewright_tools.console import plural
from rulewright_tools.reports.difference_words import emphasis, players_in_words, remarks, shown, sides, statements

_KINDS = {
    "changed": "changed", "added": "added", "removed": "removed", "moved": "moved", "cited": "cited differently",
}  # fmt: skip


def summary(found: rw.diff.Comparison, cites: bool) -> str:
    """``2 changed, 1 added in 2 declarations``, or that there is nothing."""
    differences = shown(found, cites)
    if not differences:
        return f"both say the same {_compared(found)}"
    kinds = Counter(str(d.kind) for d in differences)
    counts = ", ".join(f"{kinds[kind]} {words}" for kind, words in _KINDS.items() if kinds[kind])
    where = plural(len({d.declaration for d in differences}), "declaration")
    return f"{counts} in {where}, compared {_compared(found)}"


def titles(found: rw.diff.Comparison) -> tuple[str, str]:
    """The titles of both sides; two folders of one title by their paths, too."""
    old, new = found.old, found.new
    if old.title != new.title or old.ruleset.path == new.ruleset.path:
        return old.title, new.title
    return f"{old.title} ({old.ruleset.path})", f"{new.title} ({new.ruleset.path})"


def _compared(found: rw.diff.Comparison) -> str:
    ours, theirs = ([pair[side] for pair in found.players] for side in (0, 1))
    return (
        players_in_words(ours, "and") if ours == theirs else f"{players_in_words(ours)} and {players_in_words(theirs)}"
    )


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
    if remark := remarks(difference):
        yield Text(f"{blank}  {remark}", style="italic")
    if words:
        yield from (Text(f"{blank}  @{id} {remark}", style="dim") for id, remark in statements(found, difference))


def in_short(found: rw.diff.Comparison) -> Iterator[str]:
    """A line for each thing that is said differently; whole declarations that come or go are named in one."""
    whole: dict[str, list[str]] = {"new": [], "without": []}
    counts = Counter(one.declaration for one in found.differences)
    many = [name for name, count in counts.items() if count > _FEW]
    yield from (f"{name}: {counts[name]} lines differ" for name in many)
    for one in found.differences:
        if one.declaration in many:
            continue
        side = one.new or one.old
        if side is not None and (one.old is None or one.new is None) and _is_whole(one, side.text):
            whole["new" if one.old is None else "without"].append(one.declaration)
        else:
            yield _in_one_line(one)
    yield from (f"{word}: {', '.join(names)}" for word, names in whole.items() if names)


def _is_whole(difference: rw.diff.Difference, text: str) -> bool:
    return re.match(rf"\w+ {re.escape(difference.declaration)}\b", text) is not None


def _in_one_line(difference: rw.diff.Difference) -> str:
    """The address of a difference, and the part of the line that is another one: ``buy: - price → - price + 1``."""
    old, new = (side.text if side is not None else "" for side in (difference.old, difference.new))
    if difference.kind == "moved":
        return f"{difference.address}: {new} stands elsewhere"
    if not old or not new:
        return f"{difference.address}: {'+' if new else '-'} {new or old}"
    if len(old) + len(new) > _LINE:
        parts = emphasis(difference)
        old, new = (_middle(parts.get(sign, [])) or text for sign, text in (("-", old), ("+", new)))
    return f"{difference.address}: {old} → {new}"


_FEW = 5
"""Of a declaration with more differences only their number is given."""
_LINE = 100
"""Longer ones are shown by the words around their difference."""


def _middle(parts: list[tuple[str, bool]]) -> str:
    """The words from the first that differs to the last, with a little of what is around them."""
    strong = [number for number, (_, differs) in enumerate(parts) if differs]
    if not strong:
        return ""
    first, last = strong[0], strong[-1]
    before, after = "".join(t for t, _ in parts[:first]), "".join(t for t, _ in parts[last + 1 :])
    middle = "".join(t for t, _ in parts[first : last + 1])
    if len(before) > _AROUND:
        before = f"…{before[-_AROUND:].partition(' ')[2]}"
    if len(after) > _AROUND:
        after = f"{after[:_AROUND].rpartition(' ')[0]}…"
    return before + middle + after


_AROUND = 16
"""The letters that are shown before and behind a difference."""


# ------------------------------------------------------------------------------------------ in a discussion


def as_markdown(found: rw.diff.Comparison, cites: bool, words: bool, whole: bool) -> str:
    """A text for a discussion: sites that know the language ``diff`` show it in red and green."""
    lines = [f"### {' → '.join(titles(found))}", ""]
    for difference in shown(found, cites):
        remark = remarks(difference)
        head = f"**`{difference.address}`** {_KINDS[difference.kind]}"
        lines += [f"{head}: {remark}" if remark else head, ""]
        block = []
        for sign, wording, cited in sides(difference):
            lines_of = [f"{wording.text}  {cited}".rstrip(), *(wording.below if whole else ())]
            block += [f"{sign if sign in '+-' else ' '} {line}" for line in lines_of]
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", "\n".join(block))), 3)
        lines += [f"{fence}diff", *block, fence, ""]
        if words and (quoted := statements(found, difference)):
            lines += [*(f"- @{id} {remark}" for id, remark in quoted), ""]
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
        report["statements"] = dict(sorted(pair for d in differences for pair in statements(found, d)))
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
