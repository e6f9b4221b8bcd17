"""Amounts of a change that pass a limit, vanish, or are not available, as games show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rulewright.diagnostics import RulesetError
from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts, put
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.playing_budget import Pair, each
from rulewright.examination.playing.probes import Probe, Tally, observed, probed
from rulewright.examination.playing.program_words import closed, instruction_words, largest, new_instructions, words_of
from rulewright.ir import model as m
from rulewright.ir.walk import ExprFacts, nodes
from rulewright.play.game import Game
from rulewright.syntax import ast

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


# ------------------------------------------------------------------------------------------------------ rounded to zero
# EXM207: a statement of a change that adds what is always rounded away.

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

    Small values in random games prove nothing where what is divided can grow: players who want it may come to more. So
    it never grew in them, or was always far below. With any number of players.
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


# ----------------------------------------------------------------------------------------------------------- short draw
# EXM208 and EXM209: draws from a zone in which there is too little.

OFTEN = 0.5
"""A draw of the base that gets too little in fewer of the games is not spoken of."""
GAMES_OF_DRAWS = 15


@dataclass(frozen=True, slots=True)
class _Draw:
    """A draw from the top of a zone, with a look at whether there is too little."""

    zone: str
    to: str
    words: str
    new: bool
    look: Probe


def missing_pieces(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A draw of the base gets too little since the change, which draws from the same zone, and never did before; or a
    draw that the change brings gets too little in some games, and no rule covers that.
    """
    reported = set[str]()
    for pair in each(pairs):
        draws = list(_draws(pair.game, pair.base))
        new = [one for one in draws if one.new]
        if not new:
            continue
        here, games = _short(pair, pair.game, draws)
        if here is None or games < GAMES_OF_DRAWS:
            return  # playing the game reports the error
        zones = {one.zone for one in new}
        others = [one for one in draws if not one.new and one.zone in zones and here[one.look.name] >= OFTEN * games]
        known = [one for one in _draws(pair.base, pair.base) if one.words in {other.words for other in others}]
        there, _ = _short(pair, pair.base, known) if known else (Counter[str](), 0)
        for one in new:
            fits = [other for other in others if other.zone == one.zone]
            before = {of.words for of in known if there is not None and there[of.look.name]}
            starved = next((other for other in fits if other.words not in before), None)
            about = f"{one.zone} to {one.to}"
            if about in reported or there is None:
                continue
            if starved is not None:
                reported.add(about)
                yield Suspect(
                    "EXM208",
                    one.look.function,
                    about,
                    f"since this, `{one.zone}` is empty or holds too few when the base draws from it to "
                    f"`{starved.to}`, in {here[starved.look.name]} of {games} random games; in the base it never is",
                    "draw fewer here, or say what happens when none is left",
                    kinds=(ast.Draw,),
                    words=frozenset((one.zone, one.to)),
                )
            elif here[one.look.name]:
                reported.add(about)
                yield Suspect(
                    "EXM209",
                    one.look.function,
                    about,
                    f"`{one.zone}` may be empty here, or hold too few: in {here[one.look.name]} of {games} random "
                    "games this draws less than it says",
                    "say what happens then: `if … is not empty then draw …`",
                    kinds=(ast.Draw,),
                    words=frozenset((one.zone, one.to)),
                )


def _draws(game: Game, base: Game) -> Iterator[_Draw]:
    """The draws of a game; those that the base has not in the same place are new."""
    new = new_instructions(game.program, base.program)
    for function in game.program.functions:
        for pc, i in enumerate(function.code):
            match i:
                case m.Move(m.Top(zone, index, count), zone=to):
                    few = m.Cmp("lt", m.Size(m.ZoneGet(zone, index)), count)
                    look = Probe(function.name, pc, f"too few at {function.name} {pc}", few)
                    words = f"{function.name} {instruction_words(function, i)}"
                    yield _Draw(zone, to, words, pc in new[function.name], look)
                case _:
                    pass


def _short(pair: Pair, game: Game, draws: Sequence[_Draw]) -> tuple[Counter[str] | None, int]:
    """For each draw the games in which it gets too little, and the number of games; None if they end in errors."""
    counting, tally = probed(game, [one.look for one in draws]), Tally()
    try:
        for seed in pair.budget.seeds(0.3):
            tally.play(counting, seed)
    except RulesetError:
        return None, tally.played
    return tally.games, tally.played
