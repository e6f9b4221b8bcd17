"""Interchangeable pieces of a state, their canonical order, and other numbers for pieces in cells and slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rulewright.engine.cells.layout import Layout, changed
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir.control_flow.liveness import Liveness, shared_parameters
from rulewright.ir.model import Field, Ty


def rename_set(mask: int, names: Mapping[int, int]) -> int:
    """A set of pieces in which pieces have other numbers; those without a new one keep theirs."""
    return sum(1 << names.get(piece, piece) for piece in bits_of(mask))


def rename_value(ty: Ty, cells: list[int], at: int, names: Mapping[int, int]) -> None:
    """Change a piece, set or list of pieces in place."""
    if ty.kind == "set":
        cells[at] = rename_set(cells[at], names)
    elif ty.kind == "list":
        for item in range(at + 1, at + 1 + cells[at]):
            cells[item] = names.get(cells[item], cells[item])
    else:
        cells[at] = names.get(cells[at], cells[at])


Colour = tuple[Any, ...]
EquivalenceClass = tuple[int, int]
"""A piece, and the set of all that are interchangeable with it (itself included) among those that were given."""

Relation = tuple[Colour, tuple[int, ...]]
"""A relation between pieces: a name for it, and the pieces in their roles."""


class Interchange:
    """Finds the interchangeable pieces of a program's states."""

    def __init__(self, layout: Layout, offsets: Sequence[Sequence[int]]) -> None:
        program = layout.program
        self.layout, self.offsets = layout, offsets
        classes: dict[int, int] = {}
        for piece, number in enumerate(program.alike):
            classes[number] = classes.get(number, 0) | 1 << piece
        self.alike = [classes[number] for number in program.alike]
        """For each piece the set of all that are alike."""
        self.classes = [bits_of(mask) for mask in classes.values() if mask & (mask - 1)]
        """The pieces of which there are others alike, class by class."""
        self.kind = [(mask & -mask).bit_length() - 1 for mask in self.alike]
        """For each piece the first of all that are alike: a number for what it is, and nothing more."""
        self.related = [f for f in program.fields if _relates(f)]
        """Fields that relate pieces to each other."""
        single = [f for f in program.fields if not _relates(f)]
        self.columns = [column for f in single if "Piece" in f.index for column in _columns(layout, f)]
        """Cells with a piece as key: where those of piece 0 begin, the step to the next piece, how many they are."""
        self.holders = [holder for f in single if f.ty.universe == "Piece" for holder in _holders(layout, f)]
        """Cells that hold pieces, with the type of what they hold."""
        self._shared = shared_parameters(program)
        self._liveness: dict[int, Liveness] = {}
        self._slots: dict[tuple[int, int], tuple[tuple[int, Ty], ...]] = {}

    # --------------------------------------------------------------------------------------------------- locals

    def live(self, function: int, pc: int) -> frozenset[int]:
        """The slots that are live in a frame of a function that rests at an instruction."""
        if function not in self._liveness:
            declared = self.layout.program.functions[function]
            self._liveness[function] = Liveness(declared, self._shared.get(declared.name, 0))
        return self._liveness[function].resting(pc)

    def piece_slots(self, function: int, pc: int) -> tuple[tuple[int, Ty], ...]:
        """The live slots that hold pieces: offset in the frame, and type."""
        known = self._slots.get((function, pc))
        if known is None:
            slots = self.layout.program.functions[function].slots
            live = [slot for slot in sorted(self.live(function, pc)) if slots[slot].ty.universe == "Piece"]
            known = tuple((self.offsets[function][slot], slots[slot].ty) for slot in live)
            self._slots[function, pc] = known
        return known

    # -------------------------------------------------------------------------------------------------- colours

    def colours(self, C: Sequence[int], S: Sequence[int], pieces: Sequence[int]) -> list[Colour]:
        """The colour of each of some pieces; colours of alike pieces can be ordered."""
        found = [relation for f in self.related for relation in relations(self.layout, f, C)]
        if not found:
            return self._unrelated(C, S, pieces)
        everyone = sorted({*pieces, *(piece for _, members in found for piece in members)})
        first = zip(everyone, self._unrelated(C, S, everyone), strict=True)
        refined = refine({piece: (self.kind[piece], *colour) for piece, colour in first}, found)
        return [(refined[piece],) for piece in pieces]

    def colours_in_any_order(self, C: Sequence[int], S: Sequence[int], pieces: Sequence[int]) -> list[Colour]:
        """Colours of pieces whose places in their pile do not count, as these are about to be drawn; they do count
        where fields relate pieces to each other."""
        related = any(True for f in self.related for _ in relations(self.layout, f, C))
        return self.colours(C, S, pieces) if related else self._unrelated(C, S, pieces, placed=False)

    def _unrelated(
        self, C: Sequence[int], S: Sequence[int], pieces: Sequence[int], placed: bool = True
    ) -> list[Colour]:
        """Colours as far as they follow from each piece by itself."""
        layout = self.layout
        loc, down = layout.loc, layout.down
        zones = [C[loc + piece] for piece in pieces]
        columns: list[Sequence[Any]] = [zones]
        if layout.ordered and placed:
            columns.append(self._places(C, pieces, zones))
        if down >= 0:
            mask = C[down]
            columns.append([mask >> piece & 1 for piece in pieces])
        if layout.sided:
            columns.append([C[layout.side + piece] for piece in pieces])
        for at, step, count in self.columns:
            if count == 1:
                columns.append([C[at + piece * step] for piece in pieces])
            else:
                columns.append([tuple(C[at + piece * step : at + piece * step + count]) for piece in pieces])
        mentioned = self._mentioned(C, S)
        if mentioned:
            columns.append([tuple(mentioned.get(piece, ())) for piece in pieces])
        return list(zip(*columns, strict=True))

    def _places(self, C: Sequence[int], pieces: Sequence[int], zones: Sequence[int]) -> list[int]:
        """The place of each piece in its stack (from the top) or row, from 0; elsewhere 0."""
        found = [0] * len(pieces)
        known: dict[int, dict[int, int]] = {}
        for i, number in enumerate(zones):
            instance = self.layout.instances[number]
            if instance.ordered:
                if number not in known:
                    items = C[instance.at + 1 : instance.at + 1 + C[instance.at]]
                    known[number] = {p: n for n, p in enumerate(reversed(items) if instance.stack else items)}
                found[i] = known[number][pieces[i]]
        return found

    def _mentioned(self, C: Sequence[int], S: Sequence[int]) -> dict[int, list[Colour]]:
        """For each piece that a field or live local holds, where that is, in canonical order."""
        found: dict[int, list[Colour]] = {}
        for at, ty in self.holders:
            for piece, where in held(C, at, ty):
                found.setdefault(piece, []).append((at, *where))
        base = 3
        while base <= len(S):
            function, pc = S[base - 3], S[base - 2]
            for offset, ty in self.piece_slots(function, pc):
                for piece, where in held(S, base + offset, ty):
                    found.setdefault(piece, []).append((len(C) + base + offset, *where))
            base += 3 + self.offsets[function][-1]
        return found

    # -------------------------------------------------------------------------------------------------- bundles

    def equivalence_classes(self, C: Sequence[int], S: Sequence[int], pieces: int) -> list[EquivalenceClass]:
        """A set of pieces, the interchangeable ones together, in canonical order: by kind, then by colour."""
        found: list[EquivalenceClass] = []
        while pieces:
            low = pieces & -pieces
            piece = low.bit_length() - 1
            same = pieces & self.alike[piece]
            pieces ^= same
            if same == low:
                found.append((piece, low))
            else:
                found += self._split(C, S, same)
        return found

    def _split(self, C: Sequence[int], S: Sequence[int], alike: int) -> list[EquivalenceClass]:
        pieces = bits_of(alike)
        groups: dict[Colour, list[int]] = {}
        for piece, colour in zip(pieces, self.colours(C, S, pieces), strict=True):
            groups.setdefault(colour, []).append(piece)
        ordered = [groups[colour] for colour in sorted(groups)] if len(groups) > 1 else [pieces]
        return [(self._standing_for(C, group), sum(1 << piece for piece in group)) for group in ordered]

    def _standing_for(self, C: Sequence[int], pieces: Sequence[int]) -> int:
        """The piece that is taken for all: one that was shown to most, so that no player is thought to know the
        rest."""
        layout = self.layout
        if layout.known < 0 or len(pieces) == 1:
            return pieces[0]
        known_sets = C[layout.known : layout.several]
        open_ = C[layout.several : layout.group]
        return max(
            pieces,
            key=lambda piece: (
                sum(mask >> piece & 1 for mask in known_sets),
                [mask >> piece & 1 for mask in known_sets],
                [mask >> piece & 1 for mask in open_],
                -piece,
            ),
        )

    def together(self, C: Sequence[int], S: Sequence[int], piece: int, others: int) -> int:
        """The members of a set of pieces that are interchangeable with a piece, itself included."""
        same = others & self.alike[piece] | 1 << piece
        if same == 1 << piece:
            return same
        return next(group for _, group in self._split(C, S, same) if group >> piece & 1)


def refine(colours: dict[int, Colour], relations: Sequence[Relation]) -> dict[int, int]:
    """Colour refinement: the coarsest partition in which pieces of one colour are related alike to all colours.

    Each piece gets the rank of its colour. Relations may only be between pieces that have a colour.
    """
    while True:
        ranks = {colour: rank for rank, colour in enumerate(sorted(set(colours.values())))}
        ranked = {piece: ranks[colour] for piece, colour in colours.items()}
        roles: dict[int, list[Colour]] = {piece: [] for piece in ranked}
        for name, members in relations:
            around = tuple(ranked[piece] for piece in members)
            for role, piece in enumerate(members):
                roles[piece].append((name, role, around))
        colours = {piece: (rank, tuple(sorted(roles[piece]))) for piece, rank in ranked.items()}
        if len(set(colours.values())) == len(ranks):
            return ranked


def _relates(f: Field) -> bool:
    return f.index.count("Piece") + (f.ty.universe == "Piece") > 1


def _columns(layout: Layout, f: Field) -> Iterator[tuple[int, int, int]]:
    """The cells of a field with one piece among its keys, for each combination of the other keys."""
    place, position = layout.fields[f.name], f.index.index("Piece")
    others = [
        range(0, stride * layout.sizes[universe], stride)
        for number, (universe, stride) in enumerate(zip(f.index, place.strides, strict=True))
        if number != position
    ]
    for offsets in product(*others):
        yield place.at + sum(offsets), place.strides[position], place.span


def _holders(layout: Layout, f: Field) -> Iterator[tuple[int, Ty]]:
    """The position of each value of a field, and its type."""
    place = layout.fields[f.name]
    return ((place.at + number * place.span, f.ty) for number in range(place.count))


def held(cells: Sequence[int], at: int, ty: Ty) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The pieces that a value holds, and in a list their positions."""
    if ty.kind == "list":
        for position, piece in enumerate(cells[at + 1 : at + 1 + cells[at]]):
            if piece >= 0:
                yield piece, (position,)
    elif ty.kind == "set":
        for piece in bits_of(cells[at]):
            yield piece, ()
    elif cells[at] >= 0:
        yield cells[at], ()


def relations(layout: Layout, f: Field, C: Sequence[int]) -> Iterator[Relation]:
    """The relations between pieces that a field holds."""
    place = layout.fields[f.name]
    for number in changed(C, layout.initial, place):
        keys = layout.keys_of(number, f.index)
        pieces = tuple(key for key, universe in zip(keys, f.index, strict=True) if universe == "Piece")
        others = tuple(key for key, universe in zip(keys, f.index, strict=True) if universe != "Piece")
        at = place.at + number * place.span
        if f.ty.universe == "Piece":
            for piece, where in held(C, at, f.ty):
                yield (place.at, others, where), (*pieces, piece)
        else:
            yield (place.at, others, tuple(C[at : at + place.span])), pieces
