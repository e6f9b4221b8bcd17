"""Games of ``known/``, each beside another program's own: how their answers are named there, and both in lockstep.

They are written from ``docs/language.md`` and their printed rules, as somebody writes them who has never seen the
interpreter. Chance is drawn by OpenSpiel; answers that make up one action there are found by their names. Chess is
played beside python-chess, as its draws are those of the printed rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import rulewright as rw

FOLDER = Path(__file__).parent / "known"
Keys = tuple[str, ...]


@dataclass(frozen=True)
class Known:
    """A game, and what it is elsewhere."""

    name: str
    theirs: Callable[[], Any]
    """Its first state in the other program."""
    named: Callable[[Keys], str]
    """The name there of an action that is made up of these answers; empty if more of them belong to it."""
    told: Callable[[Any, int], str]
    """The name there of an action, without decoration."""
    players: int = 2
    likely: str = ""
    """Actions that are taken whenever they can be, as a pattern: games of chance alone seldom come to an end."""

    @property
    def folder(self) -> str:
        """The ruleset."""
        return str(FOLDER / self.name)


def _spoken(state: Any, action: int) -> str:
    return str(state.action_to_string(state.current_player(), action))


def _square(key: str, rows: int, letters: str) -> str:
    row, column = map(int, re.findall(r"\d+", key))
    return f"{letters[column]}{rows - row}"


def _go(keys: Keys) -> str:
    return "PASS" if keys == ("pass",) else _square(keys[0], 9, "abcdefghj")


PROMOTED = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}


def _chess(keys: Keys) -> str:
    return PROMOTED.get(keys[0], "") if len(keys) == 1 else "".join(_square(key, 8, "abcdefgh") for key in keys)


class Chessboard:
    """A game of python-chess with the methods of a state of OpenSpiel; a promotion is two actions."""

    def __init__(self) -> None:
        self._board = import_module("chess").Board()
        self._begun = ""

    def _moves(self) -> list[Any]:
        return [move for move in self._board.legal_moves if move.uci().startswith(self._begun)]

    def legal_actions(self) -> list[str]:
        """The squares of each move, or the men a pawn may become."""
        return list({move.uci()[4:] if self._begun else move.uci()[:4] for move in self._moves()})

    def apply_action(self, action: str) -> None:
        """Move, unless it must be known first to which man."""
        self._begun += action
        moves = self._moves()
        if len(moves) == 1:
            self._board.push(moves[0])
            self._begun = ""

    def is_terminal(self) -> bool:
        """Mate, or a draw that comes without a claim once both insist on it."""
        at = self._board
        drawn = at.is_repetition(3) or at.is_fifty_moves() or at.is_insufficient_material()
        return drawn or not self._moves()

    def returns(self) -> list[float]:
        """One point for a mate."""
        lost = self._board.is_checkmate()
        return [0.0, 0.0] if not lost else [-1.0, 1.0] if self._board.turn else [1.0, -1.0]

    def is_chance_node(self) -> bool:
        """Never."""
        return False

    def current_player(self) -> int:
        """White is the first."""
        return 0 if self._board.turn else 1


RANKS = "?A23456789TJQK"
OF_GIN = {"take": "Draw upcard", "from_stock": "Draw stock", "pass_by": "Pass", "pass": "Pass", "knock": "Knock"}


def _gin(keys: Keys) -> str:
    if keys == ("throw",):
        return ""
    if found := OF_GIN.get(keys[-1]):
        return found
    words = re.findall(r"[a-z]+", keys[-1])
    return "".join(sorted(f"{RANKS[int(rank)]}{word[0]}" for word in words for rank in re.findall(r"\d+", keys[-1])))


def _gin_told(state: Any, action: int) -> str:
    name = _spoken(state, action).split(": ")[-1]
    return name if name in OF_GIN.values() else "".join(sorted(re.findall("..", name)))


def _hanabi(keys: Keys) -> str:
    last = keys[-1]
    if len(keys) == 1:
        colour, _, rank = last.partition(" ")
        return f"Deal {colour[0].upper()}{rank}" if rank else ""
    if keys[0] in ("plays", "discards"):
        return f"{keys[0].capitalize()[:-1]} {int(last.rpartition(' ')[2]) - 1}"
    if len(keys) == 2:
        return ""
    return f"Reveal player +1 {'rank ' + last if last.isdigit() else 'color ' + last[0].upper()}"


SIGNS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠", "notrump": "NT"}
CALLS = {"pass_by": "Pass", "double": "Dbl", "redouble": "RDbl"}
COURT = {"11": "J", "12": "Q", "13": "K", "14": "A"}


def _bridge(keys: Keys) -> str:
    suit, _, rank = keys[-1].partition(" ")
    if rank:
        return SIGNS[suit] + COURT.get(rank, rank)
    return keys[1] + SIGNS[keys[2]] if len(keys) == 3 else CALLS.get(keys[0], "")


def _openspiel(name: str) -> Callable[[], Any]:
    return lambda: import_module("pyspiel").load_game(name).new_initial_state()


KNOWN = (
    Known("go", _openspiel("go(board_size=9)"), _go, lambda state, action: _spoken(state, action)[2:]),
    Known("gin-rummy", _openspiel("gin_rummy"), _gin, _gin_told, likely="Knock"),
    Known("hanabi", _openspiel("hanabi(players=2)"), _hanabi, lambda state, action: _spoken(state, action)[1:-1]),
    Known(
        "bridge", _openspiel("bridge(use_double_dummy_result=false)"), _bridge, _spoken, players=4, likely="Pass|Dbl"
    ),
    Known("chess", Chessboard, _chess, lambda _state, action: str(action)),
)


def actions(one: Known, at: rw.State, before: Keys = ()) -> Iterator[tuple[str, Callable[[], rw.State]]]:
    """The names there of all that can be done, and the way to the state after it."""
    assert at.decision is not None
    for option in at.decision.options:
        keys = (*before, option.key)
        if name := one.named(keys):
            yield name, partial(at.choose, option)
        else:
            yield from actions(one, at.choose(option), keys)


def in_lockstep(one: Known, seed: int) -> int:
    """Play a game at random in both programs; the number of actions. AssertionError if they differ."""
    r, count = Random(seed), 0
    at = rw.load(one.folder, one.players).start(0, ask_chance=True)
    other = one.theirs()
    while not other.is_terminal():
        where = f"{one.name}, seed {seed}, action {count}"
        assert at.decision is not None, f"{where}: over here"
        there = {one.told(other, action): action for action in other.legal_actions()}
        if len(there) == 1 and at.seat is None and not other.is_chance_node():
            other.apply_action(*there.values())  # asked though there is no choice
            continue
        assert at.seat == (None if other.is_chance_node() else other.current_player()), f"{where}: who is to move"
        here = dict(actions(one, at))
        assert here.keys() == there.keys(), f"{where}: {sorted(here)} and {sorted(there)}"
        names = sorted(here)
        wanted = [name for name in names if one.likely and re.fullmatch(one.likely, name)]
        name = r.choice(wanted if wanted and r.random() < 0.7 else names)
        at = here[name]()
        other.apply_action(there[name])
        count += 1
    where = f"{one.name}, seed {seed}, after {count} actions"
    assert at.result is not None, f"{where}: not over here"
    ours, theirs = [float(paid) for paid in at.payoffs], other.returns()
    assert ours == theirs, f"{where}: {ours} and {theirs}"
    return count
