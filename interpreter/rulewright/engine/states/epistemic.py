"""Decide whether a player knows a value: they see it, or it is the same in every world that is indistinguishable for
them.

What lies in a zone or stands in a field is known if its declaration lets the player see it, whatever else could be
concluded. Any other value is evaluated in many worlds, each dealt by `determinization`. Every second one is also
varied where determinization changes nothing (`perturbation`): fields that the player does not see get other values of
their type, and pieces go from one zone that they cannot count to another. So a value is never taken for known because
nothing of it was dealt anew.

A world may also be ruled out by the questions that were put on the way: the path to the state is replayed
from where it began, with what the player did not know there dealt anew and the same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.piece_words import Uncounted, seen_pieces
from rulewright.engine.hidden_information.visibility import EVERYTHING, NAMED, dependence, seen, sight
from rulewright.engine.hidden_information.worlds.determinization import asked_again
from rulewright.engine.hidden_information.worlds.information_set import InformationSet
from rulewright.engine.hidden_information.worlds.perturbation import carry, permute, vary
from rulewright.engine.hidden_information.worlds.resampling import Deal, Impossible, answer_anew, deal, deal_pieces
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.query_calls import readable
from rulewright.engine.runtime.records import CHANCE, RULES, LogEntry, Mode
from rulewright.engine.states.state import State, advance
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import MANY, shared_budget
from rulewright.ir import model as m
from rulewright.ir.model import NONE, Ty
from rulewright.ir.reads import counted

WORLDS_BY_QUESTIONS = 80
"""Worlds from which the way is gone again."""

ENOUGH = 8
"""The numbers of worlds with another question, and of worlds with the same ones, that decide."""


def betrayed(state: State, player: int, value: Callable[[State], Any]) -> bool:
    """True if a player knows a value by the questions that were put: it is the same in all worlds with these questions,
    and many worlds have others."""
    origin, entries = state.mode.origin, [entry for entry in state.log if entry.who != RULES]
    if origin is None or not entries:
        return False
    begun, true = State.at_rest(state.engine, list(origin.cells), Mode(True), None), value(state)
    hidden, seen = Hidden(begun, player), state.view(player)
    if not hidden.places:
        return False
    mode = Mode(state.mode.ask_chance, state.mode.whole)
    stood = otherwise = 0
    for number in range(WORLDS_BY_QUESTIONS):
        dealt = deal(hidden, hidden.places, Dice(number, f"what player {player} was asked since"))
        try:
            world = advance(state.engine, dealt.cells, list(origin.stack), 3, origin.block, mode, None)
            again = _replayed(world, state, entries, player)
        except (RulesetError, Impossible):
            continue
        if again is None:
            otherwise += 1
        elif again.view(player) == seen:  # another pending question counts only when it was answered
            stood += 1
            if value(again) != true:
                return False
    return stood >= ENOUGH and otherwise >= ENOUGH


def _replayed(world: State, state: State, entries: list[LogEntry], player: int) -> State | None:
    """The world after the same answers; None if the player would have known of another question on the way.

    RulesetError if that cannot be decided: an answer is not possible, or chance decides something else.
    """
    seat = state.engine.layout.universes["Player"].keys[player]
    for entry in entries:
        decision = world.decision
        again = None if decision is None else (decision.who, decision.name)
        if again != (entry.who, entry.name):
            observed = entry.heard_by is None or seat in entry.heard_by
            if observed and CHANCE not in (entry.who, again and again[0]):
                return None
            raise Impossible
        world = world.choose(entry.key)
    return world


WORLDS = 1000
"""Worlds that are dealt before a value counts as known: one card among sixty is missed once in twenty million times."""

EXAMPLES = 100
"""Worlds in which another value is looked for as an example, if it is clear that the player does not see it."""

STANDING = 8
"""So many other worlds that could be, and in which the value is the same, show that it is known, although it would be
another one in worlds that could not be."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A player's knowledge of a value."""

    known: bool | None
    """The verdict; None: hardly any other world could be dealt, so it is undecided."""
    values: tuple[Any, ...]
    """The true value, readable, and another one that they think possible, if one was found."""


@shared_budget(MANY)
def knowledge(state: State, player: int, value: m.Expr, ty: Ty) -> Knowledge:
    """A player's (by number) knowledge of a closed expression of this type; the same in each process.

    RulesetError if the value itself cannot be worked out, ValueError if there is no such player.
    """
    return _Evaluated(state, player, value, ty).answer()


class _Evaluated:
    """A value that is evaluated in one world after the other."""

    def __init__(self, state: State, player: int, value: m.Expr, ty: Ty) -> None:
        self.state, self.player, self.value, self.ty = state, player, value, ty
        self.hidden = Hidden(state, player)
        self.uncounted = Uncounted(self.state, self.player)
        self.true = self._named(state)

    def answer(self) -> Knowledge:
        """The knowledge of the value."""
        sees = self._sees()
        if sees or (sees is None and not self._depends(self.value)):
            return Knowledge(True, (self.true,))
        found = Knowledge(False, self._search(EXAMPLES).values) if sees is False else self._search(WORLDS)
        if found.known is False and betrayed(self.state, self.player, self._named):
            return Knowledge(True, (self.true,))
        return found

    def _named(self, state: State) -> Any:
        """The value as the player would name it: pieces by their keys, so that alike ones do not differ."""
        found = readable(state.engine, self.ty, state.evaluate(self.value))
        return tuple(sorted(found, key=str)) if self.ty.kind == "set" and self.ty.universe == "Piece" else found

    def _depends(self, value: m.Expr) -> bool:
        """True if it reads something that the player does not see."""
        if not self.hidden.anything and not self.uncounted.zones:
            return False
        return bool(dependence(self.state.engine).reads(value) & (self.hidden.touched | self.uncounted.zones))

    # ------------------------------------------------------------------------------------------ what they see

    def _sees(self) -> bool | None:
        """True if they see it, where it is just what lies in a zone, stands in a field, or how much of that there is;
        else None.
        """
        value = self.value.operand if isinstance(self.value, m.Not) else self.value
        number = value.left if isinstance(value, m.Cmp) and value.op == "eq" and value.right == m.Const(0) else value
        inner = counted(number) if isinstance(number, m.Size | m.SetEq) else None
        if isinstance(inner, m.ZoneGet | m.ZoneList):
            return self._sees_zone(inner.zone, inner.index, "count")
        if isinstance(inner, m.FieldGet) and isinstance(value, m.Size):
            return self._sees_field(inner.field, inner.index, EVERYTHING)
        match value:
            case m.First(m.ZoneList(zone, index)):
                return self._sees_zone(zone, index, "first")
            case m.Single(m.ZoneGet(zone, index)) if self._one_at_most(zone):
                return self._sees_zone(zone, index, "all")
            case m.ZoneGet(zone, index) | m.ZoneList(zone, index) | m.ToList(m.ZoneGet(zone, index)):
                return self._sees_zone(zone, index, "all")
            case m.FieldGet(name, index):
                return self._sees_field(name, index, frozenset(("face",)))
            case _:
                return None

    def _one_at_most(self, zone: str) -> bool:
        return any(z.name == zone and z.limited and z.capacity == 1 for z in self.state.engine.program.zones)

    def _keys(self, index: tuple[m.Expr, ...]) -> tuple[int, ...] | None:
        """The keys of a zone or field, if they know which one is mentioned."""
        if any(self._depends(key) for key in index):
            return None
        keys = tuple(int(self.state.evaluate(key)) for key in index)
        return None if NONE in keys else keys

    def _sees_zone(self, zone: str, index: tuple[m.Expr, ...], what: str) -> bool | None:
        layout, keys = self.state.engine.layout, self._keys(index)
        if keys is None:
            return None
        declared = next(z for z in self.state.engine.program.zones if z.name == zone)
        number = layout.instance_number(zone, keys)
        facets = seen(self.state, declared, self.player).rows[number - layout.zones[zone].first]
        visible = sight(self.state, layout.instances[number], facets, self.player)
        again = {"count": (), "first": visible.pieces[:1], "all": visible.pieces}[what]
        if again and not visible.seen and all(piece in visible.known for piece in again):
            return None  # they remember these, and cannot count whether others have come since
        return visible.face or (visible.seen and all(piece in visible.known for piece in again))

    def _sees_field(self, name: str, index: tuple[m.Expr, ...], facets: frozenset[str]) -> bool | None:
        layout, keys = self.state.engine.layout, self._keys(index)
        if keys is None:
            return None
        place = layout.fields[name]
        number = sum(k * stride for k, stride in zip(keys, place.strides, strict=True)) // place.span
        declared = layout.field_of[name]
        row = seen(self.state, declared, self.player).rows[number]
        pieces = sum(1 << k for k, universe in zip(keys, declared.index, strict=True) if universe == "Piece")
        if facets != EVERYTHING:
            pieces |= self.hidden.mentioned(declared, [number])
        if row & facets and NAMED not in row and pieces & ~self._seen_pieces:
            return None  # they see that something is marked, not which piece it is
        return bool(row & facets)

    @cached_property
    def _seen_pieces(self) -> int:
        return sum(1 << piece for piece in seen_pieces(self.state, self.player))

    # ------------------------------------------------------------------------------------- what could be

    def _search(self, worlds: int) -> Knowledge:
        """The first world in which the value is another one.

        If there is none, that is because it is known, or because too few worlds could be: the latter if the value was
        another one in worlds that could not be, and nearly no others stand against them.
        """
        state, hidden = self.state, self.hidden
        reads = dependence(state.engine).reads(self.value)
        read = [declared for declared in hidden.fields if f"field {declared.name}" in reads]
        unread = [declared for declared in hidden.fields if f"field {declared.name}" not in reads]
        possible, stands, refused = InformationSet(state, self.player, None), 0, False
        others = state.seat not in (None, self.player)
        kept = hidden.without_those_seen_by(state.seat) if others and state.seat is not None else hidden.places
        for number in range(worlds):
            dice = Dice(number, f"whether player {self.player} knows it")
            # The sight of the player to decide may be what makes the question possible: sometimes that stays.
            dealt = deal_pieces(hidden, kept if number % 4 > 1 else hidden.places, dice)
            permute(hidden, hidden.fields, dealt.cells, dice)
            if number % 2:
                carry(hidden, self.uncounted, dealt.cells, dice)
                vary(hidden, read, dealt.cells, dice)
            try:
                value = self._named(State.at_rest(state.engine, dealt.cells, state.mode, None))
            except RulesetError:
                refused = True
                continue
            if value == self.true and stands >= STANDING:
                continue
            if number % 2:
                vary(hidden, unread, dealt.cells, dice)
            if value == self.true and self._same(dealt.cells):
                continue
            fits = self._could_be(possible, dealt, dice)
            if fits and value != self.true:
                return Knowledge(False, (self.true, value))
            stands += fits
            refused |= value != self.true
        return Knowledge(None if refused and stands < STANDING else True, (self.true,))

    def _same(self, cells: list[int]) -> bool:
        """True if nothing but chance differs."""
        layout, before = self.hidden.layout, list(self.state.cells)
        for at in (layout.seed, *layout.counters.values()):
            before[at] = cells[at]
        return cells == before

    def _could_be(self, possible: InformationSet, dealt: Deal, dice: Dice) -> bool:
        """True if they could be in this world."""
        try:
            if self.state.question is not None:
                answer_anew(self.hidden, dealt.cells, dealt.stack, dice)
            return possible.contains(asked_again(self.state, dealt.cells, dealt.stack))
        except (RulesetError, Impossible):
            return False
