"""Machine code as text: every instruction of every shipped game has its line."""

from __future__ import annotations

import pytest

import rulewright as rw
from machine_code_text import function_texts
from rulewright.engine.native.lowering.program_lowering import lower

NAMES = [ruleset.name for ruleset in rw.rulesets.shipped_rulesets()]


@pytest.mark.parametrize("name", NAMES)
def test_blocks_are_closed(name: str) -> None:
    program = rw.load(name).program
    queries = tuple(query.name for query in program.queries)
    for text in function_texts(lower(program, queries).code).values():
        words = [line.split()[0] for line in text.splitlines()]
        opened = sum(words.count(word) for word in ("block", "loop", "if"))
        assert words.count("end") == opened
        assert not text.startswith("  ")


def test_it_is_the_text_format() -> None:
    text = function_texts(lower(rw.load("tic-tac-toe").program, ("row_from",)).code)["row_from"]
    lines = [line.strip() for line in text.splitlines()]
    assert "i32.const -2147483648" in lines
