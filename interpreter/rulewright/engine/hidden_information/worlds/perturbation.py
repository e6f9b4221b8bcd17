"""Making otherwise what dealing leaves as it is: values that a player does not see, pieces that they cannot count.

Nothing here knows whether the outcome could be; `InformationSet` decides that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.engine.faults import Fault
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.piece_words import Uncounted
from rulewright.engine.hidden_information.visibility import contents
from rulewright.engine.random_numbers import Dice
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir.model import NONE, Field, Ty

NEAR = 10
"""The distance by which a number without bounds is changed at most."""

_WIDE = 1000
"""Numbers of a type are equally likely as long as there are no more of them."""


def vary(hidden: Hidden, fields: Iterable[Field], cells: list[int], dice: Dice) -> None:
    """Change some hidden values of fields."""
    for declared in fields:
        place = hidden.layout.fields[declared.name]
        for number, facets in enumerate(hidden.field_facets[declared.name]):
            if "face" not in facets and dice.below(2):
                _redraw(hidden, declared, cells, place.at + number * place.span, bool(facets), dice)


def permute(hidden: Hidden, fields: Iterable[Field], cells: list[int], dice: Dice) -> None:
    """Deal the hidden values of a field anew among its keys; fields whose keys are hidden alike go together."""
    layout = hidden.layout
    alike: dict[tuple[tuple[str, ...], tuple[int | None, ...]], list[Field]] = {}
    for declared in fields:
        if declared.index and "Piece" not in declared.index:
            rows = tuple(
                _class(hidden, declared, number, cells) for number in range(layout.fields[declared.name].count)
            )
            alike.setdefault((declared.index, rows), []).append(declared)
    for (_, rows), fields in alike.items():
        classes: dict[int, list[int]] = {}
        for number, facets in enumerate(rows):
            if facets is not None:
                classes.setdefault(facets, []).append(number)
        for numbers in classes.values():
            spans = [(layout.fields[f.name].at, layout.fields[f.name].span) for f in fields]
            # In an order of their own: how they are really arranged must decide nothing.
            held = sorted([[cells[at + n * span : at + (n + 1) * span] for at, span in spans] for n in numbers])
            for number, other in zip(numbers, dice.shuffled(range(len(held))), strict=True):
                for (at, span), value in zip(spans, held[other], strict=True):
                    cells[at + number * span : at + (number + 1) * span] = value


def _class(hidden: Hidden, declared: Field, number: int, cells: list[int]) -> int | None:
    """The part of a hidden value that the player sees: its size, or nothing (-1). None: it stays as it is."""
    facets = hidden.field_facets[declared.name][number]
    place = hidden.layout.fields[declared.name]
    value = cells[place.at + number * place.span]
    if "face" in facets or (value == NONE and declared.ty.kind not in ("set", "list")):
        return None
    keys = hidden.layout.keys_of(number, declared.index)
    for universe, key in zip(declared.index, keys, strict=True):
        if universe in hidden.layout.merged and not cells[hidden.layout.merged[universe].alive] >> key & 1:
            return None
    if facets and declared.ty.kind == "set":
        return value.bit_count()
    return value if facets and declared.ty.kind == "list" else -1


def carry(hidden: Hidden, uncounted: Uncounted, cells: list[int], dice: Dice) -> None:
    """Change where some of the pieces lie that cannot be counted."""
    if len(uncounted.instances) > 1:
        for _ in range(1 + dice.below(3)):
            _carry(hidden, uncounted, cells, dice)


def scatter(hidden: Hidden, cells: list[int], dice: Dice) -> None:
    """Lay the pieces that may have gone unobserved from one zone to another, none of which anybody can count, in any of
    these. The number of pieces of another that only they can count stays as it is: most often rules bound it."""
    uncounted = hidden.unsure
    if uncounted is None:
        return
    kinds, layout = hidden.engine.interchange.kind, hidden.layout
    there = {piece for instance in uncounted.instances for piece in contents(cells, instance)} - uncounted.known
    before = list(cells)
    for piece in dice.shuffled(sorted(there, key=lambda one: (kinds[one], one))):
        goals = [n for n, there in enumerate(uncounted.instances) if hidden.admits(there) >> piece & 1]
        _move(hidden, piece, uncounted.numbers[goals[dice.below(len(goals))]], False, cells)
    cells[layout.memory] = before[layout.memory]


def scattered_cells(hidden: Hidden) -> set[int]:
    """The numbers of all cells that :func:`scatter` may change."""
    uncounted = hidden.unsure
    if uncounted is None:
        return set()
    found = {hidden.layout.loc + piece for piece in range(hidden.layout.pieces)}
    for instance in uncounted.instances:
        found.update(range(instance.at, instance.at + 1 + (instance.capacity if instance.ordered else 0)))
    return found


def _redraw(hidden: Hidden, declared: Field, cells: list[int], at: int, counted: bool, dice: Dice) -> None:
    """Another value of the type; of a set or list whose size is seen one of the same size."""
    ty = declared.ty
    if ty.kind == "list":
        length = cells[at] if counted else dice.below(ty.capacity + 1)
        items = [_one(hidden, ty, NONE, dice) for _ in range(length)]
        cells[at : at + 1 + ty.capacity] = [length, *items, *[0] * (ty.capacity - length)]
    elif ty.kind == "set":
        members = _members(hidden, ty)
        size = cells[at].bit_count() if counted else dice.below(len(members) + 1)
        cells[at] = sum(1 << member for member in dice.shuffled(members)[:size])
    else:
        cells[at] = _one(hidden, ty, cells[at], dice)


def _one(hidden: Hidden, ty: Ty, now: int, dice: Dice) -> int:
    """A number, truth or member."""
    if ty.kind == "bool":
        return dice.below(2)
    members: Sequence[int] = range(ty.low, ty.high + 1) if ty.universe in ("", "Int") else _members(hidden, ty)
    if len(members) > _WIDE:
        near = max(ty.low, 0) if now == NONE else now
        members = range(max(ty.low, near - NEAR), min(ty.high, near + NEAR) + 1)
    number = dice.below(len(members) + ty.optional) if members else 0
    return members[number] if number < len(members) else NONE


def _members(hidden: Hidden, ty: Ty) -> list[int]:
    """The values of a type: of regions only those that exist."""
    if ty.universe in hidden.layout.merged:
        alive: int = hidden.state.cells[hidden.layout.merged[ty.universe].alive]
        return list(bits_of(alive))
    if ty.universe in ("Int", "Bool"):
        return list(range(hidden.layout.set_bits(ty)))
    return list(range(hidden.layout.sizes[ty.universe]))


def _carry(hidden: Hidden, uncounted: Uncounted, cells: list[int], dice: Dice) -> None:
    """Move a piece from one zone that cannot be counted to another that takes it."""
    there = [piece for instance in uncounted.instances for piece in contents(cells, instance)]
    loose = [piece for piece in there if piece not in uncounted.known]
    if not loose:
        return
    piece, goal = loose[dice.below(len(loose))], dice.below(len(uncounted.instances))
    if hidden.admits(uncounted.instances[goal]) >> piece & 1:
        _move(hidden, piece, uncounted.numbers[goal], bool(dice.below(2)), cells)


def _move(hidden: Hidden, piece: int, zone: int, below: bool, cells: list[int]) -> None:
    """Lay a piece in another zone, as if it had always lain there."""
    before, layout = list(cells), hidden.layout
    try:
        hidden.engine.compiled.ctx.support.move(cells, [piece], zone, below, -1)
    except Fault:  # there is no room for it
        cells[:] = before
    else:
        cells[layout.memory] = before[layout.memory]
