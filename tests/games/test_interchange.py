"""Alike pieces: offered together only where exchanging them changes nothing, and never known by their numbers."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from shipped_games import game

import rulewright as rw
from rulewright.engine.runtime.canonical_form import renumbered
from sampling import sample

HEAD = """game market
players 2
enum Good: red, blue
piece Tile from "tiles.json"
    good: Good
    named "{good}"
    begins in bag
"""
TILES = {"rows": [{"good": "red", "count": 3}, {"good": "blue", "count": 2}]}


def small(folder: Path, rules: str) -> rw.Game:
    (folder / "game.rules").write_text(HEAD + rules)
    (folder / "tiles.json").write_text(json.dumps(TILES))
    (folder / "ruleset.json").write_text(json.dumps({"name": "market", "title": "Market", "rules": ["game.rules"]}))
    return rw.load(folder)


def keys(state: rw.State) -> list[str]:
    assert state.decision is not None
    return [option.key for option in state.decision.options]


def other_numbers(state: rw.State, seed: int) -> rw.State:
    """The same state, in which alike pieces have changed their numbers at random."""
    names: dict[int, int] = {}
    shuffle = random.Random(seed)
    for pieces in state.engine.interchange.classes:
        others = list(pieces)
        shuffle.shuffle(others)
        names |= {piece: other for piece, other in zip(pieces, others, strict=True) if piece != other}
    cells, stack = renumbered(state.engine, state.cells, state.stack, names)
    registers = state.engine.registers(state.base)
    question = state.question
    if question is None:
        return rw.State.at_rest(state.engine, list(cells), state.mode, None)
    status = state.engine.run(list(cells), list(stack), registers, question.block)
    return rw.State(state.engine, list(cells), list(stack), registers, status, state.mode, None)


@pytest.mark.parametrize(
    ("ruleset", "players", "steps"),
    [
        ("baron", 3, sample(12, 40)),
        ("carolus-magnus", 3, sample(15, 50)),
        ("domaine", 4, sample(15, 50)),
        ("kings-and-things", 2, sample(8, 25)),
    ],
)
def test_which_of_alike_pieces_is_which_changes_nothing(ruleset: str, players: int, steps: int) -> None:
    playing = game(ruleset, players)
    state, pick, differed = playing.start(7), random.Random(5), 0
    for step in range(steps):
        other = other_numbers(state, step)
        differed += other.cells != state.cells
        assert other.to_bytes() == state.to_bytes()
        assert other == state
        assert hash(other) == hash(state)
        if state.decision is None or other.decision is None:
            assert other.decision is state.decision is None
            break
        assert other.decision == state.decision
        assert [o.value for o in other.decision.options] == [o.value for o in state.decision.options]
        for player in range(playing.players) if step % 10 == 0 else ():
            assert other.view(player) == state.view(player)
        number = pick.randrange(len(state.decision.options))
        state, other = state.choose(number), other.choose(number)
        assert other.digest() == state.digest(), f"step {step}: the same answer leads elsewhere"
    assert differed > steps // 4


def test_the_place_in_a_row_tells_alike_pieces_apart(tmp_path: Path) -> None:
    market = small(
        tmp_path,
        """
zone bag: set of Tile, seen by everyone
zone row: row of Tile, seen by everyone
zone own[p: Player]: set of Tile, seen by everyone
field paid[p: Player]: 0..9 = 0
query most_paid = max(paid[p] for p in players)

procedure play
    move {x in bag where x.good is red} to row
    move {x in bag where x.good is blue} to row
    each p in players
        p chooses t from row
            forbid dear: slot(t) > 2
        paid[p] = slot(t)
        move t to own[p]
    finish ranking p in players by paid[p]
""",
    )
    state = market.start()
    assert keys(state) == ["red, place 1", "red, place 2", "red, place 3"]
    taken = state.choose("red, place 3")
    assert taken.ask("most_paid") == 2
    assert taken.log[-1].key == "red, place 3"
    assert [reason.label for reason in state.why_not("blue, place 4").reasons] == ["play.dear"]
    assert "`red, place 1`, `red, place 2`" in state.why_not("red").reasons[0].text


MARKED = """
zone bag: set of Tile, seen by everyone
zone own[p: Player]: set of Tile, seen by everyone
zone shop: set of Tile, seen by everyone
field marked[x: Tile]: Bool = false
field worth[x: Tile]: 0..9 = 0
field chosen: set of Tile = {}

procedure play
    move {x in bag where x.good is red} to shop
    mark(first(shop))
    each p in players
        p chooses t from shop
        move t to own[p]
    finish ranking p in players by count(x in own[p] where BY)

effect mark(x: Tile)
    DO
"""


@pytest.mark.parametrize(
    ("told", "by", "words"),
    [
        ("marked[x] = true", "marked[x]", ["red, not marked", "red, marked"]),
        ("worth[x] = 4", "worth[x] > 0", ["red, worth 0", "red, worth 4"]),
        ("chosen = {x}", "x in chosen", ["red, not in chosen", "red, in chosen"]),
    ],
)
def test_what_a_field_says_of_a_piece_tells_it_apart(tmp_path: Path, told: str, by: str, words: list[str]) -> None:
    state = small(tmp_path, MARKED.replace("DO", told).replace("BY", by)).start()
    assert sorted(keys(state)) == sorted(words)
    for number in range(2):
        assert sorted(keys(state)) == sorted(words), "the same piece is meant, wherever it stands among the options"
        after = state.choose(words[number])
        assert len(keys(after)) == (1 if number else 2)
    assert state.choose(words[1]).choose("red").result.winners != state.choose(words[0]).choose(words[1]).result.winners


def test_what_a_rule_has_in_mind_tells_pieces_apart(tmp_path: Path) -> None:
    market = small(
        tmp_path,
        """
zone bag: set of Tile, seen by everyone
zone own[p: Player]: set of Tile, seen by everyone
field hits[p: Player]: 0..9 = 0
query struck = sum(hits[p] for p in players)

procedure play
    each p in players
        p chooses target from {x in bag where x.good is red}
        strike(p, target)
        p chooses again from {x in bag where x.good is red}
        move again to own[p]
    finish ranking p in players by hits[p]

procedure strike(p: Player, target: Tile)
    p chooses t from {x in bag where x.good is red}
    if t is target
        hits[p] += 1
""",
    )
    state = market.start()
    assert keys(state) == ["red"], "nothing tells them apart"
    inside = state.choose("red")
    assert sorted(keys(inside)) == ["red, not target", "red, target"]
    assert inside.choose("red, target").ask("struck") == 1
    assert inside.choose("red, not target").ask("struck") == 0
    assert keys(inside.choose("red, target")) == ["red"], "which was the target is never asked again"
    assert inside.choose("red, target").digest() != inside.choose("red, not target").digest()
    assert inside.choose("red, target").choose("red") == inside.choose("red, target").choose(0)


PASSING = """
zone bag: set of Tile, count seen by everyone
zone hand[p: Player]: set of Tile, face seen by p, count seen by everyone
zone table: set of Tile, seen by everyone
zone gone: set of Tile, seen by {}

procedure play
    each p in players
        draw 2 from bag to hand[p]
    draw 1 from bag to gone
    each p in players
        p chooses t from hand[p]
        move t to table
    finish ranking p in players by count(x in table)
"""


def test_options_are_the_same_wherever_alike_pieces_are(tmp_path: Path) -> None:
    market = small(tmp_path, PASSING)
    for seed in range(10):
        state = market.start(seed)
        while state.decision is not None and state.decision.seat is not None:
            for world in range(6):
                other = state.imagine(state.decision.seat, world).decision
                assert other is not None
                told: Sequence[tuple[str, int]] = [(o.key, o.value) for o in state.decision.options]
                assert told == [(o.key, o.value) for o in other.options]
            state = state.choose(0)


def test_states_that_differ_in_which_is_which_are_one_state(tmp_path: Path) -> None:
    market = small(tmp_path, PASSING)
    digests: dict[str, set[str]] = {}
    for seed in range(80):
        state = market.start(seed)
        view = state.view(None)
        lies = dict(view["zones"].items())
        data = state.to_bytes()
        counters = state.engine.layout.loc  # the cells before tell of chance, not of pieces
        assert counters > 0
        digests.setdefault(json.dumps(lies, sort_keys=True), set()).add(_pieces(state, data))
    assert len(digests) >= 5
    assert all(len(found) == 1 for found in digests.values())


def _pieces(state: rw.State, data: bytes) -> str:
    """The canonical bytes of a state behind its seed and the counters of chance."""
    widths = state.engine.layout.widths[: state.engine.layout.loc]
    return data[sum(4 if width < 0 else (width + 7) // 8 for width in widths) :].hex()
