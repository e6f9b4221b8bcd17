"""The values by which a game was ranked, for the question why a player has won.

A result only has the places. The instruction that ended the game has the values; they are worked out again in the last
state, and given if the ranking follows from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.engine.runtime.position import Position
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import SEVERAL, shared_budget
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import with_callees
from rulewright.ir.model import NONE, Ty
from rulewright.ir.reads import Whole, all_reads, reads
from rulewright.ir.walk import nodes
from rulewright.knowledge.public_values import public_values


@dataclass(frozen=True, slots=True)
class RankingValue:
    """One of the values by which players or parties were ranked, the most important first."""

    name: str
    """The query, field or zone that it is, or what it is put together from, as in ``coins + houses``; empty if that
    takes more than a few words. Of what counts against its owner, ``-debts``, it is that itself."""
    values: tuple[tuple[str, int | None], ...]
    """For each who was ranked, by their keys."""


@shared_budget(SEVERAL)
def ranking_values(state: Position, player: int | None) -> tuple[RankingValue, ...]:
    """The values by which a game that is over was ranked, those that a player (by number) may know: all of them for
    None, else those that are worked out from what everybody sees. None at all if the game was not ranked by values, or
    by some that only the rules knew when it ended."""
    if state.result is None:
        return ()
    for finish in _endings(state):
        try:
            members, found = _evaluated(state, finish)
        except RulesetError:
            continue
        if _agrees(state, finish.universe, members, found):
            keys = state.engine.layout.universes[finish.universe].keys
            public = public_values(state.engine.program)
            return tuple(
                RankingValue(_name(_plain(key)), tuple(_by_member(key, keys, members, values)))
                for key, values in zip(finish.keys, found, strict=True)
                if not isinstance(key, m.Const) and (player is None or public.known(key))
            )
    return ()


def _endings(state: Position) -> Iterator[m.FinishRank]:
    """The rankings that can have ended the game: in the rule that did, or in what it calls."""
    program = state.engine.program
    for function in with_callees(program.functions, (state.result.rule,) if state.result else ()).values():
        for i in function.code:
            if isinstance(i, m.FinishRank) and not any(isinstance(node, m.Local) for node in nodes(i)):
                yield i


def _evaluated(state: Position, finish: m.FinishRank) -> tuple[list[int], list[list[int]]]:
    """The members that were ranked, and for each key their values."""
    engine, types = state.engine, (Ty("entity", finish.universe),)
    members = bits_of(state.evaluate(finish.source))
    functions = [engine.compiled.expression(key, (finish.var,), types) for key in finish.keys]
    return members, [
        [int(engine.call(function, state.cells, state.cells, x, memory=state.memory)) for x in members]
        for function in functions
    ]


def _agrees(state: Position, universe: str, members: list[int], found: list[list[int]]) -> bool:
    """True if the places of the result are those that follow from these values."""
    engine, layout = state.engine, state.engine.layout
    table = next((t.values for t in engine.program.tables if t.name == f"{universe}.members"), ())
    held = [x for x in table if isinstance(x, int)]
    of = [1 << x for x in range(layout.sizes["Player"])] if universe == "Player" else layout.ranked(universe, held)
    keys = [(tuple(values), of[x]) for x, *values in zip(members, *found, strict=True)]
    return engine.compiled.ctx.support.ranking(keys) == state.cells[layout.ranks]


def _plain(key: m.Expr) -> m.Expr:
    """The value that counts against its owner, if a key is the opposite of one; else the key."""
    match key:
        case m.Arith("sub", m.Const(0), right):
            return right
        case _:
            return key


def _by_member(
    key: m.Expr, keys: Sequence[str], members: list[int], values: list[int]
) -> Iterator[tuple[str, int | None]]:
    sign = 1 if _plain(key) is key else -1
    for x, value in zip(members, values, strict=True):
        yield keys[x], None if value == NONE else sign * value


_OPERATORS = {"add": "+", "sub": "-", "mul": "*"}


def _name(key: m.Expr) -> str:
    """The name of a value, or the names of its parts with what is done to them."""
    match key:
        case m.CallQuery(query):
            return query
        case _ if isinstance(key, Whole):
            return reads(key)[0].name
        case m.Const(value):
            return str(value)
        case m.Size(of):
            return _name(of)
        case m.Arith(op, left, right) if op in _OPERATORS:
            parts = _name(left), _name(right)
            return f" {_OPERATORS[op]} ".join(parts) if all(parts) else ""
    names = [read.name for read in all_reads(key) if read.aspect in ("query", "field")]
    return names[0] if len(names) == 1 else ""
