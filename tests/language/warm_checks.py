"""Warm checks beside cold ones: what a workspace finds after edits, and its games, are those of a new one."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import rulewright as rw
from rulewright import compiler
from rulewright.compiler import Compiled, Sources, incremental_linking, sources
from rulewright.findings import workspace
from rulewright.findings.check import check


def watch_sources(monkeypatch: pytest.MonkeyPatch) -> list[Sources]:
    """The sources that workspaces make from here on."""
    made: list[Sources] = []

    def remembering(ruleset: rw.Ruleset, before: Sources | None = None) -> Sources:
        made.append(sources(ruleset, before))
        return made[-1]

    monkeypatch.setattr(workspace, "sources", remembering)
    return made


def watch_relinking(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each game that is looked at after an edit from here on whether it was relinked."""
    made: list[bool] = []

    def counted(*given: Any) -> object:
        found = incremental_linking.relink(*given)
        made.append(found is not None)
        return found

    monkeypatch.setattr(compiler, "relink", counted)
    return made


def same_games(warm: dict[Any, Compiled], cold: dict[Any, Compiled]) -> None:
    assert warm.keys() == cold.keys()
    for key, (_, program, found) in cold.items():
        assert warm[key][2] == found
        if program is not None and warm[key][1] != program:
            names = [f.name for f in fields(program) if getattr(program, f.name) != getattr(warm[key][1], f.name)]
            raise AssertionError(f"{key[:2]}: {names}")


Cold = tuple[list[rw.Diagnostic], Sources]
"""Findings about a ruleset, and its games, as a new workspace makes them."""


def found_cold(work: rw.Workspace, folder: Path) -> Cold:
    """The findings and games of the texts as they are now, made of nothing else."""
    with work.reading():
        ruleset = rw.open_ruleset(folder)
        fresh = sources(ruleset)
        return check(ruleset, fresh), fresh


def compare(work: rw.Workspace, folder: Path, held: list[Sources], cold: Cold | None = None) -> bool:
    """Compare warm with cold; True if nothing is wrong, so that all games are there.

    What was found cold before about the very same texts may be given.
    """
    warm = work.check(folder)
    findings, fresh = cold or found_cold(work, folder)
    assert warm == findings
    if any(d.is_error for d in warm):
        return False
    same_games(held[-1].compiled, fresh.compiled)
    return True
