"""Playing a log again."""

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
from rulewright.engine.persistence.restoring import seed_from
from rulewright.engine.persistence.saving import LOG_FORMAT, LOG_VERSION, entries_from, log_data
from rulewright.engine.runtime.machine import engine_of
from rulewright.engine.runtime.records import CHANCE, RULES, Log, LogEntry, Mode
from rulewright.engine.states.state import State, advance
from rulewright.host.api_arguments import invalid_argument, truth, whole
from rulewright.ir.model import Program
from rulewright.ir.transform.passes import SHARED

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
