"""Records of positions: a game with ko and one that ends at the third repetition, on both engines; what is saved."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from lockstep import Lockstep, Tally

import rulewright as rw
from rulewright.engine.cells.fingerprint import Fingerprint
from rulewright.engine.cells.layout import layout_of
from rulewright.engine.native.lowering.helpers.position_functions import MOST_KEYS
from rulewright.engine.native.profile import profile
from sampling import sample

KO = """game atari
players 2
place Point
map Board: grid 3 by 4 of Point
field stone[Point]: Player or none
field stood[Player]: positions of stone, at most 300
field passed: Bool = false
query chain(x: Point) -> set of Point = reach(from x within {y in Point where stone[y] is stone[x]})
query alive(x: Point) -> Bool = some(y in boundary(chain(x)) where stone[y] is none)
effect lay(p: Player, x: Point)
    stone[x] = p
    let captured = {y in Point where stone[y] is p.left and not alive(y)}
    each y in captured
        stone[y] = none
procedure play
    repeat
        each p in players
            turn(p)
procedure turn(p: Player)
    p may choose x from Point where stone[x] is none
        forbid suicide: not alive(x) after lay(p, x)
        forbid superko: seen_before(stood[p]) > 0 after lay(p, x)
    then
        lay(p, x)
        record(stood[p])
        passed = false
    else
        if passed
            finish ranking q in players by count(x in Point where stone[x] is q)
        passed = true
"""
THIRD = """game third
players 2
place Square
map Board: grid 3 by 3 of Square
piece Man from "men.json"
    owner: Player
    king: Bool
    named "{owner} {king}"
    begins in home[owner]
zone home[Player]: set of Man, seen by everyone
zone on[Square]: set of Man, at most 1, seen by everyone
field to_move: Player or none
field stood: positions of on and to_move, at most 400
procedure play
    each p in players
        each m in home[p]
            p chooses s from Square where on[s] is empty
            move m to on[s]
    repeat
        each p in players
            to_move = p
            record(stood)
            if seen_before(stood) >= 3
                finish with winner players
            turn(p)
procedure turn(p: Player)
    p may choose m from Man where m.owner is p and some(s in place(m).neighbours where on[s] is empty)
    then
        p chooses s from place(m).neighbours where on[s] is empty
        move m to on[s]
"""
MEN = {"rows": [{"owner": seat, "king": king, "count": 1 if king else 2} for seat in (1, 2) for king in (True, False)]}


@pytest.fixture(scope="module", params=[KO, THIRD], ids=["ko", "third"])
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> rw.Game:
    at = tmp_path_factory.mktemp("records")
    return rw.load(written(at, request.param))


def written(at: Path, rules: str) -> Path:
    (at / "game.rules").write_text(rules, encoding="utf-8")
    (at / "men.json").write_text(json.dumps(MEN), encoding="utf-8")
    manifest = {"name": rules.split()[1], "title": "Records", "rules": ["game.rules"]}
    (at / "ruleset.json").write_text(json.dumps(manifest), encoding="utf-8")
    return at


def random_state(game: rw.Game, seed: int, decisions: int) -> rw.State:
    state, r = game.start(seed), Random(seed)
    for _ in range(decisions):
        if state.decision is None:
            break
        state = state.choose(r.choice(state.decision.options))
    return state


def test_both_engines_in_lockstep(game: rw.Game) -> None:
    both, tally = Lockstep(game.program), Tally()
    for seed in range(sample(12, 200)):
        tally.add(both.play(seed))
    assert not tally.errors
    assert not tally.handed_over


LARGE = """game large
players 2
place Cell
map Board: grid 30 by 30 of Cell
field man[Cell]: Player or none
field mark[Cell]: 0..20 = 0
field stood: positions of man and mark, at most 20
procedure play
    repeat 8 times
        each p in players
            turn(p)
    finish with a draw
procedure turn(p: Player)
    p chooses c from Cell where c.row > 27 and man[c] is none
    man[c] = p
    mark[c] = c.column mod 20
    record(stood)
"""


def test_keys_of_large_positions_are_worked_out(tmp_path: Path) -> None:
    """There is no table of them: what is recorded is the same as in the Python engine."""
    (tmp_path / "game.rules").write_text(LARGE, "utf-8")
    (tmp_path / "ruleset.json").write_text(json.dumps({"name": "large", "title": "Large", "rules": ["game.rules"]}))
    program = rw.load(tmp_path).program
    assert Fingerprint(layout_of(program), ("man", "mark"), ()).size > MOST_KEYS
    tally = Lockstep(program).play(1)
    assert tally.decisions == 16
    assert not tally.errors
    assert not tally.handed_over


WIDE = """game wide
players 3
place Cell
map Board: grid 9 by 9 of Cell
field flag[Cell]: Bool
field own[Player]: set of Cell
field some_of[Cell]: set of Player
field amount[Player]: Int = 2
field stood: positions of flag and own and some_of and amount, at most 60
field seen: Int = 0
procedure play
    repeat 7 times
        each p in players
            turn(p)
    finish ranking p in players by amount[p]
procedure turn(p: Player)
    p chooses c from Cell where c.row < 2
        forbid again: seen_before(stood) > 1 after put(p, c)
    put(p, c)
    seen = (seen + seen_before(stood)) mod 5
    record(stood)
effect put(p: Player, c: Cell)
    flag[c] = not flag[c]
    own[p] = own[p.left] except {c} if c in own[p] else own[p] + {c, towards(c, south, 7)}
    some_of[c] = some_of[c] except {p} if p in some_of[c] else some_of[c] + {p}
    amount[p] = -amount[p] if flag[c] else 2
"""


def wide(folder: Path) -> rw.Game:
    """A game that records fields of all widths."""
    (folder / "game.rules").write_text(WIDE, "utf-8")
    (folder / "ruleset.json").write_text(json.dumps({"name": "wide", "title": "Wide", "rules": ["game.rules"]}))
    return rw.load(folder)


def test_cells_of_all_widths_in_lockstep(tmp_path: Path) -> None:
    """Sums of fields are kept also where an effect was only tried or a game is over."""
    both, tally = Lockstep(wide(tmp_path).program), Tally()
    for seed in range(sample(4, 60)):
        tally.add(both.play(seed))
    assert not tally.errors
    assert not tally.handed_over


def test_only_words_that_are_others_are_looked_at(tmp_path: Path) -> None:
    """A position in which nothing was written since costs no more than a comparison of its cells."""
    game = wide(tmp_path)
    twice = WIDE.replace("    record(stood)\n", "    seen = (seen + seen_before(stood)) mod 5\n    record(stood)\n")
    (tmp_path / "game.rules").write_text(twice, "utf-8")
    once, more = (profile(one.program, 20).profile.instructions for one in (game, rw.load(tmp_path)))
    assert more < 1.05 * once


def test_a_save_keeps_what_has_been(game: rw.Game) -> None:
    for seed in range(4):
        state = random_state(game, seed, 18)
        again = game.load(state.save())
        assert again.to_bytes() == state.to_bytes()
        assert again == state
        assert random_state(game, seed, 99) == game.replay(random_state(game, seed, 99).log, seed)
        options = [s.decision.options if s.decision is not None else () for s in (state, again)]
        assert [option.key for option in options[0]] == [option.key for option in options[1]]


def test_nobody_is_shown_a_record(game: rw.Game) -> None:
    state = random_state(game, 1, 12)
    for seen in (state.view(0), state.view(None)):
        assert "stood" not in json.dumps(seen)
    assert all(field.name != "stood" for field in game.model.fields)


def test_what_has_been_belongs_to_the_state(tmp_path: Path) -> None:
    """The same stones by another way are another state, as something else is forbidden later."""
    game = rw.load(written(tmp_path, KO))

    def after(*points: str) -> rw.State:
        state = game.start(0)
        for point in points:
            assert state.decision is not None
            state = state.choose(next(o for o in state.decision.options if o.key == point))
        return state

    one, other = after("(0, 0)", "(2, 3)", "(1, 1)", "(2, 0)"), after("(1, 1)", "(2, 3)", "(0, 0)", "(2, 0)")
    assert one.view(None)["fields"]["stone"] == other.view(None)["fields"]["stone"]
    assert one != other


def test_a_record_that_is_full_is_an_error(tmp_path: Path) -> None:
    game = rw.load(written(tmp_path, KO.replace("at most 300", "at most 2")))
    with pytest.raises(rw.RulesetError, match="the record `stood` holds at most 2 positions"):
        random_state(game, 0, 60)
    both = Lockstep(game.program)
    assert both.play(0).errors == {"RUN003": 1}
