"""The state as a notebook shows it: the picture that whoever has loaded the game can draw, and what is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.records import Decision, Result, outcome
from rulewright.foundation.notebook_html import image, paragraph

FIRST = 24
"""So many options are shown."""


class Showable(Protocol):
    """A state, as far as it is shown."""

    engine: Engine

    @property
    def decision(self) -> Decision | None:
        """The question that is asked."""

    @property
    def result(self) -> Result | None:
        """The end of the game."""


def lay_picture(engine: Engine, draw: Callable[[Any], str | None]) -> None:
    """Let the states of an engine be drawn by a function from a state to SVG, or to nothing."""
    engine.cache("picture")["draw"] = draw


def svg_of(state: Showable) -> str | None:
    """The picture of a state; None if nobody can draw it."""
    draw: Callable[[Any], str | None] | None = state.engine.cache("picture").get("draw")
    return None if draw is None else draw(state)


def html_of(state: Showable) -> str:
    """The picture, and who is asked what, or how the game has ended."""
    svg, title = svg_of(state), state.engine.program.title
    shown = image(svg, title) if svg is not None else ""
    if state.result is not None:
        return f"<div>{shown}{paragraph(f'{title}: {outcome(state.result)}')}</div>"
    decision = state.decision
    if decision is None:
        return f"<div>{shown}{paragraph(title)}</div>"
    keys = [option.key for option in decision.options]
    more = f", and {len(keys) - FIRST} more" if len(keys) > FIRST else ""
    options = f"{', '.join(keys[:FIRST])}{more}"
    return f"<div>{shown}{paragraph(f'{title}: {decision.who} is asked {decision.name}: {options}')}</div>"
