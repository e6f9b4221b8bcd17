"""A prototype for virtual tabletops: pictures of grids of faces, of their backs and of boards, with a list of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rulewright_tools.printing import typesetting
from rulewright_tools.printing.prototype import Prototype
from rulewright_tools.printing.sheets import Sheet, grids

LARGEST = 4096
"""Dots along the longer side of a picture: what graphics cards take for certain."""

_INCH = 25.4
_FINEST = 300.0
_OTHER = re.compile(r"[^a-z0-9]+")

INDEX = "index.json"
"""The list of all pictures."""


def pictures(prototype: Prototype) -> Iterator[tuple[str, bytes]]:
    """The files, each with its name: first the pictures, last the list of what is on them."""
    index: list[dict[str, Any]] = []
    names: dict[str, int] = {}
    for group in prototype.groups:
        for grid in grids(group):
            name = _name(group.source, names)
            entry: dict[str, Any] = {"name": group.name, "faces": f"{name}.png"}
            yield f"{name}.png", _drawn(prototype, grid.faces)
            if grid.backs is not None:
                entry["backs"] = f"{name}-backs.png"
                yield f"{name}-backs.png", _drawn(prototype, grid.backs)
            size = {"columns": grid.columns, "rows": grid.rows, "count": len(grid.titles)}
            index.append(entry | size | {"titles": grid.titles})
    for number, board in enumerate(prototype.boards):
        name = _name("board", names)
        whole = {
            "label": "", "width": board.width, "height": board.height, "board": number, "x": 0, "y": 0,
            "part_width": board.width, "part_height": board.height, "glued": (False, False),
        }  # fmt: skip
        yield f"{name}.png", _page(prototype, {"board_sheets": [whole]}, board.width, board.height)
        index.append({"name": board.name, "board": f"{name}.png", "millimetres": [board.width, board.height]})
    yield INDEX, (json.dumps(index, ensure_ascii=False, indent=2) + "\n").encode()


def _name(source: str, names: dict[str, int]) -> str:
    """A name of a file that no other picture has: ``card``, ``card-2``."""
    plain = _OTHER.sub("-", source.lower()).strip("-") or "sheet"
    names[plain] = names.get(plain, 0) + 1
    return plain if names[plain] == 1 else f"{plain}-{names[plain]}"


def _drawn(prototype: Prototype, sheet: Sheet) -> bytes:
    return _page(prototype, {"sheets": [prototype.sheet_data(sheet)]}, sheet.width, sheet.height)


def _page(prototype: Prototype, part: dict[str, Any], width: float, height: float) -> bytes:
    """The one page that a part of the data gives, as fine as may be."""
    dots = min(_FINEST, (LARGEST - 1) * _INCH / max(width, height))
    return typesetting.pages(prototype.data(part), dots)[0]
