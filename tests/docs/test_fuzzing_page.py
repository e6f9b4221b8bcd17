"""docs/guide/fuzzing.md is done step by step, as a reader would; how its blocks are meant is said at its top."""

from __future__ import annotations

from pathlib import Path

import pytest
from walkthrough import ROOT, walk

from sampling import THOROUGH

LONG = 'rulewright fuzz my-carolus --players 2 --variant "Two dice" --games 4'
"""A last run, which finds nothing."""


def test_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, updating: bool) -> None:
    monkeypatch.chdir(tmp_path)
    ran = walk(ROOT / "docs" / "guide" / "fuzzing.md", updating, () if THOROUGH or updating else (LONG,))
    assert {"check", "fuzz", "test"} <= set(ran)
