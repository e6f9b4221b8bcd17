"""Games that are gone through once more: what everybody has in the course of a game, and the positions for pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import rulewright as rw
import rulewright_lab as lab

LOOKS = 24
"""Positions of a game that are looked at, its first and its last among them."""


@dataclass(slots=True)
class Replay:
    """A game with what every seat had at each look."""

    played: rw.playing.Played
    resources: dict[str, list[tuple[float, ...]]] = field(default_factory=dict)
    """For each number about a player its values by seats, at each look."""


def replayed(arm: lab.experiments.Arm, seed: int, games: int, most: int) -> Iterator[Replay]:
    """The first games of an arm, but those that fail."""
    for number in range(seed, seed + games):
        try:
            played = arm.game.playout(number, keep=True, most=most, policies=arm.agents)
            yield Replay(played, _resources(arm.game, number, played))
        except rw.RulesetError:
            continue


def looks(decisions: int) -> list[int]:
    """The numbers of answers after which a game is looked at."""
    return [round(decisions * number / (LOOKS - 1)) for number in range(LOOKS)]


def _resources(game: rw.Game, seed: int, played: rw.playing.Played) -> dict[str, list[tuple[float, ...]]]:
    found: dict[str, list[tuple[float, ...]]] = {}
    wanted = looks(played.decisions)
    queries = rating_measures(game)
    by_number = dict(game.states(seed, dict.fromkeys(wanted), played.answers))
    for number in wanted:
        state = by_number.get(number, played.state)
        view = state.view(None)
        values = {name: tuple(float(state.ask(name, seat)) for seat in game.seats) for name in queries}
        for name, row in {**_fields(game, view), **_zones(game, view), **values}.items():
            found.setdefault(name, []).append(row)
    return found


def rating_measures(game: rw.Game) -> list[str]:
    """The measures of the rules that give a number for each player."""
    return [name for name in game.measures if name in game.player_numbers]


def _fields(game: rw.Game, view: Mapping[str, object]) -> dict[str, tuple[float, ...]]:
    """The numbers that fields have for each player."""
    hidden = set(game.ruleset.manifest.log.hides)
    found = {}
    held = view["fields"]
    assert isinstance(held, dict)
    for one in game.model.fields:
        if one.index != ("Player",) or one.name in hidden:
            continue
        values = [held[one.name]["values"].get(seat, held[one.name]["default"]) for seat in game.seats]
        if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            found[one.name] = tuple(map(float, values))
    return found


def _zones(game: rw.Game, view: Mapping[str, object]) -> dict[str, tuple[float, ...]]:
    """The numbers of pieces that each player has in a zone of their own."""
    hidden = set(game.ruleset.manifest.log.hides)
    held = view["zones"]
    assert isinstance(held, dict)
    found = {}
    for zone in game.model.zones:
        if zone.index == ("Player",) and zone.name not in hidden:
            values = held[zone.name]["values"]
            found[f"pieces: {zone.name}"] = tuple(float(values.get(seat, {"count": 0})["count"]) for seat in game.seats)
    return found
