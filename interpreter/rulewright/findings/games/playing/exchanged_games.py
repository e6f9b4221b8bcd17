"""Games in which each position is exchanged, and the same decision prepared again there: the first difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.engine.cells.layout import Layout
from rulewright.engine.random_numbers import RandomAnswers
from rulewright.findings.games.playing.exchange import Exchange
from rulewright.findings.games.playing.playing_budget import PlayingBudget
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.play.game import Game

DECISIONS = 120
"""Decisions of a game in which positions are exchanged."""
STEPS = 5_000
"""Steps of a game, with those of shuffles, in which nothing is exchanged."""
LAST = 6
"""The number of answers that are listed."""
Places = Mapping[str, str]
"""For fields and zones the function that changes them in a way that is new."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a position and the exchanged one, with the function or rule in which it is seen."""

    function: str
    text: str
    story: tuple[str, ...]
    rule: str = ""
    name: str = ""
    """The field or zone that is another one; of a zone out of which pieces go, where they go to;"""
    is_zone: bool = False


def compared(
    game: Game, exchange: Exchange, seed: int, new: Places, budget: PlayingBudget
) -> tuple[Difference | None, int]:
    """The first difference in a game at random, and the number of its positions in which something is exchanged."""
    pick, story, seen, moved = RandomAnswers(seed), list[str](), 0, 0
    state = game.start(seed, ask_chance=True)
    for _ in range(STEPS):
        decision = state.decision
        if decision is None or seen == DECISIONS or budget.over:
            break
        option = decision.options[pick(len(decision.options))]
        if _is_shuffled(state):
            state = state.choose(option)
            continue
        seen += 1
        last = tuple(story[-LAST:])
        origin = state.question.function if state.question is not None else ""
        try:
            other = exchange.position(state)
        except RulesetError as error:
            text = f"`{decision.name}` stops the rules then: {error.diagnostics[0].message}"
            return Difference(origin, text, last, decision.name), moved + 1
        if other is None or other.decision is None or other.question is None:
            break
        moved += state.cells != other.cells or state.stack != other.stack
        found = _offered(exchange, state, other, last)
        if found is not None:
            return found, moved
        story.append(f"{decision.who} answers {decision.name} with {option.key}")
        image = exchange.option(state, other, option)
        if image is None:
            break
        elsewhere = exchange.goes_on_elsewhere(state.stack)
        state, other = state.choose(option), other.choose(image)
        found = None if elsewhere else _ended(exchange, state, other, origin, story)
        found = found or _changed(exchange, state, other, origin, story, new)
        if found is not None:
            return found, moved
    return None, moved


def _is_shuffled(state: State) -> bool:
    """True if the decision is the next step of a shuffle by chance."""
    question = state.question
    if question is None or not isinstance(question.instr, m.Chance):
        return False
    code = next(f.code for f in state.engine.program.functions if f.name == question.function)
    return question.pc + 1 < len(code) and isinstance(code[question.pc + 1], m.SwapItems)


def _offered(exchange: Exchange, state: State, other: State, story: tuple[str, ...]) -> Difference | None:
    """An answer that is offered in one of two positions only, if there is one."""
    decision, answered = state.decision, other.decision
    assert decision is not None
    assert answered is not None
    assert state.question is not None
    universe, function = state.question.instr.universe, state.question.function
    here = {(True, one.value) for one in decision.options if one.extra}
    here |= {(False, exchange.member(universe, one)) for one in _members(state)}
    there = {(True, one.value) for one in answered.options if one.extra} | {(False, one) for one in _members(other)}
    if here == there or (universe == "Piece" and _words(other, here) == _words(other, there)):
        return None
    if here - there:  # offered here, and refused there
        image, allowed, refusing = min(here - there), decision.who, (other, answered.who)
    else:
        image, allowed, refusing = min(there - here), answered.who, (state, decision.who)
    origin = image if image[0] else (False, exchange.origin(universe, image[1]))
    position, who = refusing
    number = (image if position is other else origin)[1]
    question = position.question
    assert question is not None
    extras = [extra.key for extra in question.instr.extras] if isinstance(question.instr, m.Choose) else []
    key = extras[number] if image[0] else position.engine.layout.key(universe, number)
    rule = next((one.label for one in position.why_not(key).reasons if "." in one.label), decision.name)
    same = "the same one may" if allowed == who else f"{who} may"
    there_is = f"{allowed} may answer `{decision.name}`, and {same} not with {key} in the same position"
    return Difference(function, there_is, story, rule)


def _members(state: State) -> list[int]:
    return bits_of(state.legal) if isinstance(state.legal, int) else [one for one in state.legal if one != m.NONE]


def _words(state: State, offered: set[tuple[bool, int]]) -> Counter[object]:
    """The answers, pieces by their distinguishing attributes instead of by their numbers."""
    pieces = sorted(number for extra, number in offered if not extra)
    interchange = state.engine.interchange
    colours = interchange.colours(state.cells, state.stack, pieces) if pieces else []
    words = Counter[object]((interchange.kind[one], colour) for one, colour in zip(pieces, colours, strict=True))
    return words + Counter[object](one for one in offered if one[0])


def _ended(exchange: Exchange, state: State, other: State, function: str, story: list[str]) -> Difference | None:
    """An end that comes in one of two positions only, or with another result, if there is one.

    Not compared where the next turn may be another one's: what is done in the beginning of it may end the game.
    """
    result, ended, last = state.result, other.result, tuple(story[-LAST:])
    if result is None and ended is None:
        return None
    if result is None or ended is None:
        rule = result.rule if result is not None else ended.rule if ended is not None else ""
        return Difference(function, f"after the same answer `{rule}` ends the game in one of both only", last, rule)
    names = state.engine.layout.universes["Player"].keys
    images = {names[exchange.seats[names.index(one)]] for one in result.winners if one in names}
    if images == {one for one in ended.winners if one in names}:
        return None
    if (result.winners, result.rule) == (ended.winners, ended.rule):
        text = f"`{result.rule}` lets {_all(result.winners)} win in both positions"
    else:
        then = f"`{ended.rule}` lets {_all(ended.winners)} win then"
        text = f"`{result.rule}` lets {_all(result.winners)} win, and {then}"
    return Difference(function, text, last, result.rule)


def _changed(
    exchange: Exchange, state: State, other: State, function: str, story: list[str], new: Places
) -> Difference | None:
    """A field or zone that one answer changes in another way in one of two positions, if there is one."""
    if state.result is not None or _is_shuffled(state) or not _goes_on_alike(exchange, state, other):
        return None  # what is shuffled lies in an order that means nothing
    expected: Sequence[int] = exchange.cells(state.cells)
    found: Sequence[int] = other.cells
    layout = state.engine.layout
    if expected == found or _are_laid_in_order(layout, expected, found):
        return None
    if layout.pieces:
        stack = exchange.stack(state.stack)
        expected, found = exchange.normal(expected, stack), exchange.normal(found, other.stack)
    names = [name for name, cells in _named(layout) if expected[cells] != found[cells]]
    if not names:
        return None
    name = next((one for one in names if one in new), names[0])
    is_zone = name in layout.zones
    to = next((one for one in new if one in layout.zones), name) if is_zone and name not in new else name
    text = f"after the same answer `{name}` is another"
    return Difference(new.get(to, function), text, tuple(story[-LAST:]), "", to, is_zone)


def _goes_on_alike(exchange: Exchange, state: State, other: State) -> bool:
    """True if the next decision is the same, of the one who has the place of the player to act.

    It is not at the end of a round in the order of seats: there another one begins the next turn, and what is done in
    the beginning of a turn is done to another one.
    """
    one, two = state.decision, other.decision
    if one is None or two is None:
        return one is two
    return one.name == two.name and (one.seat is None or two.seat is None or exchange.seats[one.seat] == two.seat)


def _are_laid_in_order(layout: Layout, expected: Sequence[int], found: Sequence[int]) -> bool:
    """True if a pile has the same pieces in another order: a set that is laid on a pile lies there by its numbers, and
    the rules give no other order."""
    for instance in layout.instances if layout.ordered else ():
        if instance.ordered:
            part = slice(instance.at, instance.at + 1 + instance.capacity)
            one, two = expected[part], found[part]
            if one != two and one[0] == two[0] and sorted(one) == sorted(two):
                return True
    return False


def _named(layout: Layout) -> Iterator[tuple[str, slice]]:
    """The cells of the fields that have a name in the rules, and of the zones; fields of the rules first."""
    for declared in layout.program.fields:
        place = layout.fields[declared.name]
        if not declared.is_internal:
            yield declared.name, slice(place.at, place.at + place.count * place.span)
    for name, zone in layout.zones.items():
        yield name, slice(zone.at, zone.at + zone.count * zone.span)


def _all(seats: tuple[str, ...]) -> str:
    return " and ".join(seats) or "nobody"
