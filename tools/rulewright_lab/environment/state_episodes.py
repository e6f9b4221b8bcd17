"""Episodes played state by state and observed through views, for games that machine code does not know."""

from __future__ import annotations

from struct import pack_into, unpack_from
from typing import Any

from rulewright.engine import (
    ALL_PASSES,
    Engine,
    EngineName,
    Episodes,
    Passes,
    State,
    batch,
    native_episodes,
    random_numbers,
    start,
)
from rulewright_lab.environment.action_space import ActionSpace
from rulewright_lab.environment.observation import Observations
from rulewright_lab.environment.observation_plan import observation_plan


class StateEpisodes(Episodes):
    """A state for each game."""

    def __init__(self, engine: Engine, count: int, actions: ActionSpace, observations: Observations) -> None:
        super().__init__(engine, count, observations.size, actions.count)
        self._actions, self._layout = actions, observations
        self._entries = bytearray(count * self.stride)
        self._rows = bytearray(count * 4 * self.size)
        self._masks = bytearray(count * self.actions)
        self._states: list[State | None] = [None] * count

    @property
    def entries(self) -> Any:
        """The buffer of the entries."""
        return memoryview(self._entries)

    @property
    def observations(self) -> Any:
        """The buffer of the observations."""
        return memoryview(self._rows)

    @property
    def masks(self) -> Any:
        """The buffer of the masks."""
        return memoryview(self._masks)

    def state(self, number: int) -> State:
        """The position of a game."""
        found = self._states[number]
        assert found is not None
        return found

    def kept(self) -> Any:
        """The states, and what was written about them."""
        return self._states, bytes(self._entries), bytes(self._rows), bytes(self._masks)

    def put_back(self, kept: Any) -> None:
        """Put them back."""
        self._states, self._entries[:], self._rows[:], self._masks[:] = kept

    def act(self) -> None:
        """Go from one game to the next."""
        for number in range(self.count):
            (action,) = unpack_from("<i", self._entries, number * self.stride + batch.ACTION)
            if action >= batch.LOOK:
                self._act(number, action)

    def _act(self, number: int, action: int) -> None:
        at, entries = number * self.stride, self._entries
        learner, viewer = unpack_from("<2i", entries, at + batch.LEARNER)
        seed, key, counter = unpack_from("<qQq", entries, at + batch.SEED)
        if action == batch.BEGIN:
            counter = 0
            state = start(self.engine.program, seed & random_numbers.MASK)
        else:
            state = self.state(number)
        if action >= 0:
            legal = self._actions.legal(state)
            if action not in legal:
                pack_into("<i", entries, at + batch.STATUS, batch.REFUSED)
                return
            state = state.choose(legal.index(action))
        while state.seat is not None and learner not in (-1, state.seat):
            assert state.decision is not None
            options, chosen = len(state.decision.options), 0
            if options > 1:
                chosen, counter = random_numbers.draw(key, counter, options)
            state = state.choose(chosen)
        self._states[number] = state
        if learner < 0 and state.seat is not None:
            viewer = state.seat
        options = 0 if state.decision is None else len(state.decision.options)
        cells, layout = state.cells, self.engine.layout
        pack_into("<3i", entries, at + batch.STATUS, options, learner, viewer)
        pack_into("<q", entries, at + batch.COUNTER, counter)
        standing = (*cells[layout.ranks], *cells[layout.paid])
        pack_into(f"<{len(standing)}i", entries, at + batch.STANDING, *standing)
        row = self._layout.array(state, viewer)
        self._rows[4 * self.size * number : 4 * self.size * (number + 1)] = row.tobytes()
        mask = self._actions.mask(state) if state.seat == viewer else bytes(self.actions)
        self._masks[self.actions * number : self.actions * (number + 1)] = mask


def episodes_of(
    engine: Engine,
    wanted: EngineName,
    count: int,
    actions: ActionSpace,
    observations: Observations,
    passes: Passes = ALL_PASSES,
) -> Episodes:
    """So many games that have not begun: by machine code where it knows all that is seen, else state by state."""
    plan = observation_plan(engine, actions, observations)
    native = native_episodes(engine, wanted, count, plan, passes) if plan is not None else None
    return StateEpisodes(engine, count, actions, observations) if native is None else native
