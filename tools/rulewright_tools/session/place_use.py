"""Use of the places of a board: in how many of some games something stands there, at the end and halfway, and where
land has an owner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import rulewright as rw
from rulewright_tools.render.picture import Picture, Spot
from rulewright_tools.render.position_picture import picture_of

SELDOM = 0.02
"""A place of a board that grows is left out if no larger share of games has it."""
POSITIONS = 12_000
"""So many decisions are played again for a board, about."""
FEWEST, MOST, THOUGHTFUL = 6, 60, 8
"""Games that are looked at: at least, at most, and at most where agents think."""

LAID, HALFWAY, STANDS, HELD = "laid", "halfway", "stands", "held"
MEANINGS = {
    LAID: "Part of the board at the end",
    HALFWAY: "Something stands there halfway",
    STANDS: "Something stands there at the end",
    HELD: "Somebody's land at the end",
}
"""The uses of a place, each in words."""


@dataclass(slots=True)
class PlaceUse:
    """A board, and the share of games in which each of its places is used."""

    games: int
    picture: Picture
    """The board alone: the places of all games."""
    shares: dict[str, dict[str, float]] = field(default_factory=dict)
    """For each use that differs from place to place the share of each place."""


def place_use(game: rw.Game, agents: Sequence[rw.playing.Agent], seed: int, games: int, most: int) -> PlaceUse | None:
    """The use of places in the first games from a seed on; None if the game has no board."""
    return None if game.model.board is None else use_of(game, _first_games(game, agents, seed, games, most))


def _first_games(
    game: rw.Game, agents: Sequence[rw.playing.Agent], seed: int, games: int, most: int
) -> Iterator[rw.playing.Played]:
    """As many games as can be looked at: fewer of long ones, and where agents think."""
    done, wanted = 0, 1
    while done < wanted:
        played = game.playout(seed + done, keep=True, most=most, policies=agents)
        if not done:
            fitting = max(FEWEST, min(MOST, POSITIONS // max(1, played.decisions)))
            wanted = min(games, fitting, THOUGHTFUL) if agents else min(games, fitting)
        yield played
        done += 1


def use_of(game: rw.Game, games: Iterable[rw.playing.Played]) -> PlaceUse | None:
    """The use of places in some games; None if the game has no board, or there are none."""
    if game.model.board is None:
        return None
    counts: dict[str, Counter[str]] = {}
    spots: dict[str, Spot] = {}
    board: Picture | None = None
    grounds: dict[str, set[str]] = {}
    done = 0
    for played in games:
        for moment, state in _positions(game, played.seed, played):
            picture = picture_of(game, state, None)
            board = board or picture
            spots |= {spot.key: spot for spot in picture.spots}
            for spot in picture.spots:
                grounds.setdefault(spot.key, set()).add(spot.ground)
            for use, key in _uses(picture, moment):
                counts.setdefault(use, Counter())[key] += 1
        done += 1
    if board is None:
        return None
    grows = game.model.board.shape == "growing"
    if grows:
        spots = {key: spot for key, spot in spots.items() if counts.get(LAID, Counter())[key] > SELDOM * done}
    return PlaceUse(
        done,
        _alone(board, spots, grows or any(len(one) > 1 for one in grounds.values())),
        _differing(counts, spots, done, grows),
    )


def _positions(game: rw.Game, seed: int, played: rw.playing.Played) -> Iterator[tuple[str, rw.State]]:
    """The position halfway, and the last one."""
    for _, state in game.states(seed, [played.decisions // 2], played.answers):
        yield HALFWAY, state
    yield STANDS, played.state


def _uses(picture: Picture, moment: str) -> Iterator[tuple[str, str]]:
    regions = {spot.region for spot in picture.spots if spot.items or spot.stacks}
    for spot in picture.spots:
        if spot.items or spot.stacks or spot.region in regions:  # what lies in a merged region is drawn at one place
            yield moment, spot.key
        if moment == STANDS:
            if spot.tint or spot.rim:
                yield HELD, spot.key
            if spot.ground:
                yield LAID, spot.key


def _differing(
    counts: dict[str, Counter[str]], spots: dict[str, Spot], games: int, grows: bool
) -> dict[str, dict[str, float]]:
    """The shares of the uses that say something: not the same of all places, nor what is printed."""
    found = {}
    for use in MEANINGS:
        shares = {key: counts.get(use, Counter())[key] / games for key in spots}
        if len(set(shares.values())) > 1 and (use != LAID or grows):
            found[use] = shares
    return found


def _alone(picture: Picture, spots: dict[str, Spot], changing: bool) -> Picture:
    """The board without anything on it and with quiet grounds, or without any if they differ from game to game."""
    plain = tuple(
        replace(
            spot, items=(), stacks=(), markers=(), marks=(), tint="", rim="", region=spot.key,
            ground="" if changing else spot.ground,
        )
        for spot in spots.values()
    )  # fmt: skip
    numbers = {spot.key: number for number, spot in enumerate(plain)}
    pairs = [tuple(numbers.get(picture.spots[end].key, -1) for end in link) for link in picture.links]
    links = tuple((a, b) for a, b in pairs if min(a, b) >= 0)
    grounds = () if changing else tuple(replace(ground, icon="none") for ground in picture.grounds)
    return replace(picture, spots=plain, edges=(), grounds=grounds, links=links)
