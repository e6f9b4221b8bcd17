"""Dealing anew what a player cannot know: pieces, values, and answers given in secret.

Everything here writes into cells and a stack of its own and is given its dice, so the same seed gives the same world
everywhere. `determinization` uses it and throws impossible worlds away; a policy
(:mod:`rulewright.engine.policies.policy`) takes the first.
"""

from __future__ import annotations

from rulewright.engine.cells.interchange import rename_value
from rulewright.engine.cells.layout import Instance
from rulewright.engine.cells.player_memory import Partition, renamed
from rulewright.engine.evaluator.registers import ASK, DECIDED
from rulewright.engine.hidden_information.hidden_places import Arrangements, Places
from rulewright.engine.hidden_information.hidden_state import Hidden, pieces_in
from rulewright.engine.hidden_information.worlds.perturbation import permute, scatter, scattered_cells
from rulewright.engine.hidden_information.worlds.redrawing import (
    forget_payments,
    public_and_secret,
    redraw_fields,
    rework_locals,
    secret_slots,
)
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.canonical_form import frames
from rulewright.engine.runtime.simultaneous_node import SimultaneousNode
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m


class Impossible(Exception):
    """In this world an answer that was given in secret could not have been given."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A position in which the player could be as well."""

    cells: list[int]
    stack: list[int]
    instead: dict[int, int]
    """For each hidden piece the one that lies there instead."""


def dealt_cells(hidden: Hidden, places: Places) -> set[int]:
    """The numbers of all cells that :func:`deal` may change."""
    layout = hidden.layout
    found = {layout.seed, *layout.counters.values(), layout.down, *range(layout.memory.start or 0, layout.memory.stop)}
    for pieces in places.mixed:
        zones = {hidden.state.cells[layout.loc + piece] for piece in pieces}
        if len(zones) > 1:
            found.update(layout.loc + piece for piece in pieces)
        for instance in (layout.instances[zone] for zone in zones):
            if instance.ordered:
                found.update(range(instance.at, instance.at + 1 + instance.capacity))
            elif len(zones) > 1:
                found.add(instance.at)
    for declared in (*hidden.fields, *hidden.markers):
        place = layout.fields[declared.name]
        found.update(range(place.at, place.at + place.span * place.count))
    return found | scattered_cells(hidden)


def dealt_slots(hidden: Hidden, places: Places) -> set[int]:
    """The numbers of all slots of the stack that :func:`deal` and :func:`answer_anew` may change."""
    state, engine = hidden.state, hidden.state.engine
    mixed = sum(1 << piece for pieces in places.mixed for piece in pieces)
    if state.simultaneous_node is not None:
        return set(range(len(state.stack)))
    found: set[int] = set()
    for frame in frames(engine, state.stack) if mixed else ():
        offsets = [frame.base + offset for offset in engine.compiled.offsets[frame.function]]
        for slot, start, end in zip(engine.program.functions[frame.function].slots, offsets, offsets[1:], strict=False):
            if slot.ty.universe == "Piece" and pieces_in(slot.ty, state.stack, start) & mixed:
                found.update(range(start, end))
    for frame, number in secret_slots(hidden):
        within = engine.compiled.offsets[frame.function]
        found.update(range(frame.base + within[number], frame.base + within[number + 1]))
    return found


def deal(hidden: Hidden, places: Arrangements, dice: Dice, drawn: bool = True) -> Deal:
    """Deal the pieces anew that lie in some places, the values of fields and locals, and the chance of what is to
    come. If no values are to be `drawn`, those are only exchanged or worked out: drawn one by one they need not fit
    together."""
    dealt = deal_pieces(hidden, places, dice)
    public, secret = public_and_secret(hidden)
    permute(hidden, public if drawn else [*public, *secret], dealt.cells, dice)
    if drawn:
        redraw_fields(hidden, secret, dealt.cells, dice)
    forget_payments(hidden, dealt.cells)
    rework_locals(hidden, dealt.cells, dealt.stack, dice, drawn)
    return dealt


def deal_pieces(hidden: Hidden, places: Arrangements, dice: Dice) -> Deal:
    """Deal only the pieces anew, and chance."""
    cells, stack = list(hidden.state.cells), list(hidden.state.stack)
    chance_anew(hidden, cells, dice)
    instead = places.exchanged(dice)
    lay(hidden, instead, cells, stack)
    scatter(hidden, cells, dice)
    return Deal(cells, stack, instead)


def chance_anew(hidden: Hidden, cells: list[int], dice: Dice) -> None:
    """Chance that is to come is unknown, and so is the number of chance events."""
    layout = hidden.layout
    cells[layout.seed] = dice.below(1 << 64)
    for counter in layout.counters.values():
        cells[counter] = 0


# ------------------------------------------------------------------------------------------------------ pieces


def lay(hidden: Hidden, instead: dict[int, int], cells: list[int], stack: list[int]) -> None:
    """Exchange pieces wherever they are mentioned that the player does not see: zones, fields, locals."""
    for there in hidden.covered:
        _lay_zone(hidden, there.instance, there.pieces, instead, cells)
    _lay_memory(hidden, instead, cells)
    for declared in (*hidden.fields, *hidden.markers):
        if "Piece" in declared.index or declared.ty.universe == "Piece":
            _lay_field(hidden, declared, instead, cells)
    _lay_locals(hidden, instead, stack)


def _lay_zone(
    hidden: Hidden, instance: Instance, old: tuple[int, ...], instead: dict[int, int], cells: list[int]
) -> None:
    """Deal the pieces of a zone, each turned as the one in whose place it lies."""
    layout, C = hidden.layout, hidden.state.cells
    new = tuple([instead.get(piece, piece) for piece in old])
    if new == old:
        return
    number = C[layout.loc + old[0]]
    lay, lain = set(new), set(old)
    for piece in lay - lain:
        cells[layout.loc + piece] = number
    if layout.down >= 0 and (down := C[layout.down]):
        turned = sum([1 << now for was, now in zip(old, new, strict=True) if down >> was & 1])
        cells[layout.down] = cells[layout.down] & ~sum([1 << piece for piece in new]) | turned
    if instance.ordered:
        cells[instance.at + 1 : instance.at + 1 + len(new)] = new[::-1] if instance.stack else new
    else:
        cells[instance.at] ^= sum([1 << piece for piece in lay ^ lain])


def _lay_memory(hidden: Hidden, instead: dict[int, int], cells: list[int]) -> None:
    """Deal the memory that players have of pieces. Of those that the player does not see, others remember nothing:
    whether they have seen one is unknown, too."""
    layout = hidden.layout
    if layout.known < 0:
        return
    renamed(layout, hidden.state.cells, cells, instead)
    unknown = sum(there.unknown for there in hidden.covered)
    for other in range(layout.sizes["Player"]) if unknown else ():
        if other != hidden.player and (cells[layout.known + other] | cells[layout.several + other]) & unknown:
            memory = Partition(layout, cells, other)
            memory.drop(unknown)
            memory.write(cells)
    player_memory = hidden.state.engine.compiled.ctx.support.player_memory
    assert player_memory is not None
    player_memory.settle(cells)


def _lay_field(hidden: Hidden, declared: m.Field, instead: dict[int, int], cells: list[int]) -> None:
    """Deal the keys and values of a field with the pieces that they mention."""
    layout, C = hidden.layout, hidden.state.cells
    place = layout.fields[declared.name]
    rows = hidden.rows_changed(declared)
    for number in rows:
        at = place.at + number * place.span
        cells[at : at + place.span] = layout.initial[at : at + place.span]
    for number in rows:
        keys = layout.keys_of(number, declared.index)
        now_keys = [instead.get(k, k) if u == "Piece" else k for u, k in zip(declared.index, keys, strict=True)]
        to = place.at + sum(k * stride for k, stride in zip(now_keys, place.strides, strict=True))
        at = place.at + number * place.span
        cells[to : to + place.span] = C[at : at + place.span]
        if declared.ty.universe == "Piece":
            rename_value(declared.ty, cells, to, instead)


def _lay_locals(hidden: Hidden, instead: dict[int, int], stack: list[int]) -> None:
    """The locals of the rules that are being carried out."""
    engine = hidden.state.engine
    for frame in frames(engine, stack):
        offsets = engine.compiled.offsets[frame.function]
        for slot, offset in zip(engine.program.functions[frame.function].slots, offsets, strict=False):
            if slot.ty.universe == "Piece":
                rename_value(slot.ty, stack, frame.base + offset, instead)


# ----------------------------------------------------------------------------------------------------- answers


def answer_anew(hidden: Hidden, cells: list[int], stack: list[int], dice: Dice) -> None:
    """Decide anew what others have decided in secret, as long as not all have decided.

    What they have written lies in cells, which are dealt anew; this is about what is kept in the frame.
    """
    found = hidden.state.simultaneous_node
    if found is None or not found.code.turn.kept[1:]:
        return
    at = found.position(stack)
    members, done = found.members(stack), found.decided(stack)
    lists = [slot for slot in found.code.turn.kept if slot in found.appended]
    before = {slot: found.listed(stack, slot) for slot in lists}
    work, scratch = list(stack), list(cells)
    for slot in lists:
        found.write(work, slot, ())
    for number, member in enumerate(done):
        if _decide(hidden, found, scratch, work, members.index(member), dice):
            if len(found.decided(work)) != number + 1:
                raise Impossible
        else:  # they know what they have decided themselves
            for slot in lists:
                found.write(work, slot, (*found.listed(work, slot), before[slot][number]))
    for slot in found.code.turn.kept:
        start, end = found.slot(slot), found.slot(slot + 1)
        stack[start:end] = work[start:end]
    assert found.position(stack) == at


def _decide(hidden: Hidden, found: SimultaneousNode, cells: list[int], stack: list[int], turn: int, dice: Dice) -> bool:
    """Take a turn at random; False if it is one of the player who imagines it: then nothing is done."""
    engine = hidden.engine
    trial, block = found.beginning(stack, turn)
    tried = list(cells)
    registers = engine.registers(found.frame.base, alone=True)
    while (status := engine.run(tried, trial, registers, block)) == ASK:
        if registers.seat == hidden.player:
            return False
        question = engine.question(trial, registers.base)
        assert isinstance(question.instr, m.Choose)
        legal, extras = registers.legal, registers.extras
        offered = engine.offered(tried, trial, legal, question.instr.universe) if legal else []
        number = dice.below(len(offered) + extras.bit_count())
        if number < len(offered):
            trial[registers.base + question.into] = offered[number]
            block = question.after
        else:
            block = question.extras[bits_of(extras)[number - len(offered)]]
    if status != DECIDED:
        raise Impossible
    cells[:] = tried
    stack[: found.end] = trial[: found.end]
    return True
