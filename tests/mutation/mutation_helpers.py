"""Small rulesets of one file, and what operators make of a few lines."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import rulewright as rw
from rulewright.findings.mutation import MutationOptions
from rulewright.findings.mutation.mutants import OPERATORS
from rulewright.findings.mutation.mutation_sites import places, put
from rulewright.findings.mutation.operators.operator_api import Words, bound_in, shown
from rulewright.syntax import ast, parse_file, print_file

STONES = """
    # Two players take stones in turn; who takes the last one wins.
    game stones
    players 2

    param heap = 5
    param most = 2

    field stones: 0.. = heap

    procedure play
        repeat
            each p in players
                turn(p)

    procedure turn(p: Player)
        p chooses amount from {1 .. 9}
            forbid too_many: amount > stones
            forbid greedy: amount > most
                unless last_ones: amount is stones and amount <= limit()
        stones -= amount
        if stones is 0
            finish with winner p

    query limit -> Int = most + 1

    # Only the invariant asks for it.
    query odd(n: Int) -> Bool = n > 3 and n < 5
    invariant few: stones <= heap or odd(stones)
    """

TAKEN = """
    scenario "nobody takes more than there are, the last one wins"
        players anna, bert
        given stones = 1
        start turn(anna)
        offered anna: amount = {1}
        refused anna: amount = 2 because turn.too_many
        when anna: amount = 1
        wins anna
    """


def write(folder: Path, rules: str = STONES, scenarios: str = TAKEN, **manifest: object) -> Path:
    """A ruleset of one file, perhaps with a file of scenarios."""
    folder.mkdir(parents=True, exist_ok=True)
    head: dict[str, object] = {"name": "small", "title": "Small", "rules": ["game.rules"], **manifest}
    (folder / "game.rules").write_text(dedent(rules), "utf-8")
    if scenarios:
        head["scenarios"] = ["scenarios.rules"]
        (folder / "scenarios.rules").write_text(dedent(scenarios), "utf-8")
    (folder / "ruleset.json").write_text(json.dumps(head), "utf-8")
    return folder


def made(
    operator: str, rules: str, siblings: dict[str, str] | None = None, words: dict[str, Any] | None = None
) -> list[str]:
    """The changes that an operator makes to some lines: ``before => after``, nothing after the arrow for a removal.

    `words` are further fields of :class:`Words`.
    """
    found = []
    for decl in parse_file(dedent(rules).strip() + "\n", "test").decls:
        for place in places(decl):
            for one in OPERATORS[operator](place, Words(siblings or {}, bound_in(decl), **(words or {}))):
                if one.before:
                    found.append(f"{shown(*one.before)} => {shown(*one.after)}".strip())
                else:
                    assert one.node is not None
                    new = put(decl, place.way, one.node)
                    found.append(changed_lines(decl, new))
    return found


def changed_lines(old: ast.Node, new: ast.Node) -> str:
    """The lines in which two declarations differ."""
    before, after = (print_file(ast.File((decl,))).splitlines() for decl in (old, new))  # type: ignore[arg-type]
    lines = [(a.strip(), b.strip()) for a, b in zip(before, after, strict=True) if a != b]
    return "; ".join(f"{a} => {b}" for a, b in lines)


def verdict(ruleset: Path, id: str, **more: object) -> rw.mutation.MutantStatus:
    """The status of the mutant of this id."""
    rule, operator, _ = id.split("/")
    report = rw.mutation.mutate(ruleset, MutationOptions(operators=[operator], rules=[rule], **{"fuzz": 0, **more}))  # type: ignore[arg-type]
    return next(v for v in report.verdicts if v.mutant.id == id)
