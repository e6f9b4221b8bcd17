"""States as values: never changed, equal when equal, saved and loaded with every bit."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from building import c, choose, entity, field, function, get, list_of, put
from building import program as made
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from programs import courts, hidden, race

from rulewright.diagnostics import RulesetError
from rulewright.engine import Playout, State, broken, broken_step, load, log_data, replay, replay_data, start
from rulewright.engine.persistence.saving import checksum
from rulewright.foundation.resources import share
from rulewright.ir import model as m
from rulewright.ir.model import Program, Slot

PROGRAMS = {"race": race(), "courts": courts(3, turns=12), "hidden": hidden()}
SAVE = Draft202012Validator(json.loads((share("schemas") / "save.schema.json").read_text()))
LOG = Draft202012Validator(json.loads((share("schemas") / "log.schema.json").read_text()))

games = st.sampled_from(sorted(PROGRAMS))
seeds = st.integers(0, 2**64 - 1)
picks = st.lists(st.integers(0, 999), max_size=25)


def walk(state: State, picked: list[int]) -> list[State]:
    states = [state]
    for pick in picked:
        decision = states[-1].decision
        if decision is None:
            break
        states.append(states[-1].choose(pick % len(decision.options)))
    return states


@settings(max_examples=30)
@given(games, seeds, picks, st.booleans())
def test_saved_is_loaded_is_replayed(name: str, seed: int, picked: list[int], ask_chance: bool) -> None:
    program = PROGRAMS[name]
    states = walk(start(program, seed, ask_chance), picked)
    before = [(s.to_bytes(), hash(s)) for s in states]
    for state in states[-3:]:
        data = json.loads(json.dumps(state.save()))
        SAVE.validate(data)
        loaded = load(program, data)
        assert loaded == state
        assert (loaded.to_bytes(), loaded.digest(), hash(loaded)) == (state.to_bytes(), state.digest(), hash(state))
        assert loaded.decision == state.decision
        assert loaded.log == state.log
        assert loaded.save() == state.save()
        assert replay(program, seed, state.log, ask_chance) == state
        if not ask_chance:
            log = json.loads(json.dumps(log_data(state)))
            LOG.validate(log)
            assert replay_data(program, log) == state
        if state.decision is not None:
            assert loaded.choose(0) == state.choose(0)
    assert before == [(s.to_bytes(), hash(s)) for s in states], "an old state has changed"


@settings(max_examples=20)
@given(games, seeds, picks)
def test_equal_bytes_are_equal_states(name: str, seed: int, picked: list[int]) -> None:
    states = walk(start(PROGRAMS[name], seed), picked) + walk(start(PROGRAMS[name], seed), picked[:5])
    by_bytes: dict[bytes, State] = {}
    for state in states:
        other = by_bytes.setdefault(state.to_bytes(), state)
        assert other == state
        assert hash(other) == hash(state)
    assert len(set(by_bytes.values())) == len(by_bytes)


@settings(max_examples=10)
@given(games, st.integers(0, 2**32))
def test_a_playout_is_the_same_game(name: str, seed: int) -> None:
    program = PROGRAMS[name]
    played = Playout(program).play(seed, keep=True)
    state = start(program, seed)
    for answer in played.answers:
        state = state.choose(answer)
    assert state == played.state
    assert state.result is not None
    assert played.finished
    assert state.result.rule == played.rule
    assert not broken(state)


def test_assertions_are_asked() -> None:
    program = PROGRAMS["courts"]
    states = walk(start(program, 3), [0, 15, 2, 15, 1, 15, 4] * 6)
    assert all(not broken(s) for s in states)
    assert all(not broken_step(a, b) for a, b in pairwise(states))
    assert broken_step(states[-1], states[0]) == [("turns_grow", None)]
    last = states[-1]
    colours = [key for key in last.engine.layout.universes["Colour"].keys if last.ask("leader", key) is not None]
    cells = list(last.cells)
    place = last.engine.layout.fields["control"].at
    for i in range(5):
        cells[place + i] = (cells[place + i] + 1) % 3
    bent = State(last.engine, cells, [], last.engine.registers(0), -4, last.mode, None)
    assert broken(bent) == [("led", colour) for colour in colours]
    assert colours


CHILD = """
import sys
from contextlib import suppress
from itertools import pairwise
sys.path[:0] = {paths!r}
from programs import courts
from rulewright.engine import start
state = start(courts(3), 11)
for step in range(60):
    state = state.choose(step * 7 % len(state.decision.options))
print(state.digest(), state.log[-1], state.decision, sorted(state.view(1).items()), state.save()["checksum"])
"""


def test_the_same_bytes_whatever_the_hash_seed() -> None:
    code = CHILD.format(paths=[str(Path(__file__).parent), *sys.path])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "31337")
    }
    assert len(outputs) == 1
    assert outputs != {""}


# ------------------------------------------------------------------------------------------------ damage


def code_of(program: Program, data: Any) -> str:
    with pytest.raises(RulesetError) as caught:
        load(program, data)
    assert len(caught.value.diagnostics) == 1
    return caught.value.diagnostics[0].code


def resealed(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "checksum": checksum(data)}


def test_a_damaged_save_is_one_clear_error() -> None:
    program = PROGRAMS["courts"]
    data = walk(start(program, 3), [1] * 9)[-1].save()
    assert load(program, data)

    def broken_by(change: Any) -> str:
        copy = json.loads(json.dumps(data))
        change(copy)
        return code_of(program, resealed(copy))

    for nothing in (None, [], {}, "text", 3, {"format": "other"}):
        assert code_of(program, nothing) == "SAV001"
    assert code_of(program, {**data, "version": 1}) == "SAV001"
    assert code_of(program, {**data, "players": 2}) == "SAV002"
    assert code_of(program, {**data, "game": "other"}) == "SAV002"
    assert code_of(program, {**data, "program": "0" * 32}) == "SAV002"
    assert code_of(program, {**data, "seed": "4"}) == "SAV003"
    assert code_of(PROGRAMS["race"], data) == "SAV002"
    assert broken_by(lambda d: d.pop("fields")) == "SAV004"
    assert broken_by(lambda d: d["fields"].pop("control")) == "SAV004"
    assert broken_by(lambda d: d["fields"].update(nonsense=1)) == "SAV004"
    assert broken_by(lambda d: d["fields"]["control"].update(red="nobody")) == "SAV005"
    assert broken_by(lambda d: d["fields"].update(turns=None)) == "SAV005"
    assert broken_by(lambda d: d["zones"].update(attic=[])) == "SAV004"
    assert broken_by(lambda d: d["zones"]["box"].append(d["zones"]["box"][0])) == "SAV007"
    assert broken_by(lambda d: d["zones"]["box"].pop()) == "SAV007"
    assert broken_by(lambda d: d["zones"]["box"][0].update(key="green cube")) == "SAV005"
    assert broken_by(lambda d: d["zones"]["box"][0].update(piece=9999)) == "SAV005"
    assert broken_by(lambda d: d["frames"].pop()) == "SAV006"
    assert broken_by(lambda d: d["frames"][-1].update(at="nowhere")) == "SAV006"
    assert broken_by(lambda d: d["frames"][-1].update(rule="nothing")) == "SAV006"
    assert broken_by(lambda d: d["frames"][-1]["locals"].clear()) == "SAV004"
    assert broken_by(lambda d: d.update(zones=[])) == "SAV004"
    assert broken_by(lambda d: d.update(log=[{}])) == "SAV004"


def test_a_list_holds_nothing_only_where_a_rule_can_store_that() -> None:
    """The members that a list field may hold are derived from the values that rules store in it."""

    def choosing(second: m.Expr) -> Program:
        code = [
            put("row", m.MakeList((c(1), second, c(0)))),
            choose("p", c(0), m.ToSet(get("row")), 0, "Player"),
            m.FinishWin(c(1), "end"),
        ]
        row = field("row", list_of("Player", 3), initial=())
        return made(fields=(row,), functions=(function("game", code, (Slot("p", entity("Player")),)),))

    holding = start(choosing(m.Item(get("row"), c(5))))
    assert holding.save()["fields"] == {"row": ["blue", None, "red"]}
    assert load(holding.engine.program, holding.save()) == holding
    full = start(choosing(c(1)))
    assert load(full.engine.program, full.save()) == full
    data = full.save()
    data["fields"]["row"] = ["blue", None, "red"]
    assert code_of(full.engine.program, resealed(data)) == "SAV005"


@settings(max_examples=40)
@given(st.data())
def test_no_damage_is_a_traceback(data: st.DataObject) -> None:
    """Something anywhere in a save is replaced by something else; it is refused or harmless, never a traceback."""
    program = PROGRAMS["courts"]
    saved = json.loads(json.dumps(walk(start(program, 3), [1] * 9)[-1].save()))
    here: Any = saved
    while True:
        keys = sorted(here) if isinstance(here, dict) else range(len(here))
        if not keys:
            break
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(here[key], dict | list) or data.draw(st.integers(0, 4)) == 0:
            here[key] = data.draw(st.sampled_from([None, True, -1, 10**9, "x", [], {}, [1], {"a": 1}, 1.5]))
            break
        here = here[key]
    with suppress(RulesetError):
        load(program, resealed(saved))


def test_a_log_that_does_not_fit() -> None:
    program = PROGRAMS["courts"]
    state = walk(start(program, 3), [1] * 9)[-1]
    for change in (
        {"game": "other"},
        {"format": ""},
        {"log": [{}]},
        {"seed": "x"},
        {"seed": "99"},
        {"variants": ["x"]},
    ):
        with pytest.raises(RulesetError):
            replay_data(program, {**log_data(state), **change})
    with pytest.raises(RulesetError, match="does not fit"):
        replay(program, 3, state.log[:2] + state.log[5:])
