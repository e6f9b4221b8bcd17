"""EXM108: a limit that what it limits passes by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.examination.examined_program import disjuncts
from rulewright.examination.findings import Suspect
from rulewright.foundation.tree_fields import below
from rulewright.ir import model as m
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import ExprFacts, nodes
from rulewright.play.game import Game

GAMES = 30
MOST = 2_000
"""Decisions of a game: a limit is reached early or never."""


def exceeded_limits(game: Game, brought: frozenset[str]) -> Iterator[Suspect]:
    """An answer is refused if there are more than so many of something, and then there is one more.

    Two invariants are laid before the engine: never more than so many, and never more than one above it. If games break
    only the first, it is this restriction that limits the number, one too high. If they break both, the number grows
    elsewhere, too, and it is no limit.
    """
    for function, label, counted, limit in _limits(game.program, brought):
        names = ("the limit", "one above the limit")
        bounds = (limit, m.Const(limit.value + 1))
        laid = tuple(
            m.Assertion(name, "invariant", None, _ONE, m.Alive("Player"), m.Cmp("le", counted, bound))
            for name, bound in zip(names, bounds, strict=True)
        )
        free = _without(game.program, function, label)
        if _broken(game, game.program, laid) == {names[0]} and names[1] in _broken(game, free, laid):
            yield Suspect(
                "EXM108",
                function,
                label,
                f"`{label}` lets one more in: it is asked before the new one counts, so there can be {limit.value + 1}",
                "if there are to be no more than that, write `>=` in place of `>`",
                rule=label,
            )


def _broken(game: Game, program: m.Program, laid: tuple[m.Assertion, ...]) -> set[str]:
    """The invariants that random games of a program break."""
    try:
        played = Game(replace(program, assertions=laid), game.ruleset, game.backend).playouts(
            GAMES, most=MOST, check=True
        )
    except RulesetError:
        return set()  # whoever plays the game is told
    return {name.partition(" (")[0] for found in played.broken.values() for name in found}


def _without(program: m.Program, function: str, label: str) -> m.Program:
    """A program in which a restriction of a function refuses nothing."""

    def kept(restrictions: tuple[m.Restriction, ...]) -> tuple[m.Restriction, ...]:
        return tuple(one for one in restrictions if one.label != label)

    def free(i: m.Instr) -> m.Instr:
        if not isinstance(i, m.Choose):
            return i
        extras = tuple(replace(extra, restrictions=kept(extra.restrictions)) for extra in i.extras)
        return replace(i, restrictions=kept(i.restrictions), extras=extras)

    functions = (replace(f, code=tuple(map(free, f.code))) if f.name == function else f for f in program.functions)
    return replace(program, functions=tuple(functions))


def _limits(program: m.Program, brought: frozenset[str]) -> Iterator[tuple[str, str, m.Expr, m.Const]]:
    """The restrictions on a number of things of the player who is asked: function, label, what is counted, how many."""
    facts = ExprFacts({query.name: query for query in program.queries})
    for function in program.functions:
        players = {n for n, slot in enumerate(function.slots[: function.params]) if slot.ty.universe == "Player"}
        for i in function.code:
            if not isinstance(i, m.Choose):
                continue
            extras = (restriction for extra in i.extras for restriction in extra.restrictions)
            for restriction in (*i.restrictions, *extras):
                if restriction.label not in brought or restriction.unless:
                    continue
                for part in disjuncts(restriction.condition):
                    match part:
                        case m.Cmp("gt", m.Size() | m.Fold("count") as counted, m.Const() as limit):
                            about = _about_one(counted, players)
                            if about is not None and facts.free(about) <= {_ONE}:
                                yield function.name, restriction.label, about, limit
                        case _:
                            pass


def _about_one(counted: m.Expr, players: set[int]) -> m.Expr | None:
    """An expression of which the parameters that are players have become the one; None if it reads other locals."""
    if any(isinstance(node, m.Local) and node.slot not in players for node in nodes(counted)):
        return None
    made: m.Expr = _without_locals(Rewriter(), counted)
    return made


def _without_locals(rewriter: Rewriter, node: Any) -> Any:
    if isinstance(node, m.Local):
        return m.Var(_ONE)
    if type(node) is tuple:
        return tuple(_without_locals(rewriter, one) for one in node)
    parts = {name: _without_locals(rewriter, getattr(node, name)) for name in below(type(node)) or ()}
    return rewriter.changed(node, parts) if parts else node


_ONE = "the player"

__all__ = ["exceeded_limits"]
