"""Pieces, names and grounds as short texts for the terminal, readable with and without colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from rulewright_tools.render.colours import BACK, Palette, dark
from rulewright_tools.render.ground import Ground
from rulewright_tools.render.picture import Item, Picture, Spot, gathered

DARK, PALE = "#1b1b1e", "#ffffff"
MAY, MAY_NOT = "•", "·"
"""Stand in places that may and may not be chosen."""


class TextStyle:
    """Knows the signs of one game, which stay the same through the game."""

    def __init__(self, palette: Palette, keys: Sequence[str]) -> None:
        self._palette = palette
        self._signs = palette.signs(keys)

    def styled(self, key: str, text: str | None = None) -> Text:
        """A key (or another text for it) in its colour, readable on light and dark terminals."""
        colour = self._palette.colour(key)
        return Text(text or key, style=f"bold {PALE if dark(colour) else DARK} on {colour}")

    def item(self, item: Item) -> Text:
        """The sign of pieces that look alike, with their number."""
        number = item.count if item.count > 1 else ""
        if item.back:
            return Text(f"{number}#", style=f"bold on {BACK}")
        return self.styled(item.key, f"{number}{self._signs.get(item.key, item.key[:2])}")

    def items(self, items: Iterable[Item]) -> Text:
        """Pieces with their names."""
        text = Text()
        for number, (item, words) in enumerate(gathered(list(items))):
            text.append(", " if number else "")
            if item.back:
                text.append(words, style="dim")
                continue
            count = f"{item.count} " if item.count > 1 else ""
            text.append(count).append_text(self.styled(item.key, words.removeprefix(count)))
        return text

    def on(self, spot: Spot) -> Text:
        """The pieces on a place, and the marks that point at it."""
        text = Text()
        for item in spot.items:
            text.append_text(self.item(item))
        for mark in spot.marks:
            text.append(mark[:1] + "*", style="bold")
        return text

    def ground(self, ground: Ground) -> Text:
        """The sign of a ground on its colour; two spaces if it has none."""
        return Text().append(ground.sign or "  ", style=f"{on(ground)} bold")

    def square(self, spot: Spot, ground: Ground | None, width: int, may: bool, empty: str = "") -> Text:
        """A place in one line of `width` characters: ground, what lies there, and whether it may be chosen."""
        sign = ground.sign if ground else ""
        lies = self.on(spot)
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
        shown = sorted({item.key for spot in picture.spots for item in spot.items if not item.back})
        short = [key for key in shown if key in self._signs and self._signs[key].lower() != key.lower()]
        entries = []
        names = {item.key: item.name for spot in picture.spots for item in spot.items}
        for item, words in gathered([Item(key, 1, name=names[key]) for key in short]):
            name = item.name or item.key
            sign, (stem, _, number) = self._signs[item.key], name.rpartition(" ")
            if words != name and sign.endswith(number):
                # Signs that end with the number as well are told in one.
                sign = sign.removesuffix(number) + words.removeprefix(f"{stem} ").replace(", ", ",")
                words = stem
            entries.append(Text().append_text(self.styled(item.key, sign)).append(f" {words}"))
        used = {spot.ground for spot in picture.spots}
        grounds = [ground for ground in picture.grounds if ground.key in used]
        return entries + [self.ground(ground).append(f" {ground.title}") for ground in grounds]


def on(ground: Ground) -> str:
    """The style of text upon a ground."""
    return f"{PALE if dark(ground.colour) else DARK} on {ground.colour}"
