"""docs/guide/python-tests.md is done step by step, as a reader would; how its blocks are meant is said at its top."""

from __future__ import annotations

from pathlib import Path

import pytest
from walkthrough import ROOT, walk


def test_each_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, updating: bool) -> None:
    monkeypatch.chdir(tmp_path)
    ran = walk(ROOT / "docs" / "guide" / "python-tests.md", updating)
    assert ran.count("my-pig") == 2
