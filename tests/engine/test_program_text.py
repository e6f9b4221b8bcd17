"""Programs as text for people: short, whole, and different where programs are."""

from __future__ import annotations

import pytest
from random_programs import random_program

import rulewright as rw
from instruction_texts import function_text, program_text, query_text
from rulewright.ir import model as m
from rulewright.ir.text import expression_text
from rulewright.ir.walk import nodes


def test_rules_can_be_read_in_it() -> None:
    program = rw.load("tic-tac-toe").program
    assert (
        query_text(program.queries[0]).splitlines()[0] == "query row_from(c_1: Cell, d_2: Direction, p_3: Player): Bool"
    )
    text = function_text(next(function for function in program.functions if function.name == "turn"))
    assert "%1 := %0 chooses cell_1 in Cell unless refused by turn.taken: (mark[cell_1] != none)" in text
    assert "mark[%1] := %0" in text


@pytest.mark.parametrize("seed", range(60))
def test_all_of_a_program_is_in_it(seed: int) -> None:
    """Each instruction has its line, and expressions that are not equal have other texts."""
    program = random_program(seed)
    text = program_text(program)
    assert text.count("\n") == 2 * len(program.queries) + sum(1 + len(f.code) for f in program.functions)
    texts: dict[str, m.Expr] = {}
    for e in (e for query in program.queries for e in nodes(query.body)):
        assert texts.setdefault(f"{type(e).__name__} {expression_text(e)}", e) == e
