"""EXM303: new statements that change nothing in games, set a number whatever it was, or turn round the way it goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial

from rulewright.diagnostics import RulesetError
from rulewright.findings.games.playing.playing_budget import Pair
from rulewright.findings.games.playing.probes import Probe, Tally, observed, probed
from rulewright.findings.program.facts.examined_program import names_in
from rulewright.findings.program.facts.program_words import new_instructions, words_of
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.syntax import ast

ENOUGH = 60
"""A statement that is carried out less often is not spoken of."""
GAMES = 20
"""Nor is one that is carried out in fewer games."""
BASE = 0.1
"""The part of the games in which it is counted how numbers go in the base."""
OFTEN = 0.05
"""The number of cases in which a quantity must rise, or fall, to be reported."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A new statement, with looks at what it does."""

    function: m.Function
    i: m.SetField | m.Move
    """A field that is set, or a move."""
    done: Probe
    idle: Probe
    rises: Probe | None
    falls: Probe | None
    sets_anew: bool = False
    """A number that is set whatever it was."""

    @property
    def looks(self) -> tuple[Probe, ...]:
        """All of them."""
        return tuple(one for one in (self.done, self.idle, self.rises, self.falls) if one is not None)


def statements_in_games(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A change sets something to what it is already, or moves nothing, each time in many games, with any number of
    players; or it sets a number whatever it was, and sometimes raises and sometimes lowers it by that."""
    known: dict[str, _Statement] = {}

    def probes(pair: Pair) -> list[Probe] | None:
        found = list(_statements(pair))
        for one in found:
            known.setdefault(one.done.name, one)
        return [look for one in found for look in one.looks] or None

    tally = observed(pairs, probes, 0.3)
    if tally is None:
        return
    uses, games = tally.uses, tally.games
    set_ones = {one.i.field for one in known.values() if isinstance(one.i, m.SetField) and one.rises is not None}
    directions = _directions(pairs[0], set_ones)
    for name, one in known.items():
        times = uses[name]
        if times < ENOUGH or games[name] < GAMES:
            continue
        if uses[one.idle.name] == times:
            yield _suspect(one, _idle(one.i, times, games[name]), "look at what it was before, and who changed it")
        elif isinstance(one.i, m.SetField) and one.rises is not None and one.falls is not None and not pairs[0].alone:
            up, down = uses[one.rises.name], uses[one.falls.name]
            turned = _turned(one.i.field, directions, up, down, times)
            if turned:
                yield _suspect(
                    one, f"{turned} of {times} times in {games[name]} random games", "is that what is meant?"
                )
            elif one.sets_anew and min(up, down) >= OFTEN * times:
                what = (
                    f"`{one.i.field}` is set here whatever it was: of {times} times in {games[name]} random games it "
                    f"rises {up} times, and falls {down} times"
                )
                yield _suspect(one, what, "to add to it, or to take away, is written += and -=")


def _directions(pair: Pair, fields: Set[str]) -> dict[str, tuple[int, int]]:
    """Counts of how often numbers that the change sets rise and fall in the base; none for what is reset there."""
    if pair.alone or not fields:
        return {}
    looks, program = list[Probe](), pair.base.program
    for function in program.functions:
        for pc, i in enumerate(function.code):
            if isinstance(i, m.SetField) and i.field in fields:
                now = m.FieldGet(i.field, i.index)
                looks.append(Probe(function.name, pc, f"{i.field} rises", m.Cmp("gt", i.value, now)))
                looks.append(Probe(function.name, pc, f"{i.field} falls", m.Cmp("lt", i.value, now)))
    tally, game = Tally(), probed(pair.base, looks)
    try:
        for seed in pair.budget.seeds(BASE):
            tally.play(game, seed)
    except RulesetError:
        return {}
    reset = {name for f in program.functions for i in f.code if isinstance(i, m.Reset) for name in i.fields}
    return {name: (tally.uses[f"{name} rises"], tally.uses[f"{name} falls"]) for name in fields - reset}


def _turned(field: str, directions: Mapping[str, tuple[int, int]], up: int, down: int, times: int) -> str:
    """The sentence that a statement turns round the way that a number goes in the base; empty if it does not."""
    rises, falls = directions.get(field, (0, 0))
    if not falls and rises >= ENOUGH and down >= OFTEN * times:
        return f"`{field}` only ever rises in the base ({rises} times), and here it falls {down}"
    if not rises and falls >= ENOUGH and up >= OFTEN * times:
        return f"`{field}` only ever falls in the base ({falls} times), and here it rises {up}"
    return ""


def _idle(i: m.SetField | m.Move, times: int, games: int) -> str:
    often = f"in each of {times} times in {games} random games"
    if isinstance(i, m.Move):
        return f"nothing is moved to `{i.zone}` here, {often}"
    return f"this changes nothing: `{i.field}` is already what it is set to, {often}"


def _suspect(one: _Statement, what: str, hint: str) -> Suspect:
    i, function = one.i, one.function
    if isinstance(i, m.Move):
        return Suspect(
            "EXM303", function.name, one.done.name, what, hint, kinds=(ast.Move, ast.Draw), words=frozenset((i.zone,))
        )
    words = frozenset((i.field, *words_of(function, i.value)))
    kinds = (ast.Assign, ast.AssignAll)
    return Suspect("EXM303", function.name, one.done.name, what, hint, kinds=kinds, words=words, otherwise=kinds)


def _statements(pair: Pair) -> Iterator[_Statement]:
    """The new statements that set a field or move pieces."""
    program = pair.game.program
    new = new_instructions(program, pair.base.program)
    fields = {declared.name: declared for declared in program.fields}
    for function in program.functions:
        for number, pc in enumerate(new[function.name]):
            i = function.code[pc]
            look = partial(Probe, function.name, pc)
            match i:
                case m.SetField(name, index, value) if (ty := fields[name].ty).kind != "list":
                    if fields[name].is_internal:
                        continue
                    now, about = m.FieldGet(name, index), f"{function.name} sets {name} ({number})"
                    same = m.SetEq(value, now) if ty.kind == "set" else m.Cmp("eq", value, now, nothing=True)
                    over = name not in names_in(value) and not isinstance(value, m.Const)
                    yield _Statement(
                        function,
                        i,
                        look(about, m.Const(1)),
                        look(f"{about} to itself", same),
                        look(f"{about} higher", m.Cmp("gt", value, now)) if ty.kind == "int" else None,
                        look(f"{about} lower", m.Cmp("lt", value, now)) if ty.kind == "int" else None,
                        over,
                    )
                case m.Move(what, is_list, zone):
                    about = f"{function.name} moves to {zone} ({number})"
                    nothing = m.Cmp("eq", m.Size(what, is_list), m.Const(0))
                    yield _Statement(
                        function, i, look(about, m.Const(1)), look(f"{about} nothing", nothing), None, None
                    )
                case _:
                    pass
