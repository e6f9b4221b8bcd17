"""Caches of an engine are told apart by their names: no two analyses share one."""

from __future__ import annotations

import re
from pathlib import Path

ENGINE = Path(__file__).parents[2] / "interpreter" / "rulewright"
USE = re.compile(r'\.(cache|once)\("([^"]+)"')


def test_an_analysis_that_is_made_once_has_a_name_of_its_own() -> None:
    """`once` keeps its value beside the keys of `cache`: a shared name would give it those of another analysis."""
    uses = {use for path in ENGINE.rglob("*.py") for use in USE.findall(path.read_text("utf-8"))}
    once = {name for kind, name in uses if kind == "once"}
    assert len(once) > 3
    assert not once & {name for kind, name in uses if kind == "cache"}
