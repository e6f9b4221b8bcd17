"""Lists with an index out of bounds, where the rules stop for it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.random_numbers import RandomAnswers
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.play.game import Game

_MESSAGE = re.compile(r"of \[([-0-9, ]*)\] no entry (-?\d+)")


@dataclass(frozen=True, slots=True)
class MissingEntry:
    """A list as it is written, the parameter that holds it, if any does, and the index that was out of bounds."""

    values: tuple[int, ...]
    name: str
    index: str

    @property
    def message(self) -> str:
        """The words for it."""
        entries = f"{len(self.values)} entries" if len(self.values) != 1 else "one entry"
        what = f"`{self.name}`" if self.name else f"the list {list(self.values)}"
        return f"{what} has {entries}, and is asked for number {self.index} (the first is number 0), which is none"


def missing_entry(game: Game, seed: int, function: str) -> MissingEntry | None:
    """The list that a function, or a query which it asks, asks for an entry that it does not have, behind the same
    answer of a random game behind which the rules stop.

    The game is played once more, with rules that stop where an entry is missing: they say which one.
    """
    tried = Game(_strict(game.program, ExaminedProgram(game.program).used_by(function)), game.ruleset, game.backend)
    answers, message = _stops(tried, seed)
    match = _MESSAGE.search(message)
    if match is None or answers != _stops(game, seed)[0]:
        return None
    values = tuple(int(word) for word in match[1].split(",") if word.strip())
    words = {word.replace(" ", ""): name for name, word in game.program.options}
    return MissingEntry(values, words.get(f"[{','.join(map(str, values))}]", ""), match[2])


def _strict(program: m.Program, names: frozenset[str]) -> m.Program:
    """A program whose rules stop in some functions and queries where a written list has no entry."""
    rewriter = Rewriter()

    def strict(e: Any) -> Any:
        if not isinstance(e, m.Item) or not isinstance(e.list, m.ListConst):
            return e
        within = m.And((m.Cmp("ge", e.at, m.Const(0)), m.Cmp("lt", e.at, m.Const(len(e.list.values)))))
        return m.IfElse(within, e, m.Fault("bounds", f"of {list(e.list.values)} no entry", e.at, m.INT))

    def changed(part: Any) -> Any:
        return rewriter.rebuilt(part, (m.Item,), strict)

    return replace(
        program,
        functions=tuple(
            replace(f, code=tuple(map(changed, f.code))) if f.name in names else f for f in program.functions
        ),
        queries=tuple(replace(q, body=changed(q.body)) if q.name in names else q for q in program.queries),
    )


def _stops(game: Game, seed: int) -> tuple[int, str]:
    """The number of answers after which a random game stops, and the message of the error; empty if it does not."""
    pick, given = RandomAnswers(seed), 0
    try:
        state = game.start(seed)
        while (decision := state.decision) is not None:
            state, given = state.choose(decision.options[pick(len(decision.options))]), given + 1
    except RulesetError as error:
        return given, error.diagnostics[0].message
    return given, ""


__all__ = ["MissingEntry", "missing_entry"]
