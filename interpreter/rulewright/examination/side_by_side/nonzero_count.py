"""EXM217: a count that is given or taken, and is never 0 where it is asked, though it is 0 of other things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.examination.examined_program import has_free_variables
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.pair import Pair
from rulewright.examination.playing.probes import Probe
from rulewright.examination.playing.program_words import closed, new_instructions, same_words, words_of
from rulewright.examination.playing.tally import observed
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

ENOUGH = 100
"""A count that is asked for less often is not spoken of."""
GAMES = 15
"""Nor is one that is asked for in fewer games."""


@dataclass(frozen=True, slots=True)
class _Count:
    """A count in an amount, and the names under which it is noted that it was asked for, is 0, or may be 0."""

    function: m.Function
    field: str
    count: m.Expr
    about: str

    @property
    def asked(self) -> str:
        """The name for how often it was asked for."""
        return f"{self.about} asked"

    @property
    def nothing(self) -> str:
        """The name for how often it was 0 then."""
        return f"{self.about} is 0"

    @property
    def elsewhere(self) -> str:
        """The name for how often it would have been 0 of something else."""
        return f"{self.about} may be 0"


def nonzero_counts(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """An amount of the change has a count in it that is never 0, in many games; of other things it would be 0 at the
    same moments. So what it is asked about may be among what is counted."""
    known = dict[str, _Count]()

    def probes(pair: Pair) -> list[Probe] | None:
        found = list[Probe]()
        for pc, one in _counts(pair):
            known.setdefault(one.about, one)
            none = m.Cmp("eq", one.count, m.Const(0))
            other = closed(pair.game.program, one.function, none)
            if other is not None:
                look: list[tuple[str, m.Expr]] = [(one.asked, m.Const(1)), (one.nothing, none), (one.elsewhere, other)]
                found += [Probe(one.function.name, pc, name, condition) for name, condition in look]
        return found or None

    tally = observed(pairs, probes, 0.3)
    if tally is None:
        return
    program = pairs[0].game.program
    for one in known.values():
        times, games = tally.uses[one.asked], tally.games[one.asked]
        if times < ENOUGH or games < GAMES or tally.uses[one.nothing] or tally.games[one.elsewhere] * 2 < games:
            continue
        words = words_of(one.function, one.count)
        yield Suspect(
            "EXM217",
            one.function.name,
            f"{one.field} {same_words(program, one.function.name, one.count)}",
            f"what is counted for `{one.field}` here is never 0, {times} times in {games} random games, though of "
            f"others it would be: what it is asked about may be counted itself",
            "leave it out of what is counted (`… except …`, `… is not …`), or count before it is there",
            kinds=(ast.Assign, ast.AssignAll),
            words=words | {one.field},
            otherwise=(ast.Assign, ast.AssignAll),
        )


def _counts(pair: Pair) -> Iterator[tuple[int, _Count]]:
    """The counts in amounts that the change adds to a field, or takes from it; those that ask about something."""
    program = pair.game.program
    queries = {q.name: q for q in program.queries}
    new = new_instructions(program, pair.base.program)
    for function in program.functions:
        for number, pc in enumerate(new[function.name]):
            i = function.code[pc]
            if not isinstance(i, m.SetField) or not isinstance(i.value, m.Arith):
                continue
            for place, node in enumerate(nodes(i.value.right)):
                if _is_count(node, queries) and _asks_about_something(node):
                    yield (
                        pc,
                        _Count(function, i.field, node, f"{function.name} counts for {i.field} ({number}, {place})"),
                    )


def _is_count(e: object, queries: dict[str, m.QueryDef]) -> bool:
    match e:
        case m.Fold(kind="count") | m.Size():
            return True
        case m.CallQuery(name):
            body = queries[name].body
            return _is_count(body, queries)
        case _:
            return False


def _asks_about_something(e: m.Expr) -> bool:
    """True if a local of the rules is asked about, and no variable of a loop around it."""
    return not has_free_variables(e) and any(isinstance(node, m.Local) for node in nodes(e))


__all__ = ["nonzero_counts"]
