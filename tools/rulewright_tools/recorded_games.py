"""Games in files that commands write: saves, logs, tournaments, games of the fuzzer; each is played again.

==========================================  ===================================================================
file                                        written by
==========================================  ===================================================================
a save                                      ``play`` (the command ``save``), ``State.save``
a log                                       programs (``schemas/log.schema.json``)
``FILE.jsonl``, a line for each game        ``tournament --keep FILE.jsonl``
a game of a corpus                          ``fuzz --keep DIR``
``FILE.json``, with the games of findings   ``fuzz --output FILE.json``, ``fuzz --format json``
==========================================  ===================================================================

``simulate`` writes no games: each of them follows from its seed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, errors_in, parsed_save, plural

CORPUS = "rulewright-game"
Played = tuple[rw.Game, rw.State]


@dataclass(frozen=True, slots=True)
class _Source:
    """The ruleset that the games are of, and the file."""

    path: Path
    ruleset: str

    def game(self, data: Mapping[str, Any]) -> rw.Game:
        """The game that was played."""
        return arg.load_for(dict(data), self.ruleset, None, None, None)

    def damaged(self) -> CommandError:
        """The error about contents that no command has written."""
        return CommandError(f"{self.path} is damaged: its games cannot be read")


def recorded_game(path: Path, number: int | None, ruleset: str) -> Played:
    """A game of a file, at its end; which one, if there are several, counted from 1."""
    source = _Source(path, ruleset)
    text = rw.files.read_text(path)
    rows = _rows(text)
    if rows is not None:
        return _one(source, [partial(_of_tournament, source, rows[0], row) for row in rows[1:]], number)
    data = parsed_save(path, text)
    stories = data.get("found")
    if isinstance(stories, list) and "rules" in data:
        return _one(source, [partial(_of_numbers, source, one, "game") for one in stories], number)
    if data.get("format") == CORPUS:
        return _one(source, [lambda: _of_corpus(source, data)], number)
    return _one(source, [lambda: _of_save(source, data)], number)


def _rows(text: str) -> list[dict[str, Any]] | None:
    """The lines of the record of a tournament; None if it is something else."""
    first, *others = text.split("\n")
    try:
        head = json.loads(first)
        if not isinstance(head, dict) or "tournament" not in head:
            return None
        return [head, *(json.loads(line) for line in others[:-1])]  # the last one is empty, or was cut off
    except (ValueError, RecursionError):
        return None


def _one(source: _Source, games: Sequence[Callable[[], Played]], number: int | None) -> Played:
    if number is None and len(games) == 1:
        number = 1
    if number is None or not 1 <= number <= len(games):
        held = f"{source.path} holds {plural(len(games), 'game')}"
        wanted = f"say which one: {source.path}:1" if number is None else f"there is no game {number}"
        raise CommandError(f"{held}: {wanted}" if games else f"{source.path} holds no game")
    try:
        with errors_in(source.path):
            return games[number - 1]()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
        if isinstance(problem, rw.RulesetError):
            raise
        raise source.damaged() from problem


def _of_save(source: _Source, data: dict[str, Any]) -> Played:
    """A save, or a log."""
    game = source.game(data)
    return game, game.load(data)


def _of_corpus(source: _Source, data: Mapping[str, Any]) -> Played:
    """A game of a corpus: its numbers, and the seeded runs behind them."""
    if "runs" not in data:
        return _of_numbers(source, data, "decisions")
    game = source.game(data)
    runs = tuple((int(seed), int(answers)) for seed, answers in data["runs"])
    numbers = rw.fuzzing.numbers_of(game, (tuple(map(int, data.get("decisions", ()))), runs))
    return game, _followed(game, numbers)


def _of_numbers(source: _Source, data: Mapping[str, Any], key: str) -> Played:
    """A game of the fuzzer."""
    game = source.game(data)
    return game, _followed(game, map(int, data[key]))


def _followed(game: rw.Game, numbers: Iterable[int]) -> rw.State:
    """The state after numbers of options, of chance as well; one that is too large means the last option."""
    state = game.start(0, ask_chance=True)
    for number in numbers:
        if state.decision is None:
            break
        try:
            state = state.choose(min(max(number, 0), len(state.decision.options) - 1))
        except rw.RulesetError:
            break  # the finding is an error of the rules: this is all that was played
    return state


def _of_tournament(source: _Source, head: Mapping[str, Any], row: Mapping[str, Any]) -> Played:
    """A game of a tournament, which the agents play again."""
    if row.get("failed") is not None:
        raise CommandError(f"an agent has failed in this game of {source.path}, and its answers were not kept")
    game = source.game(head)
    agents = [lab.agent(game, str(word), int(head["look"]), int(head["noise"])) for word in head["agents"]]
    seed = int(head["seed"]) + int(row["round"])
    played = game.playout(seed, keep=True, most=int(head["most"]), policies=[agents[int(one)] for one in row["agents"]])
    payoffs = list(map(float, played.payoffs)) if played.finished else [0.0] * game.players
    if played.decisions != row["decisions"] or payoffs != row["payoffs"]:
        raise CommandError(
            f"the agents of {source.path} do not play this game again as it was: those that think for a time, and "
            "those of other programs, can do otherwise"
        )
    return game, answered(game, seed, played.answers)


def answered(game: rw.Game, seed: int, answers: Iterable[int]) -> rw.State:
    """The state behind some answers of a game of a seed."""
    state = game.start(seed)
    for answer in answers:
        state = state.choose(answer)
    return state
