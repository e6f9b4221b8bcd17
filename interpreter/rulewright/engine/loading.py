"""Loading a saved game, with one clear error for whatever is wrong with it."""

from __future__ import annotations

from typing import Any

from rulewright.engine.damage import Damage, bad
from rulewright.engine.machine import ASK, DRAW, engine_of
from rulewright.engine.records import LogEntry, Mode, linked
from rulewright.engine.restoring import cells_from, stack_from
from rulewright.engine.saving import FORMAT, VERSION, checksum
from rulewright.engine.state import State
from rulewright.program.model import Program


def load(program: Program, data: Any) -> State:
    """The state of a saved game; :class:`RulesetError` if the data is not one, or not one of this game."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise bad("SAV001", "this is no saved game of Rulewright").error()
    if data.get("version") != VERSION:
        raise bad("SAV001", f"this save has version {data.get('version')!r}; only {VERSION} can be read").error()
    wanted = {
        "game": program.game,
        "players": program.players,
        "variants": list(program.variants),
        "options": dict(program.options),
    }
    for name, value in wanted.items():
        if data.get(name) != value:
            raise bad("SAV002", f"the save is of {name} {data.get(name)!r}, this is {value!r}").error()
    if data.get("program") != program.digest:
        raise bad("SAV002", "the rules have changed since the game was saved").error()
    if data.get("checksum") != checksum(data):
        raise bad("SAV003", "the save is damaged: its checksum does not fit").error()
    try:
        return _load(program, data)
    except Damage as damage:
        raise damage.error() from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        raise bad("SAV004", f"the save is damaged: {type(problem).__name__} {problem}").error() from None


def _load(program: Program, data: dict[str, Any]) -> State:
    engine = engine_of(program)
    cells = cells_from(engine, data)
    stack, base = stack_from(engine, data["frames"])
    log = [
        LogEntry(e["who"], e["name"], e["key"], e.get("secret", False), tuple(e["seen_by"]) if "seen_by" in e else None)
        for e in data["log"]
    ]
    mode = Mode(bool(data["ask_chance"]), bool(data["whole"]))
    if not stack:
        return State.at_rest(engine, cells, mode, linked(log))
    question = engine.compiled.questions.get((stack[base - 3], stack[base - 2]))
    if question is None:
        raise bad("SAV006", f"the game cannot rest at {data['frames'][-1]['at']!r}")
    registers = engine.registers(base)
    saved_cells, saved_stack = list(cells), list(stack)
    status = engine.run(cells, stack, registers, question.block)
    if status not in (ASK, DRAW) or cells != saved_cells or stack != saved_stack:
        raise bad("SAV006", f"nothing is asked at {data['frames'][-1]['at']!r} in this position")
    return State(engine, cells, stack, registers, status, mode, linked(log))
