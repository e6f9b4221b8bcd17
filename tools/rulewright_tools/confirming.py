"""Answers to moments in files: those that are right are kept as scenarios, and a clause gives way to what was meant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import rulewright as rw

CONFIRMED, MANIFEST = "confirmed.rules", "ruleset.json"


def kept(place: Path, scenario: str) -> Iterator[tuple[Path, str]]:
    """The files that keep a moment, each with its new text, unless it is kept already; `place` is a file with variants,
    or the folder of a ruleset, whose manifest then lists the file of confirmed moments."""
    file = place if place.suffix == ".rules" else place / CONFIRMED
    text = rw.files.read_text(file) if file.exists() else ""
    if scenario in text:
        return
    yield file, f"{text.rstrip()}\n\n{scenario}".lstrip()
    if file != place:
        held = json.loads(rw.files.read_text(place / MANIFEST))
        if CONFIRMED not in held.setdefault("scenarios", []):
            held["scenarios"].append(CONFIRMED)
            yield place / MANIFEST, json.dumps(held, indent=2, ensure_ascii=False) + "\n"


def moment_data(moment: rw.confirmation.Moment, ruleset: rw.Ruleset) -> dict[str, Any]:
    """All that another program needs to ask about a moment: its words, and the edits that make the other outcomes."""
    statements = {id: ruleset.statements[id].statement for id in moment.cites if id in ruleset.statements}
    choices = [
        {"clause": one.clause, "instead": list(one.instead), "edit": _edit(one.mutant.written(ruleset))}
        for one in moment.choices
    ]
    file = str(Path(moment.span.file).absolute())
    return {**moment.data(), "file": file, "statements": statements, "over": moment.over, "choices": choices}


def _edit(written: tuple[str, str]) -> dict[str, Any]:
    """The lines of a file that give way to others, for another text of it."""
    file = Path(written[0])
    return {"file": str(file.absolute()), **edit_between(rw.files.read_text(file), written[1])}


def edit_between(text: str, other: str) -> dict[str, Any]:
    """The lines of a text that give way to others in another one."""
    old, new = text.split("\n"), other.split("\n")
    above = _alike(old, new)
    below = _alike(old[above:][::-1], new[above:][::-1])
    return {"above": above, "old": old[above : len(old) - below], "new": new[above : len(new) - below]}


def _alike(some: Sequence[str], others: Sequence[str]) -> int:
    """The number of lines with which both begin."""
    pairs = enumerate(zip(some, others, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(some), len(others)))


def edited(text: str, edit: dict[str, Any]) -> str | None:
    """A text in which some lines have given way to others; None if they are not there any more."""
    lines, above, old = text.split("\n"), edit["above"], edit["old"]
    if lines[above : above + len(old)] != old:
        return None
    return "\n".join([*lines[:above], *edit["new"], *lines[above + len(old) :]])
