"""Answers to moments in files: those that are right are kept as scenarios, and a clause gives way to what was meant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
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
        {"clause": one.clause, "instead": list(one.instead), "edit": edit_of(one, ruleset)} for one in moment.choices
    ]
    file = str(Path(moment.span.file).absolute())
    return {**moment.data(), "file": file, "statements": statements, "over": moment.over, "choices": choices}


def edit_of(choice: rw.confirmation.Alternative, ruleset: rw.Ruleset) -> dict[str, Any]:
    """The lines of a file that give way to others where the clause of another outcome is written, as the file was when
    the ruleset was opened: moments may have been kept in it since."""
    path, text, other = choice.mutant.written(ruleset)
    return {"file": str(Path(path).absolute()), **edit_between(text, other)}


def contradiction(
    place: Path, file: Path, text: str, scenarios: Iterable[str], variants: Sequence[str] = ()
) -> str | None:
    """The reason why a file may not get another text: one of some kept scenarios would not hold any more."""
    titles = {one.split('"')[1] for one in scenarios}
    with rw.files.unsaved({str(file.absolute()): text} if titles else {}):
        ruleset, _ = rw.rulesets.with_variants(place, variants)
        plans = list(rw.scenarios.planned(ruleset, lambda title, _: title in titles)) if titles else []
        wrong = next((one.title for one in rw.scenarios.run_scenarios(plans) if not one.passed), None)
    return wrong and f"not written: this contradicts `{wrong}`, which was right; if not, delete that scenario first"


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
