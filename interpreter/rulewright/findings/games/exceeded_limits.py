"""Amounts of a change that pass a limit, vanish, or are not available, as games show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.diagnostics import RulesetError
from rulewright.findings.games.playing.playing_budget import Pair, each
from rulewright.findings.games.playing.probes import Probe, Tally, probed
from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts, disjuncts, put
from rulewright.findings.program.facts.program_words import closed
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import ExprFacts, nodes

# ------------------------------------------------------------------------------------------------------- exceeded limit
# EXM108: a limit that what it limits passes by one.


@dataclass(frozen=True, slots=True)
class _Limit:
    """A restriction on a number of things, with probes at its question of whether there are more."""

    function: str
    label: str
    most: int
    above: Probe
    """More than it allows, of anything that could be chosen and for any player;"""
    far_above: Probe
    """and one more than that."""


def exceeded_limits(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """An answer is refused if there are more than so many of something, and then there is one more.

    If in games there are more than so many and never more than one above it, it is this restriction that limits the
    number, one too high: without it there are more. If there are more with it, too, the number grows elsewhere, and it
    is no limit. With any number of players.
    """
    reported = set[str]()
    for pair in each(pairs):
        limits = [one for one in _limits(pair) if one.label not in reported]
        for one in pair.budget.shared(limits):
            limited, free = Tally(), Tally()
            probes = one.above, one.far_above
            game = probed(pair.game, probes)
            without = probed(pair.game, probes, _without(pair.game.program, one.function, one.label))
            try:
                for seed in pair.budget.seeds(0.1):
                    limited.play(game, seed)
                    free.play(without, seed)
            except RulesetError:
                continue  # playing the game reports the error
            passed, far = limited.uses[one.above.name], limited.uses[one.far_above.name]
            if passed and not far and free.uses[one.far_above.name]:
                reported.add(one.label)
                yield Suspect(
                    "EXM108",
                    one.function,
                    one.label,
                    f"`{one.label}` lets one more in: it is asked before the new one counts, so there can be "
                    f"{one.most + 1}",
                    "if there are to be no more than that, write `>=` in place of `>`",
                    rule=one.label,
                )


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


def _limits(pair: Pair) -> Iterator[_Limit]:
    """The new restrictions on a number of things of the player to act, or of what could be chosen."""
    examined = ExaminedProgram(pair.game.program)
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose):
                continue
            of_members = ((one, i.source is not None and not i.is_list) for one in i.restrictions)
            of_options = ((one, False) for extra in i.extras for one in extra.restrictions)
            for restriction, chosen in (*of_members, *of_options):
                if restriction.label in pair.brought and not restriction.unless:
                    yield from _limits_of(examined, function, pc, restriction, i if chosen else None)


def _limits_of(
    examined: ExaminedProgram, function: m.Function, pc: int, restriction: m.Restriction, of: m.Choose | None
) -> Iterator[_Limit]:
    for part in disjuncts(restriction.condition):
        several = conjuncts(part)
        for number, one in enumerate(several):
            match one:
                case m.Cmp("gt", counted, m.Const(most)) if most != m.NONE and _is_count(examined, counted):
                    above, far = (
                        _somewhere(examined, function, (*several[:number], more, *several[number + 1 :]), of)
                        for more in (one, replace(one, right=m.Const(most + 1)))
                    )
                    if above is not None and far is not None:
                        name = f"{restriction.label} of {function.name} {pc}"
                        yield _Limit(
                            function.name,
                            restriction.label,
                            most,
                            Probe(function.name, pc, f"{name} passed", above),
                            Probe(function.name, pc, f"{name} passed by two", far),
                        )
                case _:
                    pass


def _somewhere(
    examined: ExaminedProgram, function: m.Function, several: tuple[m.Expr, ...], of: m.Choose | None
) -> m.Expr | None:
    """A condition that all hold for any player, and for anything that a question may offer; None if they ask about
    other names."""
    players = {n for n, slot in enumerate(function.slots[: function.params]) if slot.ty.universe == "Player"}
    everything = m.And(several)
    if any(isinstance(node, m.Local) and node.slot not in players for node in nodes(everything)):
        return None
    free = ExprFacts(examined.queries).free(everything)
    inner = closed(examined.program, function, everything)
    if inner is None or not free <= ({of.var} if of is not None else set()):
        return None
    return m.Fold("some", (m.Bound(of.var, m.Alive(of.universe)),), inner, None) if of is not None and free else inner


def _is_count(examined: ExaminedProgram, e: m.Expr) -> bool:
    """True of a number of things, if a query counts them, too."""
    match e:
        case m.Size() | m.Fold("count"):
            return True
        case m.CallQuery(name, args):
            query = examined.queries[name]
            return _is_count(examined, put(query.body, {p.name: a for p, a in zip(query.params, args, strict=True)}))
        case _:
            return False
