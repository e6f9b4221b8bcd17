"""Watches the properties of a game while it is played."""

from __future__ import annotations

from functools import cached_property

from rulewright.engine.runtime.assertions import Broken, broken, broken_block, broken_step, compared, unkept
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.records import Mode
from rulewright.engine.states.state import State


class Watch:
    """Give it to the :class:`Mode` of one game, played forwards: what breaks is found in :attr:`broken`.

    A property ``after each turn`` is checked when a turn is over; its ``old`` is the moment when that turn began.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.broken: list[Broken] = []
        self.sides: dict[Broken, str] = {}
        """For what is broken both sides of the comparison that failed."""
        self._begun: dict[str, list[State]] = {}

    def block(self, name: str, leaving: bool, cells: list[int]) -> None:
        """For the engine: a block begins, or is over."""
        now = State.at_rest(self.engine, list(cells), Mode(), None)
        begun = self._begun.setdefault(name, [])
        if not leaving:
            begun.append(now)
        elif begun:
            before = begun.pop()
            found = broken_block(before, now, name)
            self.broken.extend(found)
            self.sides.update((one, compared(before, now, one)) for one in found if one not in self.sides)


class Checks:
    """Looks whether all holds that must hold, whenever one game that is played forwards rests.

    What did not hold already in the position where it `began` is not checked in it.
    """

    def __init__(self, engine: Engine, began: State | None = None) -> None:
        self.watch = Watch(engine)
        self._began = began
        self._always = any(a.word == "property" and a.after is None for a in engine.program.assertions)
        self._before: State | None = None
        self._found: dict[Broken, str] = {}

    def look(self, state: State) -> None:
        """The game rests in this state, whose cells may change later; where chance decides, nothing is looked at."""
        if not state.settled:
            return
        self._note(broken(state), state, state)
        if self._always:
            if self._before is not None:
                self._note(broken_step(self._before, state), self._before, state)
            self._before = State.at_rest(state.engine, list(state.cells), state.mode, None)

    def _note(self, found: list[Broken], before: State, after: State) -> None:
        for one in found:
            if one not in self._found:
                self._found[one] = compared(before, after, one)

    def sides(self, one: Broken) -> str:
        """The sides of the comparison by which a property was found to be broken; empty if there is none."""
        return self._found.get(one) or self.watch.sides.get(one, "")

    @cached_property
    def _spared(self) -> frozenset[Broken]:
        """Hardly ever needed: nearly always all properties hold."""
        return frozenset(unkept(self._began)) if self._began is not None else frozenset()

    @property
    def broken(self) -> tuple[Broken, ...]:
        """The assertions that did not hold, in the order in which they were found."""
        return tuple(one for one in self._failing if one not in self._spared)

    @property
    def _failing(self) -> dict[Broken, None]:
        return dict.fromkeys((*self._found, *self.watch.broken))

    @property
    def unchecked(self) -> tuple[str, ...]:
        """The assertions that did not hold, and did not where it began, either."""
        return tuple(dict.fromkeys(one[0] for one in self._failing if one in self._spared))

    @property
    def names(self) -> tuple[str, ...]:
        """A broken property in words: ``name`` or ``name (member)``."""
        return tuple(name if member is None else f"{name} ({member})" for name, member in self.broken)
