"""The values of expressions that speak only of what is printed: they are known before anybody plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, NamedTuple

from rulewright.foundation.memo import Context, tracked_query
from rulewright.ir import model as m
from rulewright.ir.evaluation import NotConstant, Value, evaluate, members, number
from rulewright.ir.folds import FoldKind, applied
from rulewright.lint.analyses.flow_questions import is_spoken
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.subject import Configuration

_OPEN = (
    m.FieldGet,
    m.ZoneGet,
    m.ZoneList,
    m.Top,
    m.CallQuery,
    m.Old,
    m.Local,
    m.Component,
    m.Fingerprint,
    m.ReachFrom,
    m.Closure,
    m.InZone,
    m.PlaceOf,
)
"""Expressions that depend on the game, or would take long."""


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

    def value(self, expr: m.Expr, env: Mapping[str, int]) -> Value:
        """The value of an expression; NotConstant if it depends on the game."""
        match expr:
            case m.Const(known):
                return known
            case m.Var(name) if name in env:
                return env[name]
            case m.Kind(name):
                return self.kinds[name]
            case m.Alive(universe) if universe in self.sizes:
                return (1 << self.sizes[universe]) - 1
            case m.LetIn(var):
                return self.value(expr.body, {**env, var: number(self.value(expr.value, env))})
            case m.Filter(var=var, is_list=False):
                held = self._members(expr.source, env)
                return sum(1 << i for i in held if number(self.value(expr.where, {**env, var: i})))
            case m.Collect(var=var, is_list=False):
                bits = 0
                for i in self._members(expr.source, env):
                    one = number(self.value(expr.element, {**env, var: i}))
                    bits |= one if expr.flat else 1 << one if one >= 0 else 0
                return bits
            case m.Fold():
                return self._fold(expr.kind, [*self._rows(expr.binds, expr.where, env)], expr.body)
            case _:
                pass
        if isinstance(expr, _OPEN):
            raise NotConstant
        return evaluate(self._filled(expr, env), {}, self.tables)

    def _members(self, source: m.Expr, env: Mapping[str, int]) -> list[int]:
        return members(number(self.value(source, env)))

    def _rows(
        self, binds: tuple[m.Bound, ...], where: m.Expr | None, env: Mapping[str, int]
    ) -> Iterator[dict[str, int]]:
        if not binds:
            if where is None or number(self.value(where, env)):
                yield dict(env)
            return
        if binds[0].is_list:
            raise NotConstant
        for i in self._members(binds[0].source, env):
            yield from self._rows(binds[1:], where, {**env, binds[0].var: i})

    def _fold(self, kind: FoldKind, rows: list[dict[str, int]], body: m.Expr | None) -> int:
        return applied(kind, [1 if body is None else number(self.value(body, row)) for row in rows])

    def _filled(self, expr: m.Expr, env: Mapping[str, int]) -> m.Expr:
        """An operation with the values of its parts."""
        made: dict[str, Any] = {}
        for f in fields(expr):
            held = getattr(expr, f.name)
            if isinstance(held, tuple) and held and not isinstance(held[0], int | str):
                made[f.name] = tuple(self._constant(part, env) for part in held)
            elif hasattr(held, "__dataclass_fields__"):
                made[f.name] = self._constant(held, env)
        return replace(expr, **made) if made else expr

    def _constant(self, part: m.Expr, env: Mapping[str, int]) -> m.Expr:
        value = self.value(part, env)
        return m.ListConst(value) if isinstance(value, tuple) else m.Const(value)
