"""The last moments of a random game before its rules stopped with an error, and a scenario that leads there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import rulewright as rw

LINES = 6
"""The number of lines that are kept."""


def with_story(
    error: rw.RulesetError, game: rw.Game, seed: int, most: int, at_random: bool, options: Mapping[str, str]
) -> rw.RulesetError:
    """The error with notes: the game in which it came, and, if that was played at random, what came before, and the
    shortest scenario that comes to it."""
    scenario = ""
    notes = [f"in the game of seed {seed} with {len(game.seats)} players"]
    if at_random:
        decisions = _decisions(game, seed, most)
        notes[0] += f", after {decisions} decisions"
        notes += [f"before: {line}" for line in _last_lines(game, seed, decisions)]
        story = rw.fuzzing.story_of_seed(game, seed, "", options, most)
        if story is not None:
            scenario = story.scenario
    return rw.RulesetError(
        [replace(found, notes=(*found.notes, *notes), scenario=scenario) for found in error.diagnostics]
    )


def until_error(game: rw.Game, seed: int, most: int) -> tuple[rw.State, rw.RulesetError | None]:
    """The state of a random game after so many decisions; if an error comes before, the last state, and the error."""
    try:
        return _after(game, seed, most), None
    except rw.RulesetError as error:
        return _after(game, seed, _decisions(game, seed, most)), error


def _after(game: rw.Game, seed: int, decisions: int) -> rw.State:
    state = game.start(seed)
    for answer in game.playout(seed, keep=True, most=decisions).answers if decisions else ():
        state = state.choose(answer)
    return state


def _decisions(game: rw.Game, seed: int, most: int) -> int:
    """The decisions that are answered without an error: found by doubling and halving, as games can be stopped early,
    and as an error may cost a whole budget each time."""
    low, high, doubled = 0, most, 1
    while low < high:
        middle = min((low + high + 1) // 2, doubled)
        doubled *= 2
        try:
            game.playout(seed, most=middle)
        except rw.RulesetError:
            high = middle - 1
        else:
            low = middle
    return low


def _last_lines(game: rw.Game, seed: int, decisions: int) -> list[str]:
    try:
        return [line.text for line in rw.narration.story(game, _after(game, seed, decisions), None)][-LINES:]
    except rw.RulesetError:
        return []
