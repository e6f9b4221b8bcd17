"""Watches the properties of a game while it is played."""

from __future__ import annotations

from rulewright.engine.asserting import Broken, broken_block
from rulewright.engine.machine import Engine
from rulewright.engine.records import Mode
from rulewright.engine.state import State


class Watch:
    """Give it to the :class:`Mode` of one game, played forwards: what breaks is found in :attr:`broken`.

    A property ``after each turn`` is asked when a turn is over; its ``old`` is the moment when that turn began.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.broken: list[Broken] = []
        self._begun: dict[str, list[State]] = {}

    def block(self, name: str, leaving: bool, cells: list[int]) -> None:
        """A block begins, or is over."""
        now = State.at_rest(self.engine, list(cells), Mode(), None)
        begun = self._begun.setdefault(name, [])
        if not leaving:
            begun.append(now)
        elif begun:
            self.broken.extend(broken_block(begun.pop(), now, name))
