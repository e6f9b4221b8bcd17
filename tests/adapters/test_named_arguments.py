"""Arguments of functions that take a ruleset: one vocabulary and one order, those of ``rulewright.load``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

import rulewright as rw
import rulewright_lab as lab

WORDS = ("ruleset", "players", "variants", "options")
OTHER_WORDS = {"name", "name_or_path", "game", "variant", "option", "parameters", "num_players", "count_of_players"}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "open_ruleset": rw.open_ruleset,
    "check_folder": rw.check_folder,
    "check": rw.check,
    "confirm": rw.confirmation.confirm,
    "examine": rw.examination.examine,
    "games": lab.testing.games,
    "machine_for": lab.testing.machine_for,
}
ADAPTERS = [("gymnasium", "Env"), ("gymnasium", "VectorEnv"), ("pettingzoo", "env"), ("pettingzoo", "parallel_env")]


def words_of(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    parameters = dict(inspect.signature(function).parameters)
    assert not OTHER_WORDS & {*parameters}
    assert next(iter(parameters)) == "ruleset"
    return {name: parameter for name, parameter in parameters.items() if name in WORDS}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_words_of_load(name: str) -> None:
    found, meant = words_of(FUNCTIONS[name]), words_of(rw.load)
    assert [*found] == [word for word in WORDS if word in found]
    assert all(found[word].default == meant[word].default for word in found)


@pytest.mark.parametrize(("module", "name"), ADAPTERS)
def test_adapters_take_what_load_takes(module: str, name: str) -> None:
    pytest.importorskip(module)
    make = getattr(import_module(f"rulewright_lab.adapters.{module}"), name)
    found, meant = words_of(make), words_of(rw.load)
    assert [*found] == [*WORDS]
    assert all(found[word].default == meant[word].default for word in WORDS[1:])
    if name == "parallel_env":
        return
    from gymnasium.error import Error

    with pytest.raises(Error, match="`players` cannot be 3: the game is loaded already"):
        make(rw.load("tic-tac-toe"), players=3)
    assert make(rw.open_ruleset("tic-tac-toe")) is not None


def test_openspiel_takes_what_load_takes() -> None:
    pytest.importorskip("pyspiel")
    parameters = import_module("rulewright_lab.adapters.openspiel").PARAMETERS
    assert [*parameters][:4] == [*WORDS]
