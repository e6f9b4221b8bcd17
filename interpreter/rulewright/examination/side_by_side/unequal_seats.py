"""EXM212: seats that the base treats alike and the change does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rulewright.diagnostics import RulesetError
from rulewright.engine import Option, State
from rulewright.engine.random_source import RandomAnswers
from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.pair import Pair, each
from rulewright.examination.playing.program_words import new_instructions
from rulewright.examination.playing.seat_exchange import Exchange, Permutation, exchanges
from rulewright.ir import model as m
from rulewright.play.game import Game
from rulewright.syntax import ast

SHARE = 0.1
"""So many of the games are played for each exchange."""
DECISIONS = 120
"""Decisions of a game in which positions are exchanged."""
WAYS = 3
"""Ways to exchange seats that are tried, of those that leave the base what it is."""
ENOUGH = 100
"""Positions of the base that must be alike: of a shorter game nothing is said."""
LAST = 6
"""Answers that are told."""


@dataclass(frozen=True, slots=True)
class _Difference:
    """A difference between a position and the exchanged one, with the function or rule in which it is seen."""

    function: str
    rule: str
    field: str
    text: str
    story: tuple[str, ...]


def unequal_seats(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """In many positions of the base nothing is different if seats are exchanged, and the map is mirrored or turned
    with them where it must be; since the change something is, whichever way they are exchanged.
    """
    told = set[str]()
    for pair in each(pairs):
        own = list(exchanges(pair.game.program))
        alike = (places for places in exchanges(pair.base.program) if places in own and _alike(pair, places))
        found = [_first(pair, places) for places in islice(alike, WAYS)]
        differences = [one for one in found if one is not None]
        if not differences or len(differences) < len(found):
            continue
        _, exchange, first = max(differences, key=lambda one: one[0])
        about = first.rule or first.field
        if about not in told:
            told.add(about)
            yield replace(
                _placed(pair, first),
                message=f"with {exchange.in_words} it is another game since this change: {first.text}",
                story=first.story,
            )


def _placed(pair: Pair, first: _Difference) -> Suspect:
    """The suspect where the change is: a rule with a name, an assignment, or the only query that is another one."""
    hint = "in the base no seat is treated otherwise; let it depend on who is asked, not on a seat or a side"
    suspect = Suspect("EXM212", first.function, first.rule or first.field, "", hint, rule=first.rule)
    if first.rule in pair.brought:
        return suspect
    if not first.rule:
        return replace(suspect, kinds=(ast.Assign,), words=frozenset((first.field,)))
    known = {query.name: query for query in pair.base.program.queries}
    examined = ExaminedProgram(pair.game.program)
    changed = [name for name, query in sorted(examined.queries.items()) if known.get(name) != query]
    used = [name for name in changed if name in examined.used_by(first.function)] or changed
    return replace(suspect, rule="", kinds=(ast.Query,), given=used[0]) if used else suspect


def _alike(pair: Pair, places: Permutation) -> bool:
    """True if no position of the base is different when it is exchanged."""
    exchange, seen = Exchange(pair.base.engine, places), 0
    for seed in pair.budget.seeds(SHARE):
        difference, positions = _compared(pair.base, exchange, seed, frozenset())
        seen += positions
        if difference is not None:
            return False
    return seen >= ENOUGH and not pair.budget.over


def _first(pair: Pair, places: Permutation) -> tuple[int, Exchange, _Difference] | None:
    """The first difference in games of the change, behind how many positions it is, and the exchange."""
    exchange, seen = Exchange(pair.game.engine, places), 0
    for seed in pair.budget.seeds(SHARE):
        try:
            difference, positions = _compared(pair.game, exchange, seed, _changed(pair))
        except RulesetError:
            return None  # whoever plays the game is told
        seen += positions
        if difference is not None:
            return seen, exchange, difference
    return None


def _changed(pair: Pair) -> frozenset[tuple[str, str]]:
    """The functions with new assignments, each with the field to which something is assigned."""
    functions = {f.name: f for f in pair.game.program.functions}
    new = new_instructions(pair.game.program, pair.base.program)
    return frozenset(
        (name, i.field)
        for name, pcs in new.items()
        for pc in pcs
        if isinstance(i := functions[name].code[pc], m.SetField)
    )


def _compared(
    game: Game, exchange: Exchange, seed: int, changed: frozenset[tuple[str, str]]
) -> tuple[_Difference | None, int]:
    """The first difference in a game at random, and the number of its positions that were looked at."""
    pick, story, positions = RandomAnswers(seed), list[str](), 0
    state = game.start(seed, ask_chance=True)
    while (decision := state.decision) is not None and positions < DECISIONS:
        positions += 1
        try:
            other = exchange.position(state)
        except RulesetError as error:
            text = f"`{decision.name}` stops the rules then: {error.diagnostics[0].message}"
            function = state.question.function if state.question is not None else ""
            return _Difference(function, decision.name, "", text, tuple(story[-LAST:])), positions
        if other is None or other.decision is None or other.question is None:
            return None, positions
        asked = decision.who, decision.name
        found = _offered(exchange, state, other, tuple(story[-LAST:]))
        if found is not None:
            return found, positions
        option = decision.options[pick(len(decision.options))]
        story.append(f"{asked[0]} answers {asked[1]} with {option.key}")
        image = _image(exchange, state, other, option)
        if image is None:
            return None, positions
        function = state.question.function if state.question is not None else ""
        state, other = state.choose(option), other.choose(image)
        found = _done(exchange, state, other, function, tuple(story[-LAST:]), changed)
        if found is not None:
            return found, positions
    return None, positions


def _image(exchange: Exchange, state: State, other: State, option: Option) -> Option | None:
    """The option of an exchanged position in the place of another one."""
    assert state.question is not None
    assert other.decision is not None
    universe = state.question.instr.universe
    value = option.value if option.extra else exchange.member(universe, option.value)
    same = (one for one in other.decision.options if (one.value, one.extra) == (value, option.extra))
    return next(same, None)


def _offered(exchange: Exchange, state: State, other: State, story: tuple[str, ...]) -> _Difference | None:
    """An answer that is offered in one of two positions only, if there is one."""
    decision, asked = state.decision, other.decision
    assert decision is not None
    assert asked is not None
    assert state.question is not None
    universe, function = state.question.instr.universe, state.question.function
    here = {(one.extra, one.value if one.extra else exchange.member(universe, one.value)) for one in decision.options}
    there = {(one.extra, one.value) for one in asked.options}
    if here == there:
        return None
    if here - there:  # offered here, and refused there
        image, allowed, refusing = min(here - there), decision.who, (other, asked.who)
    else:
        image, allowed, refusing = min(there - here), asked.who, (state, decision.who)
    origin = image if image[0] else (False, exchange.origin(universe, image[1]))
    position, who = refusing
    number = (image if position is other else origin)[1]
    question = position.question
    assert question is not None
    extras = [extra.key for extra in question.instr.extras] if isinstance(question.instr, m.Choose) else []
    key = extras[number] if image[0] else position.engine.layout.key(universe, number)
    rule = next((one.label for one in position.why_not(key).reasons if "." in one.label), decision.name)
    there_is = f"{allowed} may answer `{decision.name}`, and {who} not with {key} in the same position"
    return _Difference(function, rule, "", there_is, story)


def _done(
    exchange: Exchange,
    state: State,
    other: State,
    function: str,
    story: tuple[str, ...],
    changed: frozenset[tuple[str, str]],
) -> _Difference | None:
    """Something that one answer does in one of two positions only, if there is anything."""
    result, ended = state.result, other.result
    engine = state.engine
    names = engine.layout.universes["Player"].keys
    seats = exchange.seats or tuple(range(len(names)))
    if result is not None and ended is not None:
        images = {names[seats[names.index(one)]] for one in result.winners if one in names}
        won = {one for one in ended.winners if one in names}
        if images == won:
            return None
        if (result.winners, result.rule) == (ended.winners, ended.rule):
            text = f"`{result.rule}` lets {_all(result.winners)} win in both positions"
            return _Difference(function, result.rule, "", text, story)
        text = (
            f"`{result.rule}` lets {_all(result.winners)} win, and `{ended.rule}` lets {_all(ended.winners)} win then"
        )
        return _Difference(function, result.rule, "", text, story)
    if result is not None or ended is not None:
        rule = result.rule if result is not None else ended.rule if ended is not None else ""
        return _Difference(
            function, rule, "", f"after the same answer `{rule}` ends the game in one of both only", story
        )
    expected = exchange.cells(state.cells)
    for declared in engine.program.fields:
        place = engine.layout.fields[declared.name]
        cells = slice(place.at, place.at + place.count * place.span)
        if expected[cells] != other.cells[cells] and not declared.is_internal:
            where = next((name for name, field in sorted(changed) if field == declared.name), function)
            text = f"after the same answer `{declared.name}` is another"
            return _Difference(where, "", declared.name, text, story)
    return None


def _all(seats: tuple[str, ...]) -> str:
    return " and ".join(seats) or "nobody"


__all__ = ["unequal_seats"]
