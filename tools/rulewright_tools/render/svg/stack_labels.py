"""Stacks on a place: a plate for each piece, with its name and badge, in rows that fit the place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import drawsvg as svg

from rulewright_tools.render.colours import BACK, Palette, dark
from rulewright_tools.render.picture import Item, Stack
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.svg_primitives import INK, PAPER, label, truncated, wide

Half = Callable[[float, float], float]
"""Half of the width that a place has between two heights, measured from its middle."""

FORMS = ((1, 0.26), (1, 0.21), (1, 0.18), (2, 0.22), (2, 0.18), (3, 0.18), (3, 0.15))
"""The forms of a stack, the roomiest first: columns, and how high a plate is on a place of radius one."""

NARROWEST = 0.55
"""The least width of a plate, as a share of the others."""

EVEN = 0.8
"""The width of the narrowest plate, as a share of the widest, from which on all names can be read alike."""

GAP = 2.5


COVERED = "#d3d3d8"
"""The ground of a plate whose back lies on top, for those who know what it is."""


@dataclass(frozen=True, slots=True)
class Plate:
    """A piece of a stack, or how many more there are."""

    owner: str
    item: Item | None
    """None: only a number."""
    more: int = 0


@dataclass(frozen=True, slots=True)
class Slot:
    """The position of a plate."""

    left: float
    top: float
    width: float
    height: float


class StackLabels:
    """Draws the stacks of places that are all of one size."""

    def __init__(self, palette: Palette, signs: dict[str, str], radius: float, half: Half) -> None:
        self._palette = palette
        self._signs = signs
        self._half = half
        self._radius = radius

    def plates(
        self, stacks: Sequence[Stack], x: float, y: float, top: float, bottom: float
    ) -> Iterator[tuple[Plate, Slot]]:
        """The plates for the stacks of a place around a point, between two heights over its middle."""
        plates = [Plate(stack.owner, item) for stack in stacks for item in stack.items]
        if not plates:
            return
        slots = self._form(len(plates), top, bottom)
        if not slots:
            return
        if len(plates) > len(slots):
            plates = _counted(plates, len(slots))
        down = self._lowered(slots[: len(plates)], bottom)
        for plate, slot in zip(plates, slots, strict=False):
            yield plate, Slot(x + slot.left, y + slot.top + down, slot.width, slot.height)

    def _form(self, count: int, top: float, bottom: float) -> list[Slot]:
        """The slots for so many plates, or as many as find room: in one column if all names can be read there."""
        forms = [
            (columns, self._slots(columns, max(9.0, self._radius * share), top, bottom)[:count])
            for columns, share in FORMS
        ]
        whole = [(columns, slots) for columns, slots in forms if len(slots) == count]
        even = (slots for columns, slots in whole if columns == 1 and _even(slots))
        return next(even, whole[0][1] if whole else max((slots for _, slots in forms), key=len))

    def _lowered(self, slots: Sequence[Slot], bottom: float) -> float:
        """The distance by which slots are moved down: what is drawn stands nearer to the upper end of the height that
        there is for it, and nowhere over the rim."""
        down = max(0.0, bottom - max(slot.top + slot.height for slot in slots) - GAP) * 0.3
        while down > 0.5 and not all(self._fits(slot, down) for slot in slots):
            down *= 0.6
        return down if down > 0.5 else 0.0

    def _fits(self, slot: Slot, down: float) -> bool:
        reach = max(-slot.left, slot.left + slot.width)
        return reach <= self._half(slot.top + down, slot.top + slot.height + down)

    def _slots(self, columns: int, height: float, top: float, bottom: float) -> list[Slot]:
        """The slots for plates in so many columns; fewer where the place is narrow."""
        found: list[Slot] = []
        step = height + GAP
        full = 2 * self._half(top, top + step)
        while top + step <= bottom + 0.01:
            room = 2 * self._half(top, top + step)
            here = max(1, min(columns, int(room / (full / columns) + 0.3)))
            width = min(room / here, full / columns) - GAP
            if width < (full / columns) * NARROWEST:
                break
            left = -here * (width + GAP) / 2 + GAP / 2
            found += [Slot(left + number * (width + GAP), top, width, height) for number in range(here)]
            top += step
        return found

    def drawn(self, plate: Plate, slot: Slot) -> svg.Group:
        """A plate with the owner's colour around it; grey, if a back lies on top."""
        item = plate.item
        hidden = item is None or item.back
        down = item is not None and item.down and not item.back
        own = BACK if item is None or hidden else self._palette.colour(item.key)
        rim = self._palette.colour(plate.owner) if plate.owner else INK
        kind = "more" if item is None else "back" if hidden else "down" if down else "up"
        group = svg.Group(class_=f"plate {kind}" if item is None else f"plate {kind} lying")
        title = f"{plate.more} more" if item is None else f"{item.count} {item.title}" if item.count > 1 else item.title
        group.append_title(f"{plate.owner}: {title}{', face down' if down else ''}" if plate.owner else title)
        border = {"stroke": rim, "stroke_width": 1.8}
        if item is not None and hidden and item.count > 1:
            group.append(_box(slot.left + 2, slot.top - 2, slot.width, slot.height, own, border))
        group.append(_box(slot.left, slot.top, slot.width, slot.height, COVERED if down else own, border))
        ink = PAPER if dark(own) and not down else INK
        for element in self._written(plate, slot, ink, hidden):
            group.append(element)
        return group

    def _written(self, plate: Plate, slot: Slot, ink: str, hidden: bool) -> Iterator[svg.DrawingElement]:
        """The number of backs, or the name of a piece and its badge."""
        size = round(slot.height * 0.68, 1)
        base = slot.top + slot.height * 0.5 + size * 0.36
        item = plate.item
        bold = {"fill": ink, "font_weight": "bold"}
        if item is None or hidden:
            text = f"+{plate.more}" if item is None else str(item.count)
            yield label(text, size, slot.left + slot.width / 2, base, text_anchor="middle", **bold)
            return
        left, right = slot.left + 3, slot.left + slot.width - 3
        shape = self._palette.shape(item.key)
        if (item.down or shape not in ("disc", "text")) and slot.width > 4 * slot.height:
            across = slot.height * 0.34
            yield shapes.piece(shape, left + across, slot.top + slot.height / 2, across, self._palette.colour(item.key))
            left += 2 * across + 2
        if item.badge:
            yield label(item.badge, size, right, base, text_anchor="end", **bold)
            right -= wide(item.badge, size) + 2
        number = f"{item.count} " if item.count > 1 else ""
        name = truncated(f"{number}{(item.name or item.key).replace('_', ' ')}", size, right - left)
        if len(name) < 4 and name != item.key:
            name = truncated(f"{number}{self._signs.get(item.key, item.key[:2])}", size, right - left)
        yield label(name, size, left, base, fill=ink)


def _even(slots: Sequence[Slot]) -> bool:
    """True if the narrowest is nearly as wide as the widest."""
    widths = [slot.width for slot in slots]
    return min(widths) >= EVEN * max(widths)


def _box(
    left: float, top: float, width: float, height: float, fill: str, style: dict[str, object]
) -> svg.DrawingElement:
    return svg.Rectangle(round(left, 2), round(top, 2), round(width, 2), round(height, 2), rx=3, fill=fill, **style)


def _counted(plates: Sequence[Plate], room: int) -> list[Plate]:
    """The first plates of each owner, and after them how many more there are, in so many plates in all."""
    owners = list(dict.fromkeys(plate.owner for plate in plates))
    of = {owner: [plate for plate in plates if plate.owner == owner] for owner in owners}
    shown = {owner: len(of[owner]) for owner in owners}
    while sum(shown[owner] + (shown[owner] < len(of[owner])) for owner in owners) > room:
        largest = max(owners, key=lambda owner: shown[owner])
        if not shown[largest]:
            break
        shown[largest] -= 1
    rows = ([*of[owner][: shown[owner]], *_rest(of[owner][shown[owner] :], owner)] for owner in owners)
    return list(chain.from_iterable(rows))[:room]


def _rest(plates: Sequence[Plate], owner: str) -> list[Plate]:
    more = sum(plate.item.count for plate in plates if plate.item is not None)
    return [Plate(owner, None, more)] if more else []
