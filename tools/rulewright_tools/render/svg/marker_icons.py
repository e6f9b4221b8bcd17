"""Markers: small discs with a drawing or a letter, and the rooms in which they stand."""

from __future__ import annotations

import drawsvg as svg

from rulewright_tools.render.colours import Palette, dark, full
from rulewright_tools.render.picture import Marker, MarkerStyle
from rulewright_tools.render.svg.svg_primitives import INK, PAPER, label


def marker(style: MarkerStyle, one: Marker, palette: Palette, x: float, y: float, size: float) -> svg.Group:
    """A marker around a point: in the colour of whom it names, else in its own."""
    number = one.value.lstrip("-").isdigit()
    named = bool(one.value) and not number
    colour = palette.colour(one.value) if named else palette.ground(style.colour) if style.colour else PAPER
    ink = PAPER if dark(full(colour)) else INK
    group = svg.Group(class_=f"marker {style.kind}")
    group.append_title(f"{style.name}: {one.value}" if one.value else style.name)
    group.append(svg.Circle(round(x, 2), round(y, 2), round(size, 2), fill=colour, stroke=INK, stroke_width=1))
    drawing = None if number else _ICONS.get(style.icon)
    if drawing is not None:
        for path, filled in drawing:
            look = {"fill": ink, "stroke": "none"} if filled else {"fill": "none", "stroke": ink}
            group.append(
                svg.Path(
                    d=path,
                    transform=f"translate({x:.2f},{y:.2f}) scale({size * 0.66:.2f})",
                    **look,
                    stroke_width=0.24,
                    stroke_linecap="round",
                )
            )
        return group
    text = one.value if number else style.sign
    fits = size * (1.3 if len(text) < 2 else 0.95)
    group.append(label(text, fits, x, y + fits * 0.36, text_anchor="middle", fill=ink, font_weight="bold"))
    return group


_ICONS: dict[str, tuple[tuple[str, bool], ...]] = {
    "swords": (("M -0.8 -0.8 L 0.7 0.7 M 0.8 -0.8 L -0.7 0.7 M 0.2 0.75 L 0.75 0.2 M -0.2 0.75 L -0.75 0.2", False),),
    "flag": (("M -0.5 -0.9 L -0.5 0.95", False), ("M -0.5 -0.9 L 0.8 -0.45 L -0.5 0.05 Z", True)),
    "eye": (("M -0.95 0 Q 0 -1 0.95 0 Q 0 1 -0.95 0 Z", False), ("M 0 -0.3 A 0.3 0.3 0 1 1 -0.01 -0.3 Z", True)),
    "crown": (("M -0.9 0.6 L -0.9 -0.5 L -0.4 0 L 0 -0.8 L 0.4 0 L 0.9 -0.5 L 0.9 0.6 Z", True),),
    "skull": (
        ("M -0.45 0.35 A 0.75 0.75 0 1 1 0.45 0.35 L 0.45 0.85 L -0.45 0.85 Z", False),
        ("M -0.3 -0.3 L -0.29 -0.1 M 0.3 -0.3 L 0.29 -0.1", False),
    ),
    "star": (("M 0 -0.95 L 0.25 -0.3 L 0.9 -0.3 L 0.4 0.12 L 0.57 0.8 L 0 0.4 L -0.57 0.8 L -0.4 0.12 L -0.9 -0.3"
              " L -0.25 -0.3 Z", True),),
    "lock": (
        ("M -0.65 -0.1 L 0.65 -0.1 L 0.65 0.85 L -0.65 0.85 Z", True),
        ("M -0.4 -0.1 L -0.4 -0.4 A 0.4 0.4 0 0 1 0.4 -0.4 L 0.4 -0.1", False),
    ),
}  # fmt: skip
"""Paths in a square of size two around a point, and whether they are filled."""
