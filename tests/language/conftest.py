"""What tests of edits watch: the sources that a workspace makes, and which games it relinks."""

from __future__ import annotations

from typing import Any

import pytest

import rulewright as rw
from rulewright import compiler, workspace
from rulewright.compiler import Sources, relinking, sources


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[Sources]:
    """The sources that a workspace has made."""
    made: list[Sources] = []

    def remembering(ruleset: rw.Ruleset, before: Sources | None = None) -> Sources:
        made.append(sources(ruleset, before))
        return made[-1]

    monkeypatch.setattr(workspace, "sources", remembering)
    return made


@pytest.fixture
def relinked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each game that was looked at after an edit whether it was relinked."""
    made: list[bool] = []

    def counted(*given: Any) -> object:
        found = relinking.relink(*given)
        made.append(found is not None)
        return found

    monkeypatch.setattr(compiler, "relink", counted)
    return made
