"""Playing a log again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.machine import engine_of
from rulewright.engine.records import CHANCE, RULES, LogEntry, Mode
from rulewright.engine.saving import LOG_FORMAT, LOG_VERSION
from rulewright.engine.state import State, advance
from rulewright.program.model import Program

BAD_LOG = "SAV010"


def replay(program: Program, seed: int, log: Iterable[LogEntry], ask_chance: bool = False) -> State:
    """The state that a log leads to.

    The answers of players must be in it, in order. Chance comes from the seed, so its entries may be left out; those
    that are there must be what the seed gives. With `ask_chance` they decide.
    """
    engine = engine_of(program)
    cells, stack = engine.begin(seed)
    block = engine.push(stack, program.main, ())
    state = advance(engine, cells, stack, 3, block, Mode(ask_chance), None)
    given = [entry for entry in log if entry.who != RULES]
    answers = [entry for entry in given if ask_chance or entry.who != CHANCE]
    for number, entry in enumerate(answers, 1):
        decision = state.decision
        if decision is None:
            raise _mismatch(number, f"`{entry.name}` is answered although the game is over")
        if (decision.who, decision.name) != (entry.who, entry.name):
            raise _mismatch(
                number, f"{entry.who} answers `{entry.name}`, but {decision.who} is asked `{decision.name}`"
            )
        state = state.choose(entry.key)
    drawn = [e.key for e in state.log if e.who == CHANCE]
    logged = [e.key for e in given if e.who == CHANCE]
    if logged and logged != drawn[: len(logged)]:
        raise _mismatch(0, "chance has fallen otherwise than this seed gives")
    return state


def replay_data(program: Program, data: Any) -> State:
    """The state that a log as JSON (see :func:`rulewright.engine.saving.log_data`) leads to."""
    if not isinstance(data, dict) or data.get("format") != LOG_FORMAT or data.get("version") != LOG_VERSION:
        raise RulesetError(Diagnostic(BAD_LOG, "this is no log of a game"))
    for name, value in (("game", program.game), ("players", program.players), ("options", dict(program.options))):
        if data.get(name) != value:
            raise RulesetError(Diagnostic("SAV002", f"the log is of {name} {data.get(name)!r}, this is {value!r}"))
    if data.get("variants") != list(program.variants):
        raise RulesetError(Diagnostic("SAV002", f"the log is of other variants: {data.get('variants')!r}"))
    try:
        entries = [LogEntry(e["who"], e["name"], e["key"], e.get("secret", False)) for e in data["log"]]
        seed = int(data["seed"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise RulesetError(Diagnostic(BAD_LOG, "the log is damaged")) from None
    return replay(program, seed, entries)


def _mismatch(number: int, message: str) -> RulesetError:
    where = f" (answer {number})" if number else ""
    return RulesetError(Diagnostic(BAD_LOG, f"the log does not fit the rules: {message}{where}"))
