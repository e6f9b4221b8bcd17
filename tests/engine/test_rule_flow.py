"""Rules that can be used, alone and together: whatever games do use must be among them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from shipped_programs import shipped_game
from small_rules import loaded

import rulewright as rw
from rulewright.compiler.rule_flow import RuleFlow
from rulewright.findings.fuzzing.search.coverage import Possible, pairs_of, turn_of
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.ir import model as m
from sampling import sample

GAMES = [("carolus-magnus", 3), ("baron", 2), ("domaine", 2), ("loewenherz", 3), ("breakthrough", 2)]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_whatever_is_used_can_be_used(name: str, players: int) -> None:
    game = shipped_game(name, players)
    dice = rw.playing.Dice(3, "any")
    course = Drive(game).play(dice.below, 150)
    possible = Possible()
    possible.add(game.flow, game.rule_names)
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


HEAD = """
game small
players 2
place Field
map Board: ring of 3 Field
piece Man from "pieces.json#men"
    begins in rest
piece House from "pieces.json#houses"
    begins in rest
zone rest: set of Man or House, seen by everyone
zone on[Field]: set of Man or House, seen by everyone
zone yard: set of Man or House, seen by everyone
field gold[Player]: 0 .. 9 = 0
field age: 0 .. 30 = 0

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
"""


def random_rules(r: Random) -> str:
    """Rules of which some are due by themselves: wherever they are checked, anything may have been done before."""
    effects = [f"grow{n}" for n in range(2)]

    def condition() -> str:
        compared = r.choice(
            [
                "gold[{0}]",
                "count(x: Man in rest)",
                "count(x: House in yard)",
                "age mod 7",
                "count(f in Field where some(x: House in on[f]))",
                "size(yard)",
            ]
        )
        return f"{compared.format('first(players)')} {r.choice(['>', '<', 'is'])} {r.randint(0, 4)}"

    def statement(calls: bool = True) -> str:
        return r.choice(
            [
                "if some(x: Man in rest) then move first(x: Man in rest) to on[first(Field)]",
                "if some(x: House in rest) then move first(x: House in rest) to on[first(Field)]",
                "move {x: Man in on[first(Field)]} to yard",
                "move {x: House in on[first(Field)]} to yard",
                "move yard to rest",
                "gold[first(players)] = (gold[first(players)] + 1) mod 9",
                "age = (age + 1) mod 30",
                *effects * calls,
            ]
        )

    def block(indent: str, depth: int) -> list[str]:
        lines = []
        for _ in range(r.randint(1, 3)):
            match r.randint(0, 3) if depth else 3:
                case 0:
                    lines += [f"{indent}if {condition()}", *block(indent + "    ", depth - 1)]
                case 1:
                    lines += [f"{indent}p chooses either"]
                    for label in ("this", "that"):
                        lines += [f"{indent}    option {label}", *block(indent + "        ", depth - 1)]
                case 2 if depth == 2:
                    lines.append(f"{indent}part{r.randint(0, 1)}(p)")
                case _:
                    lines.append(indent + statement())
        return lines

    text = [HEAD.strip(), *block("    ", 2)]
    for number in range(2):
        text += [f"procedure part{number}(p: Player)", *block("    ", 1)]
        text += [f"effect {effects[number]}", f"    {statement(calls=False)}"]
        compared = r.choice(["count(x: Man in yard)", "count(x: House in yard)", "gold[first(players)]", "age mod 5"])
        text += [f"field due{number}: 0 .. 1 = 0"]
        text += [f"consequence follows{number} when {compared} > {r.randint(1, 3)} and due{number} is 0"]
        text += [f"    due{number} = 1", f"    {statement()}"]
        text += [f"consequence again{number} when {condition()} and due{number} is 1", f"    due{number} = 0"]
    text += [f"effect over{n}\n    finish with winner first(players)" for n in range(1)]
    text += [f"end rich when {condition()} and age > 3", "    finish with winner first(players)"]
    text += [f"end old when {condition()} and age > 5", "    over0"]
    return "\n".join(text)


@pytest.mark.parametrize("seed", range(sample(10, 300)))
def test_rules_that_are_due_by_themselves(seed: int, tmp_path: Path) -> None:
    """Two rules that meet in a turn of a game are among those that the analysis leaves open."""
    (tmp_path / "pieces.json").write_text('{"men": [{"count": 4}], "houses": [{"count": 3}]}', "utf-8")
    game = loaded(tmp_path, random_rules(Random(seed)))
    possible = Possible()
    possible.add(game.flow, game.rule_names)
    for number in range(8):
        course = Drive(game).play(rw.playing.Dice(number, "any").below, 60, dice=rw.playing.Dice(number, "looks"))
        assert course.trouble is None or course.trouble.kind == "error", "all that is due has followed"
        for rules in course.reached.turns:
            assert set(pairs_of(rules & possible.rules)) <= possible.pairs
            assert rules & set(game.rule_names) <= game.flow.usable
