"""The moments of a game that was played: its states, from before the first rule on, with every outcome of chance."""

from __future__ import annotations

from rulewright.engine.hidden_information.history import origin_of, played_again
from rulewright.engine.runtime.records import Mode
from rulewright.engine.states.state import State, advance
from rulewright.engine.states.told_lines import Note


def moments(state: State) -> tuple[tuple[State, list[Note]], ...]:
    """The states through which a game has come to this one, each with the lines that rules have told on the way to
    it, found by playing its log again. The first is that before any rule was carried out. Of a state without the whole
    of its log only itself."""
    played: list[tuple[State, list[Note]]] = played_again(state, advance)
    if not played:
        return ((state, []),)
    return (State.at_rest(state.engine, list(origin_of(state).cells), Mode(True), None), []), *played
