"""Every public method and function of the library, with every argument wrong in turn: never an error of Python's own.

Methods whose description begins with *For the engine* or *For the compiler* are called by these alone, with what they
have made themselves: no tool uses them.
"""

from __future__ import annotations

import ast
import inspect
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from shipped_games import game

import rulewright as rw
import rulewright_lab as lab
import rulewright_tools
from rulewright.ir import model as m

INNER = ("For the engine", "For the compiler")
TOOLS = sorted(Path(rulewright_tools.__file__).parent.rglob("*.py"))


class Foreign:
    """An object that no call can want, and that cannot even be shown."""

    def __repr__(self) -> str:
        raise KeyError


def engines() -> list[rw.Game]:
    """The same game, played by each engine."""
    made = game("baron", 2)
    return [rw.Game(made.program, made.ruleset, engine) for engine in ("python", "native")]


GAMES = engines()
OTHER = game("breakthrough")
HUGE = 10**5000
STRANGE: tuple[Any, ...] = (
    None, True, 0, -1, 2**62, HUGE, 1.5, float("nan"), "", "x", "\ud800", b"x", [], [None], ["x"], [-1], [HUGE], (), {},
    {"x": 1}, set(), Foreign(), Foreign, len, rw.Option("x", 0), rw.Span("x"), OTHER, OTHER.start(), OTHER.stepper(),
    OTHER.batch(1), OTHER.policy("random"), OTHER.watch(), OTHER.ruleset, rw.Limits(), OTHER.stepper().snapshot(),
)  # fmt: skip
"""Values of many types, most of which an argument cannot have."""

FITS: dict[str, Callable[[Any], bool]] = {
    "int": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "bool": lambda v: isinstance(v, bool),
    "str": lambda v: isinstance(v, str),
    "str | Path": lambda v: isinstance(v, str | Path),
    "int | None": lambda v: v is None or (isinstance(v, int) and not isinstance(v, bool)),
    "bool | None": lambda v: v is None or isinstance(v, bool),
    "State": lambda v: False,  # they are of other games
    "State | Stepper": lambda v: False,
    "Watch | None": lambda v: v is None,
    "Ruleset": lambda v: isinstance(v, rw.Ruleset),
    "Snapshot": lambda v: False,
    "Limits | None": lambda v: v is None or isinstance(v, rw.Limits),
    "Limits": lambda v: isinstance(v, rw.Limits),
    "Dice": lambda v: isinstance(v, rw.playing.Dice),
    "Span": lambda v: isinstance(v, rw.Span),
}
"""Tests of the types that are written at arguments; of all others only `Foreign` is certainly none."""


TAKEN = (("apply", True),)
"""Truths that are taken as numbers: to look for them would cost a part of each answer."""


def public_methods(cls: type) -> Iterator[tuple[str, inspect.Signature]]:
    """The methods of a class that others may call, with what they are given."""
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        function = getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(function) and not is_inner(cls, name):
            yield name, inspect.signature(getattr(cls, name))


def is_inner(cls: type, name: str) -> bool:
    """True if only the library itself calls a method, or asks for a property."""
    said = inspect.getdoc(getattr(cls, name, None)) or ""
    return said.startswith(INNER)


def last_state(one: rw.Game) -> rw.State:
    """The end of a whole game."""
    return one.playout(0).state


def played_out(one: rw.Game) -> rw.playing.Stepper:
    """A stepper that has come to the end of a game."""
    stepper = one.stepper()
    stepper.load(last_state(one))
    return stepper


def subjects() -> dict[str, Callable[[], Any]]:
    """Makers of an object of each class, some of them also at the end of a game."""
    made: dict[str, Callable[[], Any]] = {
        "ruleset": lambda: GAMES[0].ruleset,
        "state": GAMES[0].start,
        "state at its end": cache(partial(last_state, GAMES[0])),
        "watch": GAMES[0].watch,
        "dice": lambda: rw.playing.Dice(1, "x"),
        "workspace": lambda: rw.Workspace(Path(tempfile.gettempdir()) / "nowhere"),
        "span": lambda: rw.Span("x"),
    }
    for one in GAMES:
        made |= {
            f"{one.backend} game": partial(copy, one),
            f"{one.backend} stepper": one.stepper,
            f"{one.backend} stepper at its end": partial(played_out, one),
            f"{one.backend} batch": partial(one.batch, 2),
        }
    return made


def right(one: rw.Game, folder: Path) -> dict[str, Any]:
    """An argument that is right, by its name."""
    state = one.start()
    decision = state.decision
    assert decision is not None
    return {
        "at": [0], "answers": [0, 0], "answer": 0, "option": 0, "player": 0, "key": decision.options[0].key,
        "query": "turns", "state": state, "log": state.log, "data": state.save(), "policy": one.policy("random"),
        "dice": rw.playing.Dice(1, "x"), "count": 1, "seed": 0, "title": "A line", "ruleset": one.ruleset,
        "procedure": "turn", "kept": one.stepper().snapshot(), "rule": 0, "number": 0, "size": 5, "items": [1, 2],
        "most": 2, "text": "random", "path": folder / "a.rules", "folder": folder, "place": folder, "ref": "tiles.json",
        "role": "rules", "other": rw.Span("x"), "limits": rw.Limits(), "old": folder,
        "file": "a.rules", "files": ["a.rules"], "e": m.Const(1), "by": 0, "agent": lab.agent(one, "mcts:2"),
    }  # fmt: skip


def calls() -> list[tuple[str, str]]:
    """All methods by their subject and name, and all functions."""
    found = [(subject, name) for subject, make in subjects().items() for name, _ in public_methods(type(make()))]
    return found + [("rw", name) for name in rw.__all__ if inspect.isfunction(getattr(rw, name))]


def tried(call: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Call something, and take all that it gives."""
    found = call(**given)
    if hasattr(found, "__enter__"):
        with found:
            pass
    elif isinstance(found, Iterator):
        deque(found, maxlen=0)


@pytest.mark.parametrize(("subject", "name"), calls())
def test_every_wrong_argument_is_told(subject: str, name: str, tmp_path: Path) -> None:
    make = subjects().get(subject, lambda: rw)
    parameters = inspect.signature(getattr(make(), name)).parameters
    one = next((one for one in GAMES if one.backend == subject.split()[0]), GAMES[0])
    usual = right(one, tmp_path)
    needed = {
        p.name: usual[p.name] for p in parameters.values() if p.default is p.empty and p.kind is not p.VAR_POSITIONAL
    }
    bad: list[str] = []
    for parameter in parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            continue
        fits = FITS.get(str(parameter.annotation), lambda v: not isinstance(v, Foreign))
        for number, strange in enumerate(STRANGE):
            what = f"{name}({parameter.name}={type(strange).__name__} #{number})"
            try:
                with rw.limited(rw.Limits(seconds=0.2)):  # of all games that there can be some are played
                    tried(getattr(make(), name), needed | {parameter.name: strange})
            except (rw.RulesetError, rw.Stopped):
                continue
            except Exception as error:
                bad.append(f"{what}: {type(error).__name__}: {str(error)[:80]}")
            else:
                if not fits(strange) and (name, strange) not in TAKEN:
                    bad.append(f"{what}: taken")
    assert not bad, "\n".join(bad)


def test_tools_do_not_use_what_only_the_engine_calls() -> None:
    inner = {name for make in subjects().values() for name in dir(make()) if is_inner(type(make()), name)}
    assert "with_log" in inner
    used: list[str] = []
    for path in TOOLS:
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        modules = {one.name for node in nodes if isinstance(node, ast.ImportFrom) for one in node.names}
        called = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
        used += [
            f"{path.name}:{node.lineno}: {ast.unparse(node.func)}"
            for node in called
            if isinstance(node.func, ast.Attribute) and node.func.attr in inner
            if not (isinstance(node.func.value, ast.Name) and node.func.value.id in modules)
        ]
    assert used == [], used
