"""Values that a player does not know, given anew: fields that they do not see, and locals of rules that are going on.

None of them may follow from what really stands there, or the world would reveal it. What all can work out from the
rules is no secret: that only changes places among the keys of a field. Everything else is drawn from the values that
the rules may have given it by now (:mod:`rulewright.knowledge.secrets.hidden_values`), and a local that was worked
out is worked out again in the position that was dealt. Each value is drawn by itself: what they have to do with each
other is not known here (see `replay_sampling`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from rulewright.engine.hidden_information.answers.audience import has_secrets, observers_of_chosen_piece
from rulewright.engine.hidden_information.answers.changes_since import evaluate_in_frame
from rulewright.engine.hidden_information.hidden_state import Hidden, decider_then, pieces_in
from rulewright.engine.hidden_information.observations.known_slots import KnownSlots, values_of
from rulewright.engine.hidden_information.visibility import contents
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.canonical_form import Frame, frames
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.position import Position
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.reachability import reachable
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot, successors
from rulewright.ir.control_flow.questions import turns
from rulewright.ir.model import NONE, Ty
from rulewright.ir.walk import allowed, nodes
from rulewright.knowledge.secrets.hidden_values import CALLER, HiddenValues
from rulewright.knowledge.secrets.possible_values import Values

WIDE = 1000
"""Numbers of a type are equally likely as long as there are no more of them."""
NEAR = 10
"""Of more only so many, from the least or from 0 on: any of them is as wrong as another."""


class Draw:
    """Draws values in a position in which the pieces were dealt.

    Pieces are drawn and numbered through in the order of where they lie and what they are: which of several alike
    pieces is which must decide nothing.
    """

    def __init__(self, hidden: Hidden, cells: list[int], dice: Dice) -> None:
        self.hidden, self.layout, self.cells, self.dice = hidden, hidden.layout, cells, dice

    def value(self, ty: Ty, values: Values) -> int:
        """A number, truth, member or none."""
        return self.one_of(self.choices(ty, values))

    def choices(self, ty: Ty, values: Values) -> Sequence[int]:
        """All of these: members, and none where it may be."""
        members = self.members(ty, values)
        return [*members, NONE] if ty.optional and (values is None or NONE in values) else members

    def one_of(self, choices: Sequence[int]) -> int:
        """One of some values; none if there are none."""
        return choices[self.dice.below(len(choices))] if choices else NONE

    def subset(self, ty: Ty, values: Values, size: int | None = None) -> int:
        """A set of members, of this size if one is given."""
        members = self.members(ty, values)
        return sum(1 << n for n in self.dice.shuffled(members)[: self._below(members) if size is None else size])

    def items(self, ty: Ty, values: Values, length: int | None = None) -> list[int]:
        """The cells of a list, of this length if one is given."""
        members = self.members(ty, values)
        length = self.dice.below(ty.capacity + 1) if length is None else length
        items = [members[self.dice.below(len(members))] for _ in range(length)] if members else []
        return [len(items), *items, *[0] * (ty.capacity - len(items))]

    def piece_beside(self, piece: int) -> int:
        """A piece of the same zone; in which zone it lies is taken for known."""
        zone = self.cells[self.layout.loc + piece]
        there = [other for other in self._pieces if self.cells[self.layout.loc + other] == zone]
        return there[self.dice.below(len(there))]

    def rows(self, declared: m.Field) -> Sequence[int]:
        """The numbers of the values of a field, in an order that does not show which of alike pieces is which."""
        count = range(self.layout.fields[declared.name].count)
        if "Piece" not in declared.index:
            return count
        if declared.index == ("Piece",):
            return self._pieces
        rank = {piece: number for number, piece in enumerate(self._pieces)}
        keys = [self.layout.keys_of(number, declared.index) for number in count]
        named = [
            [rank[key] if universe == "Piece" else key for universe, key in zip(declared.index, row, strict=True)]
            for row in keys
        ]
        return sorted(count, key=named.__getitem__)

    def members(self, ty: Ty, values: Values) -> Sequence[int]:
        """The values among some that a type has, in order; of regions only those that exist."""
        layout = self.layout
        everything: Sequence[int]
        if ty.universe in layout.merged:
            everything = list(bits_of(self.hidden.state.cells[layout.merged[ty.universe].alive]))
        elif ty.universe == "Piece":
            return [piece for piece in self._pieces if values is None or piece in values]
        elif ty.kind == "bool" or ty.universe == "Bool":
            everything = range(2)
        elif ty.kind == "set" and ty.universe == "Int":
            everything = range(max(ty.low, 0), layout.set_bits(ty))
        elif ty.universe in ("", "Int"):
            everything = range(ty.low, ty.high + 1)
        else:
            everything = range(layout.sizes[ty.universe])
        if values is not None and (known := [value for value in sorted(values) if value in everything]):
            return known
        if len(everything) <= WIDE:
            return everything
        least = max(ty.low, 0) if ty.high >= 0 else ty.high - NEAR
        return range(least, min(least + NEAR, ty.high) + 1)

    def _below(self, members: Sequence[int]) -> int:
        return self.dice.below(len(members) + 1)

    @cached_property
    def stand_ins(self) -> frozenset[int]:
        """The pieces that stand for something else."""
        begins = self.hidden.engine.program.begins
        return frozenset(piece for piece, (zone, _) in enumerate(begins) if zone == m.STAND_INS)

    @cached_property
    def _pieces(self) -> list[int]:
        """All pieces: zone by zone, in a stack or row by place, else by what they are."""
        kinds, found = self.hidden.engine.interchange.kind, list[int]()
        for instance in self.layout.instances:
            if not self.cells[instance.at]:
                continue  # empty: no piece, or a length of 0
            there = contents(self.cells, instance)
            found += there if instance.ordered else sorted(there, key=lambda piece: (kinds[piece], piece))
        return found


_BY_WHAT_THEY_ARE = (m.Filter, m.Leading, m.Best, m.Sort, m.Fold, m.CallQuery)
MANY_PLACES = 1000
"""So many places in the rules are kept with what was done before them."""


def public_and_secret(hidden: Hidden) -> tuple[list[m.Field], list[m.Field]]:
    """The fields that the player does not see: those whose values follow from the rules, and the others."""
    fields = [f for f in hidden.fields if not f.is_internal]
    public = {f.name for f in fields if values_of(hidden.engine).public(f.name)} if fields else set()
    return [f for f in fields if f.name in public], [f for f in fields if f.name not in public]


def secret_slots(hidden: Hidden) -> list[tuple[Frame, int]]:
    """The locals that the rules may still ask and that not all know, but for pieces, which follow the pieces."""
    if not has_secrets(hidden.engine):
        return []
    found = hidden.engine.cache("secret slots")
    slots: list[tuple[Frame, int]] = []
    for frame in frames(hidden.engine, hidden.state.stack):
        place = frame.function, frame.pc
        if place not in found:
            found[place] = _secret_slots(hidden.engine, *place)
        slots += [(frame, slot) for slot in found[place]]
    if not slots:
        return []
    known = KnownSlots(hidden.state, hidden.player)
    return [(frame, slot) for frame, slot in slots if not known.knows(known.frames.index(frame), slot)]


def _secret_slots(engine: Engine, number: int, pc: int) -> tuple[int, ...]:
    """The secret slots of a frame that rests at an instruction, each after those it is computed from."""
    function, values = engine.program.functions[number], values_of(engine)
    whose_turn = {s for code in turns(function) if code.begin <= pc < code.end for s in (code.turn.at, code.turn.one)}
    waiting = [s for s in sorted(engine.interchange.live(number, pc) - whose_turn) if values.secret(function.name, s)]
    found: dict[int, frozenset[int]] = {}
    while waiting:
        slot = waiting.pop()
        if slot in found or function.slots[slot].ty.kind == "list":
            continue
        by = values.reaching(function.name, pc, slot)
        if not by:
            continue  # it may be read, but under a condition without which nothing was stored there
        found[slot] = by
        if len(by) == 1:
            waiting += values.secrets_behind(function.name, *by)
    worked_out = {
        slot
        for slot, by in found.items()
        if len(by) == 1 and (_works_out(function, *by) or _only_looked_at(function, next(iter(by)), pc, slot))
    }
    kept = {slot for slot in found if function.slots[slot].ty.universe == "Piece" and slot not in worked_out}
    if isinstance(function.code[pc], m.Chance):  # there is no look-ahead here, and the draws have to go on
        kept |= {slot for slot, by in found.items() if len(by) > 1 and values.counts(function.name, slot)}
    return tuple(sorted(found.keys() - kept, key=lambda slot: (len(found[slot]) == 1, sorted(found[slot]), slot)))


def _works_out(function: m.Function, by: int) -> bool:
    """True if an instruction finds pieces by something else than where they lie."""
    i = function.code[by] if by != CALLER else None
    return isinstance(i, m.SetLocal) and any(isinstance(e, _BY_WHAT_THEY_ARE) for e in nodes(i.value))


def _only_looked_at(function: m.Function, by: int, pc: int, slot: int) -> bool:
    """True if a slot holds a piece that was chosen, and with which nothing has been done on the way to an instruction:
    any of those that it was chosen from may be the one, wherever they have gone since. One that was moved stays the
    piece that was moved."""
    code = function.code
    if not _asks(function, by):
        return False
    ways = reachable((by + 1,), lambda at: successors(code[at], at) if at != pc and 0 <= at < len(code) else ())
    done = [code[at] for at in ways if 0 <= at < len(code)]
    used = (i for i in done if not isinstance(i, m.Choose | m.Chance | m.JumpUnless))
    return not any(reads_slot(i, frozenset((slot,))) for i in used)


# ----------------------------------------------------------------------------------------------------- fields


def redraw_fields(hidden: Hidden, secret: Sequence[m.Field], cells: list[int], dice: Dice) -> None:
    """Draw the values of fields that the player does not know."""
    if not secret:
        return
    values, done, draw = values_of(hidden.engine), _done(hidden.state), Draw(hidden, cells, dice)
    for declared in secret:
        place = hidden.layout.fields[declared.name]
        is_public = values.changes_known(declared.name, done)
        parts = [None] if hidden.state.mode.origin is not None else values.values(declared.name, done)
        if len(parts) == 1 and parts != [None]:
            continue  # no rule has changed it
        facets, drawn = hidden.field_facets[declared.name], _Redrawn(draw, declared.ty, parts, is_public)
        for number in draw.rows(declared):
            if "face" not in facets[number] and _there(hidden, declared, number):
                drawn.at(place.at + number * place.span, bool(facets[number]))


def forget_payments(hidden: Hidden, cells: list[int]) -> None:
    """Let what was paid so far begin from nothing, unless all can work it out: it is the sum of what secrets were worth
    at the time. A number at random would only blur what is still to be won."""
    place = hidden.layout.fields.get(m.PAID)
    if place is not None and not values_of(hidden.engine).public(m.PAID):
        cells[place.at : place.at + place.span * place.count] = [0] * (place.span * place.count)


def _there(hidden: Hidden, declared: m.Field, number: int) -> bool:
    """True if the keys of a value are there: regions that became part of another are not."""
    merged, cells = hidden.layout.merged, hidden.state.cells
    if not merged:
        return True
    keys = hidden.layout.keys_of(number, declared.index)
    return all(u not in merged or cells[merged[u].alive] >> k & 1 for u, k in zip(declared.index, keys, strict=True))


class _Redrawn:
    """The values of one field, which are drawn one by one."""

    def __init__(self, draw: Draw, ty: Ty, parts: Sequence[Values], is_public: bool) -> None:
        self._draw, self._ty, self._parts, self._public = draw, ty, parts, is_public
        self._all = _union(parts)
        stand_ins = draw.stand_ins if ty.universe == "Piece" else frozenset()
        self._mixed = not stand_ins.isdisjoint(stand_ins if self._all is None else self._all)
        """True if it may be a piece or something else: which of them is not known either."""
        self._choices: dict[int, Sequence[int]] = {}
        """The values that may stand where one stands; where all may, they are kept for none."""

    def at(self, at: int, counted: bool) -> None:
        """Draw the value in a cell; of a set or list whose size is seen one of the same size."""
        draw, ty, cells = self._draw, self._ty, self._draw.cells
        if ty.kind == "list":
            cells[at : at + 1 + ty.capacity] = draw.items(ty, self._all, cells[at] if counted or self._public else None)
        elif ty.kind == "set":
            cells[at] = draw.subset(ty, self._all, cells[at].bit_count() if counted else None)
        elif ty.universe == "Piece" and cells[at] != NONE and not self._mixed:
            cells[at] = draw.piece_beside(cells[at])
        else:
            cells[at] = draw.one_of(self._instead_of(cells[at]))

    def _instead_of(self, now: int) -> Sequence[int]:
        key = now if self._public else NONE
        if key not in self._choices:
            self._choices[key] = self._draw.choices(self._ty, _meeting(self._parts, now) if self._public else self._all)
        return self._choices[key]


def _union(parts: Sequence[Values]) -> Values:
    known = [part for part in parts if part is not None]
    return frozenset().union(*known) if len(known) == len(parts) else None


def _meeting(parts: Sequence[Values], now: int) -> Values:
    """The values that may stand where one stands, if all know which rule has put it there, but not what.

    Rules that may give the same are not distinguished by what they gave, else this would reveal it.
    """
    found, left = frozenset((now,)), list(parts)
    while True:
        near = [part for part in left if part is None or part & found]
        if not near:
            return found if len(left) < len(parts) else None
        if None in near:
            return None
        left = [part for part in left if part not in near]
        found = found.union(*(part for part in near if part is not None))


def _done(state: Position) -> Callable[[str, int], bool]:
    """The instructions that may have been carried out by now."""
    engine, values = state.engine, values_of(state.engine)
    known = engine.cache("done")
    place = tuple((frame.function, frame.pc) for frame in frames(engine, state.stack))
    if place not in known:
        if len(known) > MANY_PLACES:
            known.clear()
        known[place] = _all_done(engine, values, place)
    here, below = known[place]
    return lambda function, pc: not place or function in below or pc in here.get(function, ())


def _all_done(
    engine: Engine, values: HiddenValues, place: Sequence[tuple[int, int]]
) -> tuple[dict[str, set[int]], frozenset[str]]:
    here: dict[str, set[int]] = {}
    below: frozenset[str] = frozenset()
    for number, pc in place:
        name = engine.program.functions[number].name
        reached = values.reached(name, pc)
        here.setdefault(name, set()).update(reached)
        below |= values.below(name, reached)
    return here, below


# ----------------------------------------------------------------------------------------------------- locals


def rework_locals(hidden: Hidden, cells: list[int], stack: list[int], dice: Dice, drawn: bool = True) -> None:
    """Work out anew what the rules remember of what is hidden, or draw it if that is wanted: the outer frames first."""
    slots = secret_slots(hidden)
    held = list(frames(hidden.engine, stack)) if slots else []
    for frame, slot in slots:
        _rework(hidden, held, frame, slot, cells, stack, dice, drawn)


def _rework(
    hidden: Hidden,
    held: Sequence[Frame],
    frame: Frame,
    slot: int,
    cells: list[int],
    stack: list[int],
    dice: Dice,
    drawn: bool,
) -> None:
    engine, values = hidden.engine, values_of(hidden.engine)
    function = engine.program.functions[frame.function]
    at, ty = frame.base + engine.compiled.offsets[frame.function][slot], function.slots[slot].ty
    by = values.reaching(function.name, frame.pc, slot)
    asked_for = ty.universe == "Piece" and all(_asks(function, pc) for pc in by)
    if asked_for and not drawn:
        return
    if ty.universe == "Piece" and not asked_for and not _in_an_order(hidden, pieces_in(ty, stack, at)):
        return  # it is one of several that are alike for the player
    for value in _worked_out(hidden, held, frame, slot, by, cells, stack, dice) if len(by) == 1 else ():
        stack[at] = value
        return
    if not drawn:
        return
    found = values.possible.slot(function.name, slot)
    draw = Draw(hidden, cells, dice)
    stack[at] = draw.subset(ty, found) if ty.kind == "set" else draw.value(ty, found)


def _asks(function: m.Function, pc: int) -> bool:
    return pc != CALLER and isinstance(function.code[pc], m.Choose | m.Chance)


def _in_an_order(hidden: Hidden, pieces: int) -> bool:
    """True if some pieces lie where each place is another one."""
    layout, cells = hidden.layout, hidden.state.cells
    return any(layout.instances[cells[layout.loc + piece]].ordered for piece in bits_of(pieces))


def _worked_out(
    hidden: Hidden,
    held: Sequence[Frame],
    frame: Frame,
    slot: int,
    by: frozenset[int],
    cells: list[int],
    stack: list[int],
    dice: Dice,
) -> Iterator[int]:
    """The value, if the one instruction that has given it determines it."""
    engine, (pc,) = hidden.engine, by
    number = held.index(frame)
    value: Any = None
    if pc == CALLER:
        if number:
            caller = held[number - 1]
            call = engine.program.functions[caller.function].code[caller.pc]
            if isinstance(call, m.Call) and slot < len(call.args):
                value = evaluate_in_frame(engine, cells, stack, caller, call.args[slot])
    else:
        i = engine.program.functions[frame.function].code[pc]
        if isinstance(i, m.SetLocal):
            if values_of(engine).still_there(hidden.engine.program.functions[frame.function].name, pc, frame.pc):
                value = evaluate_in_frame(engine, cells, stack, frame, i.value)
        elif isinstance(i, m.Choose | m.Chance) and i.source is not None:
            if isinstance(i, m.Choose) and decider_then(hidden.state, frame, pc) == hidden.player:
                value = stack[frame.base + engine.compiled.offsets[frame.function][slot]]
            else:
                value = _answered(hidden, held[: number + 1], pc, cells, stack, dice)
    if value is not None:
        yield value


def _answered(
    hidden: Hidden, held: Sequence[Frame], pc: int, cells: list[int], stack: list[int], dice: Dice
) -> int | None:
    """An answer of a question, as it would be put now, which the player would not have observed."""
    engine, frame = hidden.engine, held[-1]
    i = engine.program.functions[frame.function].code[pc]
    assert isinstance(i, m.Choose | m.Chance)
    found = evaluate_in_frame(engine, cells, stack, frame, _choice(engine, frame.function, pc, i))
    if found is None or found <= 0:
        return None
    if i.universe != "Piece":
        members = bits_of(found)
        return members[dice.below(len(members))]
    who = decider_then(hidden.state, frame, pc) if isinstance(i, m.Choose) else None
    for piece in dice.shuffled(Draw(hidden, cells, dice).members(Ty("entity", "Piece"), frozenset(bits_of(found)))):
        if not observers_of_chosen_piece(engine, cells, stack, held, pc, who, piece) >> hidden.player & 1:
            return piece
    return None


def _choice(engine: Engine, function: int, pc: int, i: m.Choose | m.Chance) -> m.Expr:
    """The set of the members that a question offers."""
    known: dict[tuple[int, int], m.Expr] = engine.cache("choices")
    if (function, pc) not in known:
        source = i.source
        assert source is not None
        if isinstance(i, m.Choose):
            wheres = (*(() if i.where is None else (i.where,)), *allowed(i.restrictions))
            source = m.Filter(source, i.var, m.And(wheres), i.is_list) if wheres else source
        known[function, pc] = m.ToSet(source) if i.is_list else source
    return known[function, pc]
