"""The table of rulesets on the page about research says what the environments say."""

from __future__ import annotations

from pathlib import Path

import pytest
from environment_table import SHIPPED, kind

PAGE = Path(__file__).parents[2] / "docs" / "research.md"
LARGE = SHIPPED[-5:]


@pytest.mark.parametrize("name", [name for name in SHIPPED if name not in LARGE])
def test_the_page_says_what_each_ruleset_is(name: str) -> None:
    (row,) = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {name} |")]
    cells = tuple(cell.strip() for cell in row.strip("|").split("|"))
    assert cells[:-1] == kind(name)


def test_all_shipped_rulesets_are_there() -> None:
    shipped = {one.parent.name for one in (PAGE.parents[1] / "rulesets").glob("*/ruleset.json")}
    assert set(SHIPPED) <= shipped
    assert all(f"\n| {name} |" in PAGE.read_text("utf-8") for name in SHIPPED)
