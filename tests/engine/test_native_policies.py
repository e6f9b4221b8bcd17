"""Seats that decide by policies, on both backends: the same choices, the same games, the same errors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from shipped_programs import shipped_game
from small_rules import loaded

import rulewright as rw
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.tiering import LOOKED_AHEAD, WARM
from rulewright.engine.policies.native_policies import NativeJudge
from rulewright.engine.policies.playout import Playout
from rulewright.engine.policies.policy import rated_by
from sampling import sample

RATING = {
    "carolus-magnus": ("carolus_magnus", "courtiers(p: Player) -> Int = size(court[p])"),
    "connect-four": (
        "connect_four",
        "central(p: Player) -> Int = count(c in Cell where disc[c] is p and c.column is 3)",
    ),
}
"""Queries that rate a player, for rulesets that have none."""


def shipped(folder: Path, name: str, players: int | None = None) -> rw.Game:
    """A shipped game; where it has no query that rates a player, with one."""
    if name not in RATING:
        return shipped_game(name, players)
    title, query = RATING[name]
    variant = folder / "rated.rules"
    variant.write_text(f'variant "Rated" of {title}\n    add query {query}\n', "utf-8")
    return rw.load(name, players, [str(variant)])


def told(
    game: rw.Game, policies: Sequence[rw.playing.Agent], backend: Backend | None, seed: int, **more: Any
) -> tuple[Any, ...]:
    """All that can be told of a game, or what is wrong with it."""
    fired = game.new_fired()
    try:
        played = Playout(game.program, fired, policies, more.pop("check", False), backend).play(seed, **more)
    except rw.RulesetError as error:
        return (str(error),)
    counted = (played.options, played.forced) if policies else ()  # at random only in many games at once
    ended = played.decisions, played.places, played.rule, played.broken, played.answers
    return *ended, *counted, fired, played.state.digest()


def compare(game: rw.Game, words: str, seeds: range, backend: Backend | None = None, **more: Any) -> Backend:
    """Play games on both backends."""
    look, noise = more.pop("look", 8), more.pop("noise", 10)
    policies = [game.policy(word, look, noise) for word in words.split()]
    policies = policies * (game.players if len(policies) == 1 else 1)
    backend = backend or Backend(game.program, rated=rated_by(policies))
    for seed in seeds:
        assert told(game, policies, backend, seed, **more) == told(game, policies, None, seed, **more), seed
    return backend


@pytest.mark.parametrize(
    ("name", "players", "words", "games", "look", "noise"),
    [
        ("breakthrough", 2, "greedy:pawns lead:last_row", sample(2, 4), 8, 10),
        ("breakthrough", 2, "random lead:pawns", sample(1, 3), 100, 0),
        ("connect-four", 2, "greedy:central", sample(5, 12), 8, 10),
        ("connect-four", 2, "lead:central random", sample(3, 6), 3, 40),
        ("carolus-magnus", 2, "greedy:courtiers", sample(1, 4), 8, 10),
        ("carolus-magnus", 3, "lead:courtiers random greedy:courtiers", sample(1, 3), 4, 10),
        ("carolus-magnus", 4, "lead:courtiers", sample(1, 2), sample(2, 8), 0),
    ],
)
def test_whole_games_are_played_natively_where_nothing_is_hidden(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    players: int,
    words: str,
    games: int,
    look: int,
    noise: int,
) -> None:
    game = shipped(tmp_path, name, players)
    compare(game, words, range(games), look=look, noise=noise)
    policies = [game.policy(word, look, noise) for word in words.split()] * (1 if " " in words else players)
    backend = Backend(game.program, rated=rated_by(policies))
    monkeypatch.setattr(Playout, "_play", None)
    assert Playout(game.program, policies=policies, backend=backend).play(77).finished


@pytest.mark.parametrize(
    ("name", "players", "words", "most"),
    [
        ("domaine", 2, "greedy:score", sample(100, 400)),
        ("domaine", 3, "lead:final_score random greedy:monopolies", sample(60, 150)),
        ("baron", 2, "lead:points", sample(100, 400)),
        ("kings-and-things", 2, "greedy:citadels lead:income", sample(20, 60)),
    ],
)
def test_options_are_tried_natively_where_something_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, players: int, words: str, most: int
) -> None:
    """Nearly none of them is left to Python, so it is not equal because Python has done it all."""
    tried: list[int] = []
    left: list[int] = []
    usual = NativeJudge._tried

    def counted(judge: NativeJudge, count: int, player: int, here: Any) -> set[int]:
        failed = usual(judge, count, player, here)
        tried.append(count)
        left.append(len(failed))
        return failed

    monkeypatch.setattr(NativeJudge, "_tried", counted)
    compare(shipped(tmp_path, name, players), words, range(1), most=most, keep=True)
    assert sum(tried) > most / 2
    assert sum(left) <= sum(tried) / 10


def test_what_is_kept_and_checked_is_the_same(tmp_path: Path) -> None:
    """Then Python plays, and machine code tries the options only."""
    compare(shipped(tmp_path, "breakthrough"), "greedy:pawns", range(3), keep=True, check=True)


TURNS = """game small
players 2
place Cell
map Row: grid 1 by 5 of Cell
field n: 0..9 = 0
field gold[Player]: 0..99 = 0
field laid[Cell]: Player or none = none
{fields}

query rich(p: Player) -> Int = gold[p]
query risky(p: Player) -> Int = 60 / (3 - n) rounded down

procedure play
    repeat 3 times
        each p in players
            turn(p)
    finish ranking p in players by gold[p]

procedure turn(p: Player)
{turn}
"""
PARTS = {
    "an option that ends in an error": ("p chooses k from {0 .. 5}\n    gold[p] += 6 / (3 - k) rounded down", ""),
    "an option behind which nobody can go on": ("p chooses k from {0 .. 3}\n    p chooses j from {k .. 2}", ""),
    "a query that cannot be answered": ("p chooses k from {0 .. 5}\n    n = k\n    gold[p] += k", "risky"),
    "a die behind an option": ("p chooses k from {0 .. 5}\n    gold[p] += k\n    roll(p)\n    gold[p] += k", ""),
    "words beside the options": ("p may choose k from {0 .. 5}\n    if k is not none then gold[p] += k", ""),
    "only one option": ("p chooses k from {2 .. 2}\n    gold[p] += k", ""),
    "an option that ends the game": ("p chooses k from {0 .. 4}\n    if k is 3 then finish with winner p", ""),
    "an option that loses the game": ("p chooses k from {0 .. 4}\n    if k < 3 then finish with winner p.left", ""),
    "places": ("p chooses c from {c in Cell where laid[c] is not p}\n    laid[c] = p\n    gold[p] += c.column", ""),
    "an endless loop behind an option": ("p chooses k from {0 .. 3}\n    repeat until k < 3\n        n = 1", ""),
}


def small(folder: Path, turn: str) -> rw.Game:
    """A game of such turns."""
    more = "die Cube: 1 to 6" if "roll" in turn else ""
    rules = TURNS.format(turn=f"    {turn}", fields=more)
    if "roll" in turn:
        rules += "\nprocedure roll(p: Player)\n    p rolls Cube as thrown\n    gold[p] += thrown\n"
    return loaded(folder, rules)


@pytest.mark.parametrize("what", PARTS)
def test_small_games_are_played_alike(tmp_path: Path, what: str) -> None:
    turn, query = PARTS[what]
    game = small(tmp_path, turn)
    backend = Backend(game.program, rated=(query or "rich",))
    with rw.limited(rw.Limits(steps=20_000)):
        for policies in (f"greedy:{query or 'rich'}", f"random lead:{query or 'rich'}"):
            for look, noise in ((1, 10), (3, 30), (8, 0)):
                compare(game, policies, range(5), backend, look=look, noise=noise)


BLIND = """game small
players 2
piece Gem from "gems.json"
    worth: 0..9
    named "gem {worth}"
    begins in chest
piece Coin from "coins.json"
    mark: 0..99
    named "coin {mark}"
    begins in chest
zone chest: set of Gem or Coin, seen by {}
zone hand[p: Player]: set of Gem or Coin, seen by p
field gold[Player]: 0..99 = 0
query rich(p: Player) -> Int = gold[p]

procedure play
    let q = first(players)
    move chest to hand[q]
    q.left chooses taken from {g in Gem where g in hand[q]}
    move taken to hand[q.left]
    gold[q.left] += taken.worth
    finish with winner q
"""


def test_pieces_are_dealt_that_the_question_never_offers(tmp_path: Path) -> None:
    """In the place of a gem there may lie a coin, whose number is beyond those of gems."""
    (tmp_path / "gems.json").write_text(json.dumps({"rows": [{"worth": worth} for worth in (1, 2, 3)]}))
    (tmp_path / "coins.json").write_text(json.dumps({"rows": [{"mark": mark} for mark in range(80)]}))
    compare(loaded(tmp_path, BLIND), "greedy:rich", range(6), noise=0)


def test_totals_that_are_shared_leave_it_to_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Native steps are counted otherwise."""
    game = small(tmp_path, PARTS["places"][0])
    policies = [game.policy("greedy:rich")] * 2
    backend = Backend(game.program, rated=rated_by(policies))
    alone = Playout(game.program, policies=policies).play(1)
    monkeypatch.setattr(Backend, "play_policies", None)
    monkeypatch.setattr(NativeJudge, "worths", None)
    with rw.limited(rw.Limits(total=10**7)):
        assert Playout(game.program, policies=policies, backend=backend).play(1).state == alone.state


def test_a_game_is_compiled_when_it_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with policies takes as long as several at random."""
    game = small(tmp_path, PARTS["places"][0])
    made: list[tuple[str, ...]] = []

    def noted(program: object, check: bool, passes: object, rated: tuple[str, ...], *_: object) -> object:
        made.append(rated)
        return Backend(game.program, rated=rated)

    monkeypatch.setattr("rulewright.engine.native.backend.Backend", noted)
    policies = [game.policy("greedy:rich")]
    results = [game.playout(seed, policies=policies).places for seed in (3, 3, 3)]
    assert made == [("rich",)]
    assert WARM // LOOKED_AHEAD == 2
    assert results[0] == results[1] == results[2]


def test_many_games_with_policies_are_arrays(tmp_path: Path) -> None:
    game = shipped(tmp_path, "breakthrough")
    policies = [game.policy("greedy:pawns"), game.policy("random")]
    many = game.playouts(5, seed=3, policies=policies)
    each = [game.playout(seed, policies=policies) for seed in range(3, 8)]
    assert list(many.decisions) == [one.decisions for one in each]
    assert [game.rule_names[rule] for rule in many.rules] == [one.rule for one in each]
    assert list(zip(*many.places, strict=True)) == [one.places for one in each]


def test_single_picks_are_the_same(tmp_path: Path) -> None:
    """In a state that somebody has, with hidden pieces and without."""
    for name, query in (("baron", "lead:points"), ("breakthrough", "lead:pawns")):
        games = [shipped(tmp_path, name)]
        games.append(rw.Game(games[0].program, games[0].ruleset, "native"))
        state = games[0].start(5)
        for number in range(25):
            picks = [game.pick(state, game.policy(query), rw.playing.Dice(number, "a seat")) for game in games]
            assert picks[0] == picks[1], (name, number)
            state = state.choose(picks[0])


def test_machine_code_with_policies_is_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The addresses in its memory are kept, too."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    game = small(tmp_path, PARTS["places"][0])
    first = compare(game, "greedy:rich", range(2))
    monkeypatch.setattr("rulewright.engine.native.compiled_programs.lower", None)
    assert compare(game, "greedy:rich", range(2)).native.policies == first.native.policies
