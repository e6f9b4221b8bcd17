"""Rules that can be used, alone and together: whatever games do use must be among them."""

from __future__ import annotations

import pytest
from shipped_programs import shipped_game

import rulewright as rw
from rulewright.compiler.rule_flow import RuleFlow
from rulewright.fuzzing.search.coverage import Possible, pairs_of, turn_of
from rulewright.fuzzing.search.driver import Drive

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
