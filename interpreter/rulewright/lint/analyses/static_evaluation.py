"""The values of expressions that speak only of what is printed: they are known before anybody plays."""

from __future__ import annotations

from typing import NamedTuple

from rulewright.foundation.memo import Context, tracked_query
from rulewright.ir import model as m
from rulewright.ir.evaluation import Environment, NotConstant, Value, known, over_members
from rulewright.lint.analyses.flow_questions import is_spoken
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.subject import Configuration


class Printed(NamedTuple):
    """All that is printed in a game, and does not change."""

    tables: tuple[m.Table, ...]
    kinds: tuple[m.KindSet, ...]
    universes: tuple[m.Universe, ...]
    """The universes that keep their members."""


class PrintedFacts(Context):
    """A game, for queries of printed attributes."""

    def __init__(self, game: Configuration) -> None:
        super().__init__()
        self._game = game

    @tracked_query
    def printed(self) -> Printed:
        """All of it."""
        program, index = self._game.program, self._game.ask(RuleIndex)
        changing = {g.name for g in program.merged} | ({"Player"} if is_spoken(index, "eliminate") else set())
        return Printed(program.tables, program.kinds, tuple(u for u in program.universes if u.name not in changing))


class StaticEvaluator:
    """Evaluates expressions over tables and kinds."""

    def __init__(self, printed: Printed) -> None:
        self.tables = {t.name: t for t in printed.tables}
        self.kinds = {k.name: k.members for k in printed.kinds}
        self.sizes = {u.name: len(u.keys) for u in printed.universes}

    def value(self, expr: m.Expr, env: Environment) -> Value:
        """The value of an expression; NotConstant if it depends on the game."""
        match expr:
            case m.Var(name) if name in env:
                return env[name]
            case m.Kind(name):
                return self.kinds[name]
            case m.Alive(universe) if universe in self.sizes:
                return (1 << self.sizes[universe]) - 1
            case m.LetIn(var):
                return self.value(expr.body, {**env, var: self.value(expr.value, env)})
            case _:
                found = over_members(expr, self.value, env)
        if found is None:
            found = known(expr, lambda part: self.value(part, env), self.tables)
        if found is None:
            raise NotConstant
        return found
