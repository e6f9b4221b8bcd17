"""Games from files: saves, with one clear error for whatever is wrong, and logs, which are played again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.persistence.invalid_save import (
    InvalidSave,
    bad,
    difference,
    misshapen,
    plain,
    same_game,
    shortened,
)
from rulewright.engine.persistence.restoring import Frames, cells_from, seed_from
from rulewright.engine.persistence.saving import (
    FORMAT,
    LOG_FORMAT,
    LOG_VERSION,
    SEATS,
    VERSION,
    checksum,
    entries_from,
    log_data,
    unsigned,
)
from rulewright.engine.runtime.machine import ASK, DRAW, Engine, engine_of
from rulewright.engine.runtime.records import CHANCE, RULES, Log, LogEntry, Mode, linked
from rulewright.engine.states.simultaneous_answers import restored
from rulewright.engine.states.state import State, advance
from rulewright.host.api_arguments import invalid_argument, truth, whole
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
    if not state.simultaneous_node.holds_together(state.stack):
        raise bad("SAV006", "`frames`: those who decide at once and what they have decided do not fit together")
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


BAD_LOG = "SAV010"


def replay(
    program: Program,
    seed: int,
    log: Iterable[LogEntry],
    ask_chance: bool | None = None,
    passes: Collection[str] = SHARED,
) -> State:
    """The state that a log leads to.

    The answers of players must be in it, in order. Chance comes from the seed, so its entries may be left out; those
    that are there must be what the seed gives. With `ask_chance` they decide; left open, it is as in the log if it
    is that of a state (:attr:`State.log`).
    """
    if ask_chance is None:
        ask_chance = log.ask_chance if isinstance(log, Log) else False
    given = _answers(log)
    engine = engine_of(program, passes)
    cells, stack = engine.begin(whole("the seed", seed))
    block = engine.push(stack, program.main, ())
    state = advance(engine, cells, stack, 3, block, Mode(truth("ask_chance", ask_chance)), None)
    answers = [entry for entry in given if ask_chance or entry.who != CHANCE]
    for number, entry in enumerate(answers, 1):
        try:
            state = _answered(state, number, entry)
        except RulesetError:
            _compare_chance(given, state, seed)
            raise
    _compare_chance(given, state, seed)
    drawn = sum(e.who == CHANCE for e in state.log)
    if drawn < sum(e.who == CHANCE for e in given):
        raise _mismatch(0, f"chance has drawn only {drawn} times", _WITH_CHANCE)
    return state


def _answered(state: State, number: int, entry: LogEntry) -> State:
    """The state after one more answer."""
    decision = state.decision
    if decision is None:
        raise _mismatch(number, f"`{entry.name}` is answered although the game is over")
    if entry.who != CHANCE and decision.who not in (CHANCE, entry.who):
        state = state.turn_of(entry.who) or state
        decision = state.decision or decision
    if (decision.who, decision.name) != (entry.who, entry.name):
        message = f"{entry.who} answers `{entry.name}`, but {decision.who} is asked `{decision.name}`"
        raise _mismatch(number, message, _WITH_CHANCE if CHANCE in (entry.who, decision.who) else "")
    return state.choose(entry.key)


def _compare_chance(given: list[LogEntry], state: State, seed: int) -> None:
    """RulesetError if chance has fallen otherwise than in a log."""
    drawn = [e.key for e in state.log if e.who == CHANCE]
    logged = [e.key for e in given if e.who == CHANCE]
    for number, (key, other) in enumerate(zip(logged, drawn, strict=False), 1):
        if key != other:
            message = f"draw {number} of chance is `{key}`, and the seed {seed} gives `{other}`"
            raise _mismatch(0, message, f"give the seed with which the game was started; {_WITH_CHANCE}")


_WITH_CHANCE = "if chance was a decision in this game, `ask_chance=True` must be given here, too"


def _answers(log: object) -> list[LogEntry]:
    """The entries of a log that were answers."""
    if not isinstance(log, Iterable):
        raise invalid_argument("the log", log, "it must be a series of LogEntry, such as `state.log`")
    given = []
    for number, entry in enumerate(log, 1):
        if not isinstance(entry, LogEntry) or not isinstance(entry.key, str):
            raise invalid_argument(f"entry {number} of the log", entry, "it must be a LogEntry, as in `state.log`")
        if entry.who != RULES:
            given.append(entry)
    return given


def replay_data(program: Program, data: Any) -> State:
    """The state that a log as JSON (see :func:`rulewright.engine.persistence.saving.log_data`) leads to.

    Unlike :func:`replay` it takes only what a state would write: nothing left out, nothing besides.
    """
    try:
        return _replayed(program, data)
    except InvalidSave as damage:
        raise damage.error() from None


def _replayed(program: Program, data: Any) -> State:
    if not isinstance(data, Mapping) or data.get("format") != LOG_FORMAT:
        raise bad(BAD_LOG, "this is not the log of a game")
    data = dict(data)
    size = plain(data, BAD_LOG)
    if type(data.get("version")) is not int or data["version"] != LOG_VERSION:
        raise bad(BAD_LOG, f"this log has version {shortened(data.get('version'))}; only {LOG_VERSION} can be read")
    same_game(program, data, "log")
    try:
        entries = entries_from(engine_of(program), data["log"])
        seed, ask_chance = seed_from(data["seed"]), data["ask_chance"] is True
    except (KeyError, TypeError, ValueError, AttributeError):
        raise misshapen(data, size, "log", BAD_LOG) or bad(BAD_LOG, "the log is damaged") from None
    state = replay(program, seed, entries, ask_chance)
    if differs := difference(data, log_data(state)):
        raise misshapen(data, size, "log", BAD_LOG) or bad(BAD_LOG, f"no game has this log: {differs}")
    return state


def _mismatch(number: int, message: str, hint: str = "") -> RulesetError:
    where = f" (answer {number})" if number else ""
    return RulesetError(Diagnostic(BAD_LOG, f"the log does not fit the rules: {message}{where}", hint=hint))
