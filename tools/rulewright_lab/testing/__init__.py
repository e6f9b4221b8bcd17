"""Tests of rulesets written in Python: strategies of Hypothesis, and a state machine.

    from hypothesis import given, strategies as st
    from rulewright_lab.testing import answers, machine_for, states

    @given(states("connect-four", over=False), st.data())
    def test_a_disc_is_added(state, data):
        after = state.choose(data.draw(answers(state)))
        ...

    TestPig = machine_for("pig").TestCase

It needs the extra `testing`, which brings Hypothesis; the plugin that lets pytest collect rulesets is in
:mod:`rulewright_tools.pytest_plugin`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.foundation import lazy_exports

if TYPE_CHECKING:
    from rulewright_lab.testing.declarations import Declared as Declared
    from rulewright_lab.testing.declarations import declared as declared
    from rulewright_lab.testing.state_machine import RulesetStateMachine as RulesetStateMachine
    from rulewright_lab.testing.state_machine import machine_for as machine_for
    from rulewright_lab.testing.strategies import answer_sequences as answer_sequences
    from rulewright_lab.testing.strategies import answers as answers
    from rulewright_lab.testing.strategies import games as games
    from rulewright_lab.testing.strategies import states as states

    __all__: list[str]
else:
    __getattr__, __dir__, __all__ = lazy_exports(__name__)
