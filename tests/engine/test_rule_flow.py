"""Rules that can be used, alone and together: whatever games do use must be among them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.compiler.rule_flow import RuleFlow
from rulewright.findings.fuzzing.search.coverage import Possible, pairs_of, turn_of
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.ir import model as m

GAMES = [("carolus-magnus", 3), ("baron", 2), ("domaine", 2), ("loewenherz", 3), ("breakthrough", 2)]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_whatever_is_used_can_be_used(name: str, players: int) -> None:
    game = shipped_game(name, players)
    dice = rw.playing.Dice(3, "any")
    course = Drive(game).play(dice.below, 150)
    possible = Possible()
    possible.add(game.program, game.rule_names)
    assert {rule for rules in course.reached.turns for rule in rules} <= game.flow.usable
    assert course.reached.turns
    for rules in course.reached.turns:
        assert set(pairs_of(rules & possible.rules)) <= possible.pairs


def test_what_excludes_each_other() -> None:
    """The actions of Domaine are options of one question, and who has bought cannot sell in the same turn."""
    game = shipped_game("domaine", 2)
    together = RuleFlow(game.program).together(turn_of(game.program))
    assert "perform.borders" not in together["perform.knights"]
    assert "perform.knights" not in together["perform.borders"]
    assert "perform.knights" in together["perform"]


def test_endings_come_in_the_order_of_calls() -> None:
    """The same in each process: no set of names is gone through."""
    program = shipped_game("breakthrough", 2).program
    main = next(f for f in program.functions if f.name == program.main)
    names = [f"ending_{number}" for number in range(8)]
    win = next(i for f in program.functions for i in f.code if isinstance(i, m.FinishWin))
    ways = tuple(m.Call(name, (), None, name) for name in names)
    functions = [replace(main, code=(*ways, m.Return(None)), slots=(), params=0)]
    functions += [
        replace(main, name=name, code=(m.JumpUnless(m.Var("x"), 2), replace(win, rule=name), m.Return(None)), slots=())
        for name in names
    ]
    made = replace(program, functions=tuple(functions))
    assert RuleFlow(made).endings == tuple(names)
