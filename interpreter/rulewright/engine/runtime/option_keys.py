"""The keys of options: stable words that answers, logs, refusals and scenarios use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from rulewright.engine.cells.interchange import EquivalenceClass
from rulewright.engine.runtime.canonical_form import frames
from rulewright.engine.runtime.machine import Engine
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.model import NONE, Field, Slot, Ty

Criterion = Callable[[int], str]
"""Words that distinguish a piece from others with the same key."""


class Keys:
    """Gives members their keys; words that distinguish pieces with the same key are added."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.layout = engine.layout
        keys = self.layout.universes["Piece"].keys if "Piece" in self.layout.universes else ()
        self.pieces = keys
        by_key: dict[str, int] = {}
        for piece, key in enumerate(keys):
            by_key[key] = by_key.get(key, 0) | 1 << piece
        self.same = [by_key[key] for key in keys]
        sight = sight_of(engine.program)
        fields = [f for f in engine.program.fields if sight.everybody(f)]
        self._open = [(f, number) for f in fields for number in self._rows(f)]
        """The values of fields that everyone sees and that mention pieces; of those with a piece as key the first."""

    def of(self, C: list[int], S: list[int], universe: str, member: int, legal: int | tuple[int, ...]) -> str:
        """The key of one member among all that may be chosen."""
        if universe != "Piece":
            return self.layout.key(universe, member)
        others = (_mask(legal) if isinstance(legal, tuple) else legal) & self.same[member]
        if others == 1 << member:
            return self.pieces[member]
        equivalence_classes = self.engine.interchange.equivalence_classes(C, S, others)
        names = self.names(C, S, equivalence_classes)
        return next(name for (_, group), name in zip(equivalence_classes, names, strict=True) if group >> member & 1)

    def names(
        self,
        C: list[int],
        S: list[int],
        equivalence_classes: Sequence[EquivalenceClass],
        unseen: Mapping[int, str] | None = None,
    ) -> list[str]:
        """The keys of pieces, one for each bundle of interchangeable ones; `unseen` has the names of those that the
        player to decide does not see, which distinguish no other one."""
        covered = unseen or {}
        names = [covered.get(piece) or self.pieces[piece] for piece, _ in equivalence_classes]
        equal: dict[str, list[int]] = {}
        for number, name in enumerate(names):
            if equivalence_classes[number][0] not in covered:
                equal.setdefault(name, []).append(number)
        for numbers in equal.values():
            if len(numbers) > 1:
                words = self._distinguishing_words(C, S, [equivalence_classes[number][0] for number in numbers])
                for number, word in zip(numbers, words, strict=True):
                    names[number] += word
        return names

    def _distinguishing_words(self, C: list[int], S: list[int], pieces: list[int]) -> list[str]:
        """For each of some pieces with the same key what it is distinguished by; nothing if nothing does."""
        words = dict.fromkeys(pieces, "")
        for criterion in self._criteria(C, S):
            alike: dict[str, list[int]] = {}
            for piece, word in words.items():
                alike.setdefault(word, []).append(piece)
            if len(alike) == len(pieces):
                break
            for same in alike.values():
                words_of = {piece: criterion(piece) for piece in same}
                if len(set(words_of.values())) > 1:
                    words |= {piece: words[piece] + word for piece, word in words_of.items()}
        self._number(words)
        return list(words.values())

    def _number(self, words: dict[int, str]) -> None:
        """Number those that still have the same words, if they are alike: pieces of another kind need another key."""
        for word in set(words.values()):
            same = [piece for piece in words if words[piece] == word]
            if len(same) > 1 and len({self.engine.interchange.kind[piece] for piece in same}) == 1:
                words |= {piece: f"{word} #{number}" for number, piece in enumerate(same, 1)}

    # ------------------------------------------------------------------------------------------------- in words

    def _criteria(self, C: list[int], S: list[int]) -> Iterable[Criterion]:
        """Criteria that can distinguish pieces, the most obvious first."""
        layout, loc, down = self.layout, self.layout.loc, self.layout.down
        yield lambda piece: f" in {layout.instances[C[loc + piece]].name}"
        if layout.ordered:
            yield lambda piece: self._place(C, piece)
        if down >= 0:
            yield lambda piece: " face down" if C[down] >> piece & 1 else " face up"
        if layout.sided:
            yield lambda piece: f" with {self.side(C, piece)} up"
        for f, number in self._open:
            yield self._by_key(C, f, number) if "Piece" in f.index else self._in_value(C, f, number)
        for frame in frames(self.engine, S):
            slots = self.engine.program.functions[frame.function].slots
            offsets = self.engine.compiled.offsets[frame.function]
            for number in sorted(self.engine.interchange.live(frame.function, frame.pc)):
                if slots[number].ty.universe == "Piece" and _written(slots[number]):
                    yield _held(_written(slots[number]), S, frame.base + offsets[number], slots[number].ty)

    def _place(self, C: list[int], piece: int) -> str:
        """The place in a stack, from the top, or in a row, from 1."""
        slot = self.engine.compiled.ctx.support.slot_of(C, piece)
        return "" if slot == NONE else f", place {slot + 1}"

    def _rows(self, f: Field) -> list[int]:
        count = self.layout.fields[f.name].count
        if "Piece" not in f.index:
            return list(range(count)) if f.ty.universe == "Piece" else []
        position = f.index.index("Piece")
        return [number for number in range(count) if self.layout.keys_of(number, f.index)[position] == 0]

    def _by_key(self, C: list[int], f: Field, number: int) -> Criterion:
        """The value of a field for a piece that is one of its keys; `number` is that of its value for piece 0."""
        place, position = self.layout.fields[f.name], f.index.index("Piece")
        name, at = self._name(f, number, position), place.at + number * place.span

        def criterion(piece: int) -> str:
            value = C[at + piece * place.strides[position]]
            if f.ty.kind == "bool":
                return f", {name}" if value == 1 else f", not {name}"
            if f.ty.kind in ("int", "entity"):
                return f", {name} {self.layout.key(f.ty.universe, value)}"
            return ""

        return criterion

    def _in_value(self, C: list[int], f: Field, number: int) -> Criterion:
        """The criterion that a field holds a piece."""
        place = self.layout.fields[f.name]
        return _held(self._name(f, number), C, place.at + number * place.span, f.ty)

    def _name(self, f: Field, number: int, without: int | None = None) -> str:
        """A field with its keys, all but one."""
        keys = zip(f.index, self.layout.keys_of(number, f.index), strict=True)
        shown = [self.layout.key(universe, key) for n, (universe, key) in enumerate(keys) if n != without]
        return " ".join([f.name.replace("_", " "), *shown])

    def side(self, C: list[int], piece: int) -> str:
        """The name of the side that is up, or nothing."""
        for kind in self.layout.program.kinds:
            if kind.sides and kind.members >> piece & 1:
                side = C[self.layout.side + piece]
                return kind.sides[side] if side < len(kind.sides) else ""
        return ""


def _mask(pieces: Iterable[int]) -> int:
    found = 0
    for piece in pieces:
        found |= 1 << piece
    return found


def _written(slot: Slot) -> str:
    """The name of a local as the rules have it; nothing for one that the compiler made."""
    name, _, number = slot.name.rpartition("_")
    name = name if name and number.isdigit() else slot.name
    return name if name.isidentifier() else ""


def _held(name: str, cells: Sequence[int], at: int, ty: Ty) -> Criterion:
    """The criterion that a field or local holds a piece."""
    if ty.kind == "list":
        pieces = _mask(piece for piece in cells[at + 1 : at + 1 + cells[at]] if piece >= 0)
    elif ty.kind == "set":
        pieces = cells[at]
    else:
        pieces = 1 << cells[at] if cells[at] >= 0 else 0
    words = f"{'' if ty.kind == 'entity' else 'in '}{name.replace('_', ' ')}"
    return lambda piece: f", {words}" if pieces >> piece & 1 else f", not {words}"


def keys_of(engine: Engine) -> Keys:
    """The keys of an engine's pieces."""
    cache = engine.cache("keys")
    if not cache:
        cache[0] = Keys(engine)
    found: Keys = cache[0]
    return found
