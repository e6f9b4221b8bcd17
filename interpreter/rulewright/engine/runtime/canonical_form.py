"""States as bytes: every cell and slot in its declared width, least byte first, in a canonical form.

Two states are the same if they differ only in which of several alike pieces is which, or in what dead locals hold. The
canonical form numbers alike pieces by their colours (`interchange`) and clears dead slots, so
equal states have equal bytes and a transposition table finds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from hashlib import blake2b
from itertools import permutations
from operator import or_
from struct import pack
from typing import Any

from rulewright.engine.cells.interchange import Interchange, Relation, refine, relations, rename_set, rename_value
from rulewright.engine.cells.layout import SMALL, changed
from rulewright.engine.cells.player_memory import renamed, several
from rulewright.engine.runtime.machine import Engine
from rulewright.foundation.bit_sets import bits_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import NONE

TRIED = 64
"""Ways to distinguish pieces of one colour that are tried at most. Only rules that relate pieces to each other in large
regular patterns need more; two states that differ in nothing but such a pattern may then have different bytes."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of the stack."""

    function: int
    pc: int
    base: int


def frames(engine: Engine, stack: Sequence[int]) -> Iterator[Frame]:
    """The frames of a stack, the first one first."""
    at = 0
    while at < len(stack):
        yield Frame(stack[at], stack[at + 1], at + 3)
        at += 3 + engine.compiled.offsets[stack[at]][-1]


def runs(engine: Engine, stack: Sequence[int], function: str) -> bool:
    """True if a function has a frame in a stack."""
    number = engine.compiled.ctx.functions.get(function)
    return any(frame.function == number for frame in frames(engine, stack))


def running(engine: Engine, stack: Sequence[int], function: str) -> int:
    """The number of frames of a function in a stack: how often it was begun and is not over."""
    number = engine.compiled.ctx.functions.get(function)
    return sum(frame.function == number for frame in frames(engine, stack))


def _slot_widths(engine: Engine, function: int) -> list[int]:
    widths: list[int] = []
    for slot in engine.program.functions[function].slots:
        if slot.ty.kind == "list":
            widths += [16, *[-SMALL] * slot.ty.capacity]
        elif slot.ty.kind == "set":
            widths.append(engine.layout.set_bits(slot.ty))
        else:
            widths.append(-SMALL)
    return widths


_PACKED = {8: "B", 16: "H", 32: "I", 64: "Q"}
"""Widths in bits that the standard library packs."""

Run = tuple[int, int, int, str]
"""Cells from one number to another of one width in bytes, with its letter in :mod:`struct`; none for wide sets."""


def _runs(widths: Sequence[int]) -> list[Run]:
    """Cells of equal width that stand beside each other are packed together."""
    found: list[Run] = []
    for at, width in enumerate(widths):
        size = 4 if width < 0 else (width + 7) // 8
        code = "i" if width < 0 else _PACKED.get(size * 8, "")
        if found and found[-1][2:] == (size, code):
            found[-1] = (found[-1][0], at + 1, size, code)
        else:
            found.append((at, at + 1, size, code))
    return found


def _encode(values: Sequence[int], runs: Sequence[Run]) -> bytes:
    parts = []
    for start, end, size, code in runs:
        if code:
            parts.append(pack(f"<{end - start}{code}", *values[start:end]))
        else:
            empty = bytes(size)  # most wide sets are, on a map that can grow
            parts.extend([value.to_bytes(size, "little") if value else empty for value in values[start:end]])
    return b"".join(parts)


def state_bytes(engine: Engine, cells: Sequence[int], stack: Sequence[int]) -> bytes:
    """The canonical bytes of a state at rest."""
    return min(_bytes(engine, *renumbered(engine, cells, stack, now)) for now in _numberings(engine, cells, stack))


def _bytes(engine: Engine, cells: Sequence[int], stack: Sequence[int]) -> bytes:
    known = engine.cache("runs")
    if not known:
        known["cells"] = _runs(engine.layout.widths)
    parts = [_encode(cells, known["cells"])]
    stack = _without_dead_slots(engine, stack)
    for frame in frames(engine, stack):
        if frame.function not in known:
            known[frame.function] = _runs(_slot_widths(engine, frame.function))
        parts.append(pack("<HH", frame.function, frame.pc))
        parts.append(
            _encode(stack[frame.base : frame.base + engine.compiled.offsets[frame.function][-1]], known[frame.function])
        )
    return b"".join(parts)


def digest(data: bytes) -> str:
    """128 bits of BLAKE2b, as hexadecimal digits."""
    return blake2b(data, digest_size=16).hexdigest()


def _without_dead_slots(engine: Engine, stack: Sequence[int]) -> list[int]:
    found = list(stack)
    for frame in frames(engine, stack):
        offsets = engine.compiled.offsets[frame.function]
        live = engine.interchange.live(frame.function, frame.pc)
        for slot in range(len(offsets) - 1):
            if slot not in live:
                start, end = frame.base + offsets[slot], frame.base + offsets[slot + 1]
                found[start:end] = [0] * (end - start)
    return found


# ------------------------------------------------------------------------------------------------------ numbering


def _numberings(engine: Engine, C: Sequence[int], S: Sequence[int]) -> Iterator[dict[int, int]]:
    """New numbers for pieces: by colour among those alike. More than one way only where colours do not decide."""
    interchange = engine.interchange
    everyone = [piece for pieces in interchange.classes for piece in pieces]
    if not everyone:
        yield {}
        return
    layout = engine.layout
    players = range(layout.sizes["Player"]) if layout.known >= 0 else range(0)
    known = [C[layout.known + player] for player in players]
    colours: dict[int, tuple[Any, ...]] = {
        piece: (*colour, *(mask >> piece & 1 for mask in known))
        for piece, colour in zip(everyone, interchange.colours(C, S, everyone), strict=True)
    }
    related = [relation for f in interchange.related for relation in relations(layout, f, C)]
    twins: dict[int, int] = {}
    if any(C[layout.several + player] for player in players):
        twins, classes = _classes(engine, C, colours, {piece for _, members in related for piece in members})
        related += classes
    if not related:
        yield _by_colour(interchange, colours)
        return
    for piece in {piece for _, members in related for piece in members} - colours.keys():
        colours[piece] = ()
    coloured = {piece: (interchange.kind[piece], colour) for piece, colour in colours.items() if piece not in twins}
    for number, decided in enumerate(_individualized(refine(coloured, related), related)):
        yield _by_colour(interchange, decided | {piece: decided[first] for piece, first in twins.items()})
        if number + 1 == TRIED:
            return


def _classes(
    engine: Engine, C: Sequence[int], colours: dict[int, tuple[Any, ...]], others: set[int]
) -> tuple[dict[int, int], list[Relation]]:
    """Relate each piece of a class to each other one: pieces that may have changed places, as players know it.

    Pieces of one colour and the same classes are twins, if nothing else relates them (`others`): the first speaks for
    all of them, by its colour, and no numbers have to be tried.
    """
    layout, kind = engine.layout, engine.interchange.kind
    known = [(player, mask) for player in range(layout.sizes["Player"]) for mask in several(layout, C, player)]
    alike: dict[tuple[Any, ...], list[int]] = {}
    for piece in bits_of(reduce(or_, (mask for _, mask in known))):
        inside = tuple(number for number, (_, mask) in enumerate(known) if mask >> piece & 1)
        alone = piece if piece in others else NONE
        alike.setdefault((kind[piece], colours.get(piece, ()), inside, alone), []).append(piece)
    twins: dict[int, int] = {}
    for first, *more in alike.values():
        colours[first] = (*colours.get(first, ()), 1 + len(more))
        twins |= dict.fromkeys(more, first)
    found: list[Relation] = []
    for player, mask in known:
        firsts = [piece for piece in bits_of(mask) if piece not in twins]
        found += [((-1 - player, (), ()), pair) for pair in permutations(firsts, 2)]
    return twins, found


def _individualized(ranked: dict[int, int], related: Sequence[Relation]) -> Iterator[dict[int, int]]:
    """Individualization and refinement: of related pieces with one colour each in turn is made the first."""
    cells: dict[int, list[int]] = {}
    for piece in sorted({piece for _, members in related for piece in members}):
        cells.setdefault(ranked[piece], []).append(piece)
    tied = next((pieces for _, pieces in sorted(cells.items()) if len(pieces) > 1), None)
    if tied is None:
        yield ranked
        return
    for one in tied:
        apart = {piece: (rank, piece != one) for piece, rank in ranked.items()}
        yield from _individualized(refine(apart, related), related)


def _by_colour(interchange: Interchange, colours: Mapping[int, Any]) -> dict[int, int]:
    """The pieces that get another number if alike ones are numbered in the order of their colours."""
    found = {}
    for pieces in interchange.classes:
        for piece, number in zip(sorted(pieces, key=colours.__getitem__), pieces, strict=True):
            if piece != number:
                found[piece] = number
    return found


def renumbered(
    engine: Engine, cells: Sequence[int], stack: Sequence[int], now: dict[int, int]
) -> tuple[Sequence[int], Sequence[int]]:
    """A state in which pieces have other numbers; those that are not named keep theirs."""
    if not now:
        return cells, stack
    layout, interchange = engine.layout, engine.interchange
    C, S = list(cells), list(stack)
    columns = [(layout.loc, 1, 1), *([(layout.side, 1, 1)] if layout.sided else []), *interchange.columns]
    for at, step, count in columns:
        for piece, number in now.items():
            start, goal = at + piece * step, at + number * step
            C[goal : goal + count] = cells[start : start + count]
    if layout.down >= 0:
        C[layout.down] = rename_set(cells[layout.down], now)
    renamed(layout, cells, C, now)
    for number in {cells[layout.loc + piece] for piece in now}:
        instance = layout.instances[number]
        if instance.ordered:
            for at in range(instance.at + 1, instance.at + 1 + cells[instance.at]):
                C[at] = now.get(cells[at], cells[at])
        else:
            C[instance.at] = rename_set(cells[instance.at], now)
    for at, ty in interchange.holders:
        rename_value(ty, C, at, now)
    for f in interchange.related:
        place = layout.fields[f.name]
        rows = list(changed(cells, layout.initial, place))
        for number in rows:
            at = place.at + number * place.span
            C[at : at + place.span] = layout.initial[at : at + place.span]
        for number in rows:
            at, goal = place.at + number * place.span, place.at
            for key, universe, stride in zip(layout.keys_of(number, f.index), f.index, place.strides, strict=True):
                goal += (now.get(key, key) if universe == "Piece" else key) * stride
            C[goal : goal + place.span] = cells[at : at + place.span]
            if f.ty.universe == "Piece":
                rename_value(f.ty, C, goal, now)
    for frame in frames(engine, stack):
        offsets = engine.compiled.offsets[frame.function]
        for slot, offset in zip(engine.program.functions[frame.function].slots, offsets, strict=False):
            if slot.ty.universe == "Piece":
                rename_value(slot.ty, S, frame.base + offset, now)
    return C, S
