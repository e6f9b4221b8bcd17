"""EXM207: a statement of a change that always adds nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.examination.findings import Suspect
from rulewright.examination.side_by_side.counted_question import Look, looking
from rulewright.examination.side_by_side.pair import MOST, Pair
from rulewright.examination.side_by_side.program_words import new_instructions, words_of
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.play.game import Game
from rulewright.syntax import ast

ENOUGH = 300
"""A statement that is carried out less often is not spoken of."""
GAMES = 20
"""Nor is one that is carried out in fewer games."""


def amounts_of_nothing(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A change adds a computed amount to something, or takes it away, and in many games it is always 0: it is rounded
    away, or counts what is not there. With any number of players.
    """
    done, added, games = Counter[str](), Counter[str](), Counter[str]()
    known: dict[str, tuple[m.Function, m.SetField]] = {}
    for pair in pairs:
        found = list(_additions(pair))
        if not found:
            continue
        looks = [look for _, done_look, added_look in found for look in (done_look, added_look)]
        game = Game(looking(pair.game.program, looks), pair.game.ruleset, pair.game.backend)
        functions = {f.name: f for f in pair.game.program.functions}
        for i, look, _ in found:
            known.setdefault(look.name, (functions[look.function], i))
        try:
            for seed in pair.budget.seeds(0.5):
                fired = game.new_fired()
                game.playout(seed, fired=fired, most=MOST)
                uses = dict(zip(game.rule_names, fired, strict=True))
                for _, one, other in found:
                    done[one.name] += uses[one.name]
                    added[one.name] += uses[other.name]
                    games[one.name] += uses[one.name] > 0
        except RulesetError:
            return  # whoever plays the game is told
    for name, (function, i) in known.items():
        if done[name] >= ENOUGH and games[name] >= GAMES and not added[name]:
            yield Suspect(
                "EXM207",
                function.name,
                name,
                f"this changes nothing: what is added to `{i.field}` was always 0 ({done[name]} times in {games[name]} "
                "random games)",
                "look at how the amount is rounded, and at what it counts",
                kinds=(ast.Assign,),
                words=frozenset((i.field, *words_of(function, i.value))),
            )


def _additions(pair: Pair) -> Iterator[tuple[m.SetField, Look, Look]]:
    """The new statements that add a computed amount, with looks at whether they are carried out and add anything."""
    new = new_instructions(pair.game.program, pair.base.program)
    for function in pair.game.program.functions:
        for number, pc in enumerate(new[function.name]):
            match function.code[pc]:
                case m.SetField(name, index, m.Arith("add" | "sub", m.FieldGet(read, at), amount)) as i if (
                    name,
                    index,
                ) == (read, at) and any(True for node in nodes(amount) if not isinstance(node, m.Const)):
                    about = f"{function.name} adds {number} to {name}"
                    yield (
                        i,
                        Look(function.name, pc, about, m.Const(1)),
                        Look(function.name, pc, f"{about} something", m.Cmp("ne", amount, m.Const(0))),
                    )
                case _:
                    pass


__all__ = ["amounts_of_nothing"]
