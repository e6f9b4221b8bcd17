"""Positions as the render modes of Gymnasium and PettingZoo want them: printed, as a text, as pixels."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np
from gymnasium.error import Error
from numpy.typing import NDArray

from rulewright.diagnostics import listing
from rulewright.engine import State
from rulewright.play import Game, drawing

MODES = ("human", "ansi", "rgb_array")
WIDTH = 100
"""Columns of a text."""


def checked_mode(mode: str | None) -> str | None:
    """A render mode, if there is one of this name."""
    if mode is not None and mode not in MODES:
        raise Error(f"there is no render mode `{mode}`: there is {listing(MODES)}")
    return mode


def rendered(game: Game, state: State, mode: str | None) -> Any:
    """The whole position as a mode wants it; None where nothing is to be given back. With ``human`` it is printed."""
    if mode == "rgb_array":
        return pixels(drawing().svg(game, state, None))
    if mode is None:
        return None
    shown = drawing().text(game, state, None, WIDTH)
    if mode == "ansi":
        return shown
    print(shown, end="", flush=True)
    return None


def pixels(svg: str) -> NDArray[np.uint8]:
    """An SVG file as rows of pixels, red, green and blue."""
    import vl_convert
    from PIL import Image

    with Image.open(BytesIO(vl_convert.svg_to_png(svg))) as image:
        return np.asarray(image.convert("RGB"), np.uint8)
