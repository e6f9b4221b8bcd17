"""Probes: counters of conditions and of uses of rules in a program, and the tally of random games with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from rulewright.diagnostics import RulesetError
from rulewright.engine import Agent
from rulewright.findings.games.playing.playing_budget import MOST, Pair, each
from rulewright.ir import model as m
from rulewright.play.game import Game

_LARGE = 1_000_000


@dataclass(frozen=True, slots=True)
class Probe:
    """A condition that is looked at before an instruction, and the name under which it is counted."""

    function: str
    pc: int
    name: str
    condition: m.Expr
    sets: str = ""
    """A field of truth that holds from here on; no rule can name it."""
    notes: m.Expr | None = None
    """A number that is kept, each time, in the field of this name, whether the condition holds or not;"""
    of: str = ""
    """or a member of this universe."""

    @property
    def noted(self) -> m.Expr:
        """The note of the last time: at first a number that is larger than any, or none."""
        return m.FieldGet(self.name, ())


def probing(program: m.Program, looks: Iterable[Probe]) -> m.Program:
    """The program that looks; what is added stands at the end of its function, and the instruction behind it."""
    known: dict[str, dict[int, list[Probe]]] = {}
    for look in looks:
        known.setdefault(look.function, {}).setdefault(look.pc, []).append(look)

    def changed(function: m.Function) -> m.Function:
        code = list(function.code)
        for pc, here in known.get(function.name, {}).items():
            asks, code[pc] = code[pc], m.Jump(len(code))
            for look in here:
                code += [m.JumpUnless(look.condition, len(code) + 2), m.Fired(look.name)]
                if look.sets:
                    code.append(m.SetField(look.sets, (), m.Const(1)))
                if look.notes is not None:
                    code.append(m.SetField(look.name, (), look.notes))
            code += [asks, m.Jump(pc + 1)]
        return replace(function, code=tuple(code)) if function.name in known else function

    every = [look for of_function in known.values() for here in of_function.values() for look in here]
    names = dict.fromkeys(look.name for look in every)
    marks = dict.fromkeys(look.sets for look in every if look.sets)
    notes = {look.name: _note(look) for look in every if look.notes is not None}
    return replace(
        program,
        functions=tuple(map(changed, program.functions)),
        rules=(*program.rules, *(m.RuleInfo(name, (), "", 0, 0) for name in names)),
        fields=(
            *program.fields,
            *(m.Field(mark, (), (), m.BOOL, 0, (), is_internal=True) for mark in marks),
            *notes.values(),
        ),
    )


def _note(look: Probe) -> m.Field:
    ty, initial = (m.Ty("entity", look.of, optional=True), m.NONE) if look.of else (m.INT, _LARGE)
    return m.Field(look.name, (), (), ty, initial, (), is_internal=True)


class Tally:
    """Uses of rules in games, all together and in how many games there were any."""

    def __init__(self) -> None:
        self.played = 0
        self.uses, self.games = Counter[str](), Counter[str]()

    def play(self, game: Game, seed: int, agents: Sequence[Agent] = ()) -> None:
        """Play one game; RulesetError if the rules stop in it."""
        fired = game.new_fired()
        game.playout(seed, fired=fired, most=MOST, policies=agents)
        now = {name: times for name, times in zip(game.rule_names, fired, strict=True) if times}
        self.uses.update(now)
        self.games.update(now.keys())
        self.played += 1


def probed(game: Game, probes: Iterable[Probe], program: m.Program | None = None) -> Game:
    """The game, or a `program` of it that is changed a little at the same places, with some probes in it."""
    return Game(probing(game.program if program is None else program, probes), game.ruleset, game.backend)


def observed(pairs: Sequence[Pair], probes_of: Callable[[Pair], Iterable[Probe] | None], share: float) -> Tally | None:
    """The tally of a share of the games of the change, with any number of players, with these probes in them.

    Where there are none (None) nothing is played. None if the rules stop in a game: playing it reports the error.
    """
    tally = Tally()
    for pair in each(pairs):
        probes = probes_of(pair)
        if probes is None:
            continue
        game = probed(pair.game, probes)
        try:
            for seed in pair.budget.seeds(share):
                tally.play(game, seed)
        except RulesetError:
            return None
    return tally
