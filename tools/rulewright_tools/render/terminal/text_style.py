"""Pieces, names and grounds as short texts for the terminal, readable with and without colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rich.text import Text

from rulewright_tools.render.colours import BACK, Palette, dark
from rulewright_tools.render.ground import Ground
from rulewright_tools.render.picture import Item, Marker, MarkerStyle, Picture, Spot, Stack, gathered

DARK, PALE = "#1b1b1e", "#ffffff"
MAY, MAY_NOT = "•", "·"
"""Stand in places that may and may not be chosen."""


class TextStyle:
    """Knows the signs of one game, which stay the same through the game."""

    def __init__(self, palette: Palette, keys: Sequence[str]) -> None:
        self._palette = palette
        self._signs = palette.signs(keys)
        self._owners: dict[str, str] = {}

    def meet(self, owners: Sequence[str]) -> None:
        """Give seats and parties signs of their own: they stand apart from pieces, and may be called as these are."""
        self._owners = self._palette.signs(owners)

    def styled(self, key: str, text: str | None = None) -> Text:
        """A key (or another text for it) in its colour, readable on light and dark terminals."""
        colour = self._palette.colour(key)
        return Text(text or key, style=f"bold {PALE if dark(colour) else DARK} on {colour}")

    def colour(self, key: str) -> str:
        """The colour of a key, for lines."""
        return self._palette.colour(key)

    def item(self, item: Item) -> Text:
        """The sign of pieces that look alike, with their number."""
        number = item.count if item.count > 1 else ""
        if item.back:
            return Text(f"{number}#", style=f"bold on {BACK}")
        # A side that lies up stands behind the key.
        sign = self._signs.get(item.key) or self._signs.get(item.key.rpartition(" (")[0]) or item.key[:2]
        badge = "" if item.badge == sign else item.badge
        if badge and sign[-1:].isdigit():
            badge = f"\N{MIDDLE DOT}{badge}"
        whose = self._owners.get(item.owner, item.owner[:1])
        return self.styled(item.hue, f"{number}{whose}{sign}{badge}")

    def owner(self, key: str) -> Text:
        """The sign of a seat or party, in its colour; nothing for anything else."""
        return self.styled(key, self._owners[key]) if key in self._owners else Text()

    def landlord(self, key: str) -> Text:
        """The sign of whose land a place is: of a piece only the letter of its colour."""
        sign = self._signs.get(key, "") if key not in self._owners else ""
        return self.styled(key, sign[0]) if sign else self.owner(key)

    def stack(self, stack: Stack) -> Text:
        """The owner of a stack, and how many lie face up and face down: ``A2#3``."""
        counts = f"{stack.up or ''}{f'#{stack.down}' if stack.down else ''}"
        return self.styled(stack.owner, f"{self._owners.get(stack.owner, '')}{counts}") if stack.owner else Text(counts)

    def stacks(self, spot: Spot, room: int) -> Text:
        """All stacks on a place: apart, if there is room for that; in the end only how many there are."""
        signs = [self.stack(stack) for stack in spot.stacks]
        for between in (" ", ""):
            text = Text(between).join(signs)
            if text.cell_len <= room:
                return text
        text = Text().join(
            self.stack(replace(stack, items=(Item("", stack.up + stack.down),))) for stack in spot.stacks
        )
        if text.cell_len > room:
            text.truncate(room - 1)
            text.append("+")
        return text

    def marker(self, style: MarkerStyle, marker: Marker) -> Text:
        """The sign of a marker, in the colour of whom it names, or with its number."""
        if marker.value.lstrip("-").isdigit():
            return Text(f"{style.sign}{marker.value}", style="bold reverse")
        return self.styled(marker.value, style.sign) if marker.value else Text(style.sign, style="bold reverse")

    def markers(self, picture: Picture, spot: Spot) -> list[Text]:
        """The signs of all markers on a place."""
        styles = {style.kind: style for style in picture.style.markers}
        return [self.marker(styles[marker.kind], marker) for marker in spot.markers]

    def items(self, items: Iterable[Item]) -> Text:
        """Pieces with their names."""
        text = Text()
        for number, (item, words) in enumerate(gathered(list(items))):
            text.append(", " if number else "")
            if item.back:
                text.append(words, style="dim")
                continue
            count = f"{item.count} " if item.count > 1 else ""
            text.append(count).append_text(self.styled(item.hue, words.removeprefix(count)))
        return text

    def on(self, spot: Spot, markers: Iterable[Text] = ()) -> Text:
        """The pieces on a place, the marks that point at it, and its markers."""
        text = Text()
        for item in spot.items:
            text.append_text(self.item(item))
        for mark in spot.marks:
            text.append(mark[:1] + "*", style="bold")
        for marker in markers:
            text.append_text(marker)
        return text

    def ground(self, ground: Ground) -> Text:
        """The sign of a ground on its colour; two spaces if it has none."""
        return Text().append(ground.sign or "  ", style=f"{on(ground)} bold")

    def square(
        self, spot: Spot, ground: Ground | None, width: int, may: bool, empty: str = "", markers: Iterable[Text] = ()
    ) -> Text:
        """A place in one line of `width` characters: ground, what lies there, and whether it may be chosen."""
        sign = ground.sign if ground else ""
        lies = self.on(spot, markers)
        tail = MAY if may and (sign or lies) else ""
        if lies.cell_len + len(tail) + len(sign) > width:
            sign = ""
        lies.truncate(max(1, width - len(tail)))
        middle = lies if lies else Text("" if sign else MAY if may else empty, style="" if may else "dim")
        around = width - len(sign) - len(tail) - middle.cell_len
        before = min(around, max(1 if sign else 0, (width - middle.cell_len) // 2 - len(sign)))
        text = Text(style=on(ground) if ground else "")
        text.append(sign, style="bold").append(" " * before).append_text(middle)
        return text.append(" " * (around - before)).append(tail, style="bold")

    def legend(self, picture: Picture) -> list[Text]:
        """The meaning of the signs on a picture, an entry each."""
        lying = [item for spot in picture.everywhere for item in spot.items]
        shown = sorted({item.key for item in lying if not (item.back or item.owner)})
        short = [key for key in shown if key in self._signs and self._signs[key].lower() != key.lower()]
        entries = []
        names = {item.key: item.name for item in lying}
        for item, words in gathered([Item(key, 1, name=names[key]) for key in short]):
            name = item.name or item.key
            sign, (stem, _, number) = self._signs[item.key], name.rpartition(" ")
            if words != name and sign.endswith(number):
                # Signs that end with the number as well are joined into one.
                sign = sign.removesuffix(number) + words.removeprefix(f"{stem} ").replace(", ", ",")
                words = stem
            entries.append(Text().append_text(self.styled(item.key, sign)).append(f" {words}"))
        figures = sorted({item.key for item in lying if item.owner})
        entries += [Text(self._signs.get(key, key[:2]), style="bold").append(f" {key}") for key in figures]
        used = {spot.ground for spot in picture.everywhere}
        grounds = [ground for ground in picture.grounds if ground.key in used]
        entries += [self.ground(ground).append(f" {ground.title}") for ground in grounds]
        for style in picture.markers:
            entries.append(self.marker(style, Marker(style.kind)).append(f"{'':{3 - len(style.sign)}}{style.name}"))
        return entries + self._owned(picture)

    def _owned(self, picture: Picture) -> list[Text]:
        """The owners whose signs stand on the map, and a sample of a stack."""
        stacks = [stack for spot in picture.everywhere for stack in spot.stacks]
        figures = (item.owner for spot in picture.everywhere for item in spot.items)
        owners = dict.fromkeys(
            [*(stack.owner for stack in stacks), *figures, *(spot.rim for spot in picture.everywhere)]
        )
        entries = [self.owner(key).append(f"  {key}") for key in sorted(owners) if key in self._owners]
        land = {self.landlord(key).plain: key for key in reversed(owners) if key and key not in self._owners}
        signs = Text(" ").join(self.landlord(key) for _, key in sorted(land.items()))
        entries += [signs.append(f"  {picture.style.land}")] if land else []
        return entries + ([Text("2#3 2 face up, 3 down")] if stacks else [])


def on(ground: Ground) -> str:
    """The style of text upon a ground."""
    return f"{PALE if dark(ground.colour) else DARK} on {ground.colour}"
