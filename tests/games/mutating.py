"""Saves and logs that are changed somewhere: nothing that is accepted may be of another form, or stop the game."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import rulewright as rw
from rulewright.engine import log_data, replay_data
from rulewright.engine.persistence.saving import checksum

Path = tuple[str | int, ...]

STRANGE: tuple[Any, ...] = (
    *(None, True, False, "", "x", "0", "1.5", "true", "none", "chance", "rules", "\ud800", "a\x00b", "é" * 9),
    *(-1, 0, 1, 2, 3, 7, 255, 2**31 - 1, 2**31, -(2**31), 2**63, 2**64 - 1, 2**64, 10**5000, "9" * 20, "9" * 5000),
    *(1.5, 1.0, -0.0, float("nan"), float("inf"), [], {}, [1], [None], [[]], [True], {"a": 1}, {"": []}),
)
"""Values to put where something else stood."""

INSIDE = "RUN013"
"""The rules gave an impossible value: no rule may come to that from a save that was accepted."""


def changed(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A copy with one to three changes anywhere."""
    copy = json.loads(json.dumps(data))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        _change(copy, rng)
    return copy  # type: ignore[no-any-return]


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """The same with a checksum that fits, as one would write it who knows how it is made."""
    try:
        return {**data, "checksum": checksum(data)} if "checksum" in data else data
    except (ValueError, TypeError):
        return data


def _change(data: Any, rng: random.Random) -> None:
    """Change one thing: each level of nesting is as likely to be met, but what a save is of seldom."""
    here = data
    if rng.random() < 0.85:
        deep = [inside for inside in data.values() if isinstance(inside, dict | list) and inside]
        here = rng.choice(deep) if deep else data
    while True:
        keys: list[Any] = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            here[0 if isinstance(here, list) else "x"] = 1 if isinstance(here, dict) else here.append(1)
            return
        key = rng.choice(keys)
        inside = here[key]
        if isinstance(inside, dict | list) and inside and rng.random() < 0.8:
            here = inside
            continue
        rng.choice(_CHANGES)(data, here, key, rng)
        return


def _delete(_: Any, here: Any, key: Any, rng: random.Random) -> None:
    del here[key]


def _double(_: Any, here: Any, key: Any, rng: random.Random) -> None:
    if isinstance(here, list):
        here.insert(rng.randrange(len(here) + 1), deepcopy(here[key]))
    else:
        here[f"{key} again"] = deepcopy(here[key])


def _strange(_: Any, here: Any, key: Any, rng: random.Random) -> None:
    here[key] = deepcopy(rng.choice(STRANGE))  # later changes must not reach what the next input is given


def _near(_: Any, here: Any, key: Any, rng: random.Random) -> None:
    value = here[key]
    if isinstance(value, bool):
        here[key] = not value
    elif isinstance(value, int):
        here[key] = value + rng.choice((-2, -1, 1, 2, 100))
    elif isinstance(value, str):
        here[key] = value[: rng.randrange(len(value) + 1)] if rng.random() < 0.5 else value + rng.choice("0x ")
    else:
        here[key] = None


def _exchange(data: Any, here: Any, key: Any, rng: random.Random) -> None:
    """Take a value that stands elsewhere, most often nearby."""
    within = here if rng.random() < 0.6 else data
    found = list(_leaves(within))
    if found:
        here[key] = deepcopy(rng.choice(found))


def _reorder(_: Any, here: Any, key: Any, rng: random.Random) -> None:
    if isinstance(here, list):
        rng.shuffle(here)
    else:
        items = list(here.items())
        rng.shuffle(items)
        here.clear()
        here.update(items)


_CHANGES: tuple[Callable[[Any, Any, Any, random.Random], None], ...] = (
    _delete, _double, _strange, _near, _near, _near, _exchange, _exchange, _exchange, _exchange, _reorder,
)  # fmt: skip


def _leaves(value: Any) -> Iterator[Any]:
    for inside in value.values() if isinstance(value, dict) else value:
        if isinstance(inside, dict | list) and inside:
            yield from _leaves(inside)
        else:
            yield inside


def tried(game: rw.Game, data: Any, rng: random.Random, answers: int = 30) -> str:
    """The fate of a save: the code with which it is refused, or how the game went on. AssertionError if badly."""
    try:
        state = game.load(data)
    except rw.RulesetError as error:
        return _refusal(error)
    assert json.dumps(state.save()) == json.dumps(data), "saved back otherwise"
    return "accepted: " + played_on(state, rng, answers)


def played_on(state: rw.State, rng: random.Random, answers: int) -> str:
    """The course of a game with some answers: `on`, `over`, or the code of the error of its rules."""
    try:
        for _ in range(answers):
            decision = state.decision
            state.view(rng.choice((None, *range(len(state.engine.layout.universes["Player"].keys)))))
            if decision is None:
                assert state.result is not None or not state.mode.whole
                return "over"
            state = state.choose(rng.randrange(len(decision.options)))
            state.to_bytes()
        assert state.digest() == state.digest()
    except rw.RulesetError as error:
        found = error
    else:
        return "on"
    assert found.diagnostics[0].code != INSIDE, found
    return found.diagnostics[0].code


def tried_log(game: rw.Game, data: Any) -> str:
    """The fate of a log: the code with which it is refused, or that it is the same log afterwards."""
    try:
        state = replay_data(game.program, data)
    except rw.RulesetError as error:
        return _refusal(error)
    assert json.dumps(log_data(state)) == json.dumps(data), "another log than was given"
    return "accepted"


def _refusal(error: rw.RulesetError) -> str:
    assert len(error.diagnostics) == 1, error.diagnostics
    found = error.diagnostics[0]
    assert found.code.startswith(("SAV", "RUN")), found
    assert found.code != INSIDE, found
    assert 0 < len(found.message) < 1000, found.message
    found.message.encode()
    return found.code
