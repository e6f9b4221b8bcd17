"""EXM213: a restriction of a change that nothing passes, so that what stands behind it is never done any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.pair import Pair, each
from rulewright.examination.playing.tally import Tally
from rulewright.ir import model as m

ENOUGH = 50
"""Of what is done less often in the base nothing is said,"""
GAMES = 8
"""nor after fewer games of each."""


def closed_ways(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A procedure, or an option, of the base asks for something that the change restricts; in many games of the base it
    is carried out, in as many of the change never. With any number of players.
    """
    before, now = Tally(), Tally()
    known: dict[str, tuple[str, str]] = {}
    for pair in each(pairs):
        found = restricted_rules(pair)
        if not found:
            continue
        known.update(found)
        try:
            for seed in pair.budget.seeds(0.3):
                before.play(pair.base, seed)
                now.play(pair.game, seed)
        except RulesetError:
            return  # whoever plays the game is told
    for label, (function, rule) in sorted(known.items()):
        alone = [other for other, (_, same) in known.items() if same == rule] == [label]
        if alone and now.played >= GAMES and before.uses[rule] >= ENOUGH and not now.uses[rule]:
            yield Suspect(
                "EXM213",
                function,
                label,
                f"nothing passes `{label}` in {now.played} random games: since it is there `{rule}` is never done, "
                f"in as many of the base {before.uses[rule]} times",
                "look whether it may refuse all; a scenario shows what is to pass",
                rule=label,
            )


def restricted_rules(pair: Pair) -> dict[str, tuple[str, str]]:
    """The new restrictions on what is chosen, with their functions, and the procedure or option of them."""
    found = dict[str, tuple[str, str]]()
    for function in pair.game.program.functions:
        rule = ""
        for i in function.code:
            if isinstance(i, m.Fired):
                rule = i.rule
            for one in i.restrictions if isinstance(i, m.Choose) else ():
                if one.label in pair.brought and rule and rule not in pair.brought:
                    found[one.label] = function.name, rule
    return found


__all__ = ["closed_ways", "restricted_rules"]
