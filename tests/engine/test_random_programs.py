"""Random programs have something of everything, so that what is found out with them is found out of all there is."""

from __future__ import annotations

from typing import get_args

import pytest
from random_programs import hiding_program, random_program

from closed_words import closed_words, used_words
from rulewright.ir import model as m
from rulewright.ir.walk import nodes

MADE_BY_THE_COMPILER = (
    m.Grown, m.Fault, m.Reaches, m.Ray, m.Nearest, m.Old, m.Jump, m.Call, m.Return, m.Fail, m.Tell, m.Fired, m.Observe,
    m.Turn, m.Charged,
)  # fmt: skip
"""Nodes that stand in programs only where the compiler puts them, or a pass: shipped games have them."""


@pytest.fixture(scope="module")
def drawn() -> list[object]:
    programs = (make(seed) for seed in range(500) for make in (random_program, hiding_program))
    return [node for program in programs for node in nodes(program)]


def test_each_word_of_a_program_is_drawn(drawn: list[object]) -> None:
    wanted = closed_words(set(get_args(m.Expr) + get_args(m.Instr)) - {m.Fault})
    assert len(wanted) > 25
    assert wanted - used_words(drawn, wanted) == set()


def test_each_expression_and_instruction_is_drawn(drawn: list[object]) -> None:
    assert set(get_args(m.Expr) + get_args(m.Instr)) - set(map(type, drawn)) == set(MADE_BY_THE_COMPILER)


def test_programs_pay_players_and_parties(drawn: list[object]) -> None:
    paid = [node for node in drawn if isinstance(node, m.SetField) and node.field == m.PAID]
    assert any(isinstance(node.index[0], m.First) for node in paid)
    assert any(isinstance(node.index[0], m.Const) for node in paid)
    ranked = (node.keys[0] for node in drawn if isinstance(node, m.FinishRank) and node.universe == "Player")
    assert m.FieldGet(m.PAID, (m.Var("p"),)) in ranked
