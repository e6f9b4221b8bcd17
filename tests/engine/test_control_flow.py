"""Control goes on behind an instruction, or leaves the function."""

from __future__ import annotations

import pytest

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, definitions, successors


@pytest.mark.parametrize("pc", [0, 7])
def test_control_goes_on_or_leaves(pc: int) -> None:
    for i in (m.Return(None), m.Fail("no"), m.Jump(3), m.JumpUnless(m.Const(1), 3), m.Fired("rule")):
        ways = successors(i, pc)
        assert ways
        assert EXIT not in ways or ways == (EXIT,)
        assert not definitions(i)
