"""Loading a saved game, with one clear error for whatever is wrong with it.

A save is accepted only if the state that it gives would be saved as the same bytes. So nothing in it is ignored but who
plays which seat, which is not part of the state, and nothing needs a second rule about its form: where reading fails,
the schema gives the reason.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.persistence.frame_validation import Frames
from rulewright.engine.persistence.invalid_save import (
    InvalidSave,
    bad,
    difference,
    misshapen,
    plain,
    same_game,
    shortened,
)
from rulewright.engine.persistence.restoring import cells_from
from rulewright.engine.persistence.saving import FORMAT, SEATS, VERSION, checksum, entries_from, unsigned
from rulewright.engine.runtime.machine import ASK, DRAW, Engine, engine_of
from rulewright.engine.runtime.records import LogEntry, Mode, linked
from rulewright.engine.states.simultaneous_answers import restored
from rulewright.engine.states.state import State, advance
from rulewright.ir.model import Program
from rulewright.ir.transform.passes import SHARED


def load(program: Program, data: Any, passes: Collection[str] = SHARED) -> State:
    """The state of a saved game; :class:`RulesetError` if the data is not one, or not one of this game."""
    try:
        return _load(program, data, passes)
    except InvalidSave as damage:
        raise damage.error() from None


def _load(program: Program, data: Any, passes: Collection[str]) -> State:
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise bad("SAV001", "this is not a saved game of Rulewright")
    data = {key: value for key, value in data.items() if key != SEATS}
    size = plain(data, "SAV004")
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise bad("SAV001", f"this save has version {shortened(data.get('version'))}; only {VERSION} can be read")
    same_game(program, data, "save")
    if data.get("program") != program.digest:
        raise bad("SAV002", "the rules have changed since the game was saved")
    if data.get("checksum") != checksum(data):
        raise bad("SAV003", "the save is damaged: its checksum does not match")
    try:
        state = _restored(engine_of(program, passes), data)
        # That of the data is right, so where all else is the same it is that of the state.
        differs = difference(data, unsigned(state) | {"checksum": data["checksum"]})
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as problem:
        cause = bad("SAV004", f"the save is damaged: {type(problem).__name__} {shortened(str(problem))}")
        raise misshapen(data, size, "save", "SAV004") or cause from None
    if differs:
        raise misshapen(data, size, "save", "SAV004") or bad("SAV008", f"no game is saved like this: {differs}")
    return state


def _restored(engine: Engine, data: dict[str, Any]) -> State:
    """The state that the parts of a save describe."""
    cells = cells_from(engine, data)
    mode = Mode(data["ask_chance"] is True, data["whole"] is True)
    log = linked(entries_from(engine, data["log"]))
    if data["result"] is not None and data["frames"]:
        raise bad("SAV006", "the game is over, but rules are being carried out")
    if not data["frames"]:
        if data["result"] is None and mode.whole:
            raise bad("SAV006", "no rule is being carried out, but the game is not over")
        return State.at_rest(engine, cells, mode, log)
    frames = Frames(engine, mode)
    frames.build(data["frames"])
    stack, base = frames.stack, frames.base
    question = engine.question(stack, base)
    registers = engine.registers(base)
    saved_cells, saved_stack = list(cells), list(stack)
    try:
        status = engine.run(cells, stack, registers, question.block)
    except RulesetError as error:
        given_data = error.diagnostics[0].message
        raise bad("SAV006", f"`{question.name}` cannot be asked in this position: {given_data}") from None
    if status not in (ASK, DRAW) or cells != saved_cells or stack != saved_stack:
        raise bad("SAV006", f"`{question.name}` is not asked in this position")
    return _with_answers(State(engine, cells, stack, registers, status, mode, log), data)


def _with_answers(state: State, data: dict[str, Any]) -> State:
    """The state of a save with what was answered at once with others."""
    if state.simultaneous_node is None:
        return state
    given_data = data["at_once"]
    early = given_data["ahead"]
    entries = list(state.log)
    given = given_data["given"]
    if type(given) is not int or not 0 <= given + len(early) <= len(entries):
        raise bad("SAV006", f"`at_once`: {shortened(given)} answers cannot have been given")
    first = len(entries) - len(early)
    if not all(entry.secret for entry in entries[first - given :]):
        raise bad("SAV006", "`at_once`: these answers were not given at once with others")
    state = state.with_log(entries[:first], given)
    by_turn: dict[int, tuple[LogEntry, ...]] = {}
    for turn, entry in zip(early, entries[first:], strict=True):
        by_turn[turn] = (*by_turn.get(turn, ()), entry)
    found = state.simultaneous_node
    assert found is not None
    if not all(found.position(state.stack) < turn < len(found.members(state.stack)) for turn in by_turn):
        raise bad("SAV006", "`at_once`: nobody has their turn there")
    return restored(state, tuple(sorted(by_turn.items())), advance)
