"""Variants without changes, as one begins to write them."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright as rw

TEXT = '# In words first.\nvariant "Mine" of tic_tac_toe\n'


@pytest.mark.parametrize("rest", ["", '\nvariant "Other" of tic_tac_toe\n    before play\n        tells "Other."\n'])
def test_a_variant_without_changes_is_the_game_itself(tmp_path: Path, rest: str) -> None:
    path = tmp_path / "mine.rules"
    path.write_text(TEXT + rest, "utf-8")
    assert rw.format_text(TEXT + rest, "mine.rules") == TEXT + rest
    assert rw.load(path).variants[:1] == ("Mine",)
    assert rw.compare("tic-tac-toe", path).differences == ()
