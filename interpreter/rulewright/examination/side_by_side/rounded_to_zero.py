"""EXM207: a statement of a change that adds what is always rounded away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rulewright.examination.findings import Suspect
from rulewright.examination.playing.pair import Pair
from rulewright.examination.playing.probes import Probe
from rulewright.examination.playing.program_words import largest, new_instructions, words_of
from rulewright.examination.playing.tally import observed
from rulewright.ir import model as m
from rulewright.syntax import ast

ENOUGH = 300
"""A statement that is carried out less often is not spoken of."""
GAMES = 20
"""Nor is one that is carried out in fewer games."""
FAR = 10
"""A number that never comes to so small a part of what it is divided by is far below it."""


@dataclass(frozen=True, slots=True)
class _Addition:
    """A new statement that adds a quotient to a field, with looks at it."""

    function: m.Function
    sets: m.SetField
    divisor: int
    done: Probe
    adds: Probe
    grows: Probe
    """Growth of what is divided, of whomever it is largest."""
    comes_near: Probe
    """A number that is not far below what it is divided by."""

    @property
    def looks(self) -> tuple[Probe, ...]:
        """All of them."""
        return self.done, self.adds, self.grows, self.comes_near


def amounts_of_nothing(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A change adds a quotient to something, or takes it away, and in many games it is always rounded to 0.

    That games at random come to so little says nothing where what is divided can grow: players who want it may come to
    more. So it never grew in them, or was always far below. With any number of players.
    """
    known: dict[str, _Addition] = {}

    def probes(pair: Pair) -> list[Probe] | None:
        found = list(_additions(pair))
        for one in found:
            known.setdefault(one.done.name, one)
        return [look for one in found for look in one.looks] or None

    tally = observed(pairs, probes, 0.5)
    if tally is None:
        return
    uses, games = tally.uses, tally.games
    for name, one in known.items():
        far = not uses[one.comes_near.name]
        often = uses[name] >= ENOUGH and games[name] >= GAMES
        if often and not uses[one.adds.name] and (far or not uses[one.grows.name]):
            yield _suspect(one, uses[name], games[name], far)


def _suspect(one: _Addition, times: int, games: int, far: bool) -> Suspect:
    why = f"is never as much as {-(-one.divisor // FAR)}" if far else "never grows"
    return Suspect(
        "EXM207",
        one.function.name,
        one.done.name,
        f"this changes nothing: what is added to `{one.sets.field}` was always 0 ({times} times in {games} random "
        f"games), as what is divided by {one.divisor} {why} in them",
        "look at how the amount is rounded, and at what it counts",
        kinds=(ast.Assign,),
        words=frozenset((one.sets.field, *words_of(one.function, one.sets.value))),
    )


def _additions(pair: Pair) -> Iterator[_Addition]:
    """The new statements that add a quotient, with looks at whether they are carried out and add anything."""
    program = pair.game.program
    new = new_instructions(program, pair.base.program)
    for function in program.functions:
        for number, pc in enumerate(new[function.name]):
            match function.code[pc]:
                case m.SetField(
                    name,
                    index,
                    m.Arith("add" | "sub", m.FieldGet(read, at), m.Arith("div_down", divided, m.Const(divisor))),
                ) as i if (name, index) == (read, at) and divisor > 1:
                    most = largest(program, function, divided)
                    if most is None:
                        continue
                    about = f"{function.name} adds {number} to {name}"
                    look = partial(Probe, function.name, pc)
                    grows = look(f"{about} of more", m.Const(1), notes=most)
                    yield _Addition(
                        function,
                        i,
                        divisor,
                        look(about, m.Const(1)),
                        look(f"{about} something", m.Cmp("ge", divided, m.Const(divisor))),
                        replace(grows, condition=m.Cmp("gt", most, grows.noted)),
                        look(f"{about} nearly", m.Cmp("ge", m.Arith("mul", most, m.Const(FAR)), m.Const(divisor))),
                    )
                case _:
                    pass


__all__ = ["amounts_of_nothing"]
