"""Games of ``strangers/``, each beside OpenSpiel's own: how their answers are named there, and both in lockstep.

Each game is written plainly, from ``docs/language.md`` and its printed rules, as somebody writes it who has never seen
the compiler. They stay as they came: what makes them faster is done in the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import rulewright as rw

FOLDER = Path(__file__).parent / "strangers"
Keys = tuple[str, ...]


@dataclass(frozen=True)
class Stranger:
    """A game, and what it is elsewhere."""

    name: str
    theirs: str
    """The same for OpenSpiel, with its parameters."""
    named: Callable[[Keys], str]
    """The name of the answers of one turn there."""
    bare: str = ""
    """Parts that are left out of OpenSpiel's names, as a pattern."""
    by_answer: bool = False
    """True if OpenSpiel asks one question after the other, too."""
    ends_alike: bool = True
    """True if OpenSpiel ends the game by the same rules; else only its moves are compared, for :attr:`most` turns."""
    most: int = 10_000

    @property
    def folder(self) -> str:
        """The ruleset."""
        return str(FOLDER / self.name)


def _numbers(key: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"-?\d+", key))


def _letter(number: int) -> str:
    return chr(ord("a") + number)


def _grid(key: str, rows: int, flipped: bool = False) -> str:
    """The name of a cell: a letter for its column, a number for its row."""
    row, column = _numbers(key)
    return f"{_letter(column)}{rows - row if flipped else row + 1}"


def _hexes(key: str) -> str:
    q, r = _numbers(key)
    return f"{_letter(q)}{r + 1}"


def _havannah(keys: Keys) -> str:
    q, r = _numbers(keys[0])
    return f"{_letter(q + r + 7)}{r + 8}"


def _quoridor(keys: Keys) -> str:
    if keys[0] == "step":
        return _grid(keys[1], 9)
    return _grid(keys[1], 9) + {"flat": "h", "upright": "v"}[keys[2]]


def _line(keys: Keys) -> str:
    a, b = (_numbers(end) for end in keys[0].split("|"))
    return f"({'h' if a[0] == b[0] else 'v'},{min(a[0], b[0])},{min(a[1], b[1])})"


def _points(keys: Keys) -> str:
    return "-".join(f"({row},{column})" for row, column in map(_numbers, keys))


def _one_based(keys: Keys) -> str:
    row, column = _numbers(keys[0])
    return f"({row + 1},{column + 1})"


STRANGERS = (
    Stranger("amazons", "amazons", _one_based, r"X|O|From|To|Shoot:| ", by_answer=True),
    Stranger("clobber", "clobber", lambda keys: "".join(_grid(key, 5, True) for key in keys)),
    Stranger("dots-and-boxes", "dots_and_boxes(num_rows=4,num_cols=4)", _line, r"P\d", by_answer=True),
    Stranger("gomoku", "gomoku", lambda keys: "{},{}".format(*_numbers(keys[0]))),
    Stranger("havannah", "havannah(board_size=8)", _havannah),
    Stranger("hex", "hex", lambda keys: _hexes(keys[0])),
    Stranger("loa", "lines_of_action", lambda keys: "".join(_grid(key, 8, True) for key in keys), r"-|x"),
    Stranger("othello", "othello", lambda keys: _grid(keys[0], 8)),
    Stranger("oware", "oware", lambda keys: _letter((int(keys[0]) - 1) % 6)),
    Stranger("quoridor", "quoridor", _quoridor),
    Stranger("xiangqi", "xiangqi", _points, r"^[A-Za-z]", ends_alike=False, most=60),
    Stranger("y", "y", lambda keys: _hexes(keys[0])),
)
"""All of them."""


def turns(game: rw.Game, at: rw.State, by_answer: bool) -> Iterator[tuple[Keys, rw.State]]:
    """The turns of a state: the answers of each, and the state in which the last of them is given."""
    who = at.decision
    assert who is not None
    for option in who.options:
        if by_answer or game.ends_move(at):
            yield (option.key,), at
        elif (after := at.choose(option)).decision is not None and after.decision.seat == who.seat:
            yield from (((option.key, *rest), last) for rest, last in turns(game, after, by_answer))
        else:
            yield (option.key,), at


def in_lockstep(one: Stranger, seed: int) -> int:
    """Play a game at random in both programs; the number of turns. AssertionError if they differ."""
    pyspiel: Any = import_module("pyspiel")
    game, r = rw.load(one.folder), Random(seed)
    at, other, count = game.start(0), pyspiel.load_game(one.theirs).new_initial_state(), 0

    def told(action: int) -> str:
        name = str(other.action_to_string(other.current_player(), action))
        return re.sub(one.bare, "", name) if one.bare else name

    while at.decision is not None and count < one.most:
        actions = {told(action): action for action in other.legal_actions()}
        if list(actions) == ["pass"]:
            other.apply_action(actions["pass"])
            continue
        named = {one.named(keys).lower(): (keys, last) for keys, last in turns(game, at, one.by_answer)}
        actions = {name.lower(): action for name, action in actions.items()}
        assert at.decision.seat == other.current_player(), f"{one.name}, seed {seed}, turn {count}: who is to move"
        here, there = sorted(named.keys() - actions.keys()), sorted(actions.keys() - named.keys())
        assert not here, f"{one.name}, seed {seed}, turn {count}: only here {here}, only there {there}"
        assert not there, f"{one.name}, seed {seed}, turn {count}: only there {there}"
        name = r.choice(sorted(named))
        keys, last = named[name]
        at = last.choose(keys[-1])
        other.apply_action(actions[name])
        count += 1
    if one.ends_alike:
        assert at.result is not None, f"{one.name}, seed {seed}, turn {count}: not over here"
        assert other.is_terminal(), f"{one.name}, seed {seed}, turn {count}: not over there"
        first, second = at.payoffs
        theirs = other.returns()
        here_, there_ = (first > second) - (first < second), (theirs[0] > theirs[1]) - (theirs[0] < theirs[1])
        assert here_ == there_, f"{one.name}, seed {seed}: {at.payoffs} and {theirs}"
    return count
