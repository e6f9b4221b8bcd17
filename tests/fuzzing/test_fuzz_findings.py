"""Each kind of trouble is found in a small game, and told so that it can be seen again."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

from fuzz_helpers import change, command, paste, title_of, written

import rulewright as rw
from rulewright.findings.fuzzing import FuzzOptions

LEAKING = """\
game small
players 2

piece Card from "cards.json#cards"
    worth: Int
    named "card {worth}"
    begins in deck

zone deck: stack of Card, seen by {}
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone table: set of Card, seen by everyone

procedure play
    shuffle deck
    each p in players
        draw 2 from deck to hand[p]
    each p in players
        turn(p)
    finish with winner players

procedure turn(p: Player)
    p may choose card from hand[p]
        forbid beaten: some(q in players, c in hand[q] where q is not p and c.worth > card.worth + 4)
    then
        move card to table
"""

ENDLESS = """\
game small
players 2

field steps: 0..1000000 = 0

procedure play
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses n from {1, 2}
    steps = steps + n

end far when steps > 900000
    finish with winner players
"""

WALKING = """\
game small
players 2

field at: 0..9 = 0
field rounds: 0..6 = 0

procedure play
    repeat 3 times
        each p in players
            p chooses steps from {0, 1}
            rounds += steps
    repeat
        each p in players
            turn(p)

procedure turn(p: Player)
    p chooses either as way
        option up
            forbid there: at is 8
            at += 1
        option down
            forbid low: at is 0
            at -= 1

end there when at is 9
    finish with winner players
"""

CLIMBING = """\
game small
players 2

param top: 3..5 = 4
param bold: Bool = false
param style: {slow, quick} = slow

field height[Player]: 0..5 = 0

invariant not_too_high for p in players: height[p] <= 4

procedure play
    repeat 8 times
        each p in players
            turn(p)
    finish ranking p in players by height[p]

procedure turn(p: Player)
    p chooses either as way
        option up
            forbid there: height[p] >= top
            height[p] += 1
        option stay

variant "Higher" of small
    set top = 5

variant "Quick" of small
    set style = quick
"""

SHUFFLING = """\
game small
players 2

piece Card from "cards.json#cards"
    worth: Int
    named "card {worth}"
    begins in deck

die Coin: heads, tails

zone deck: stack of Card, seen by everyone
zone discard: set of Card, seen by everyone
zone hand[Player]: set of Card, seen by everyone

field lost: Bool = false

invariant a_low_card_is_never_on_top: deck is empty or first(deck).worth > 1 or not lost

procedure play
    repeat 3 times
        each p in players
            turn(p)
    finish with winner players

procedure turn(p: Player)
    draw 2 from deck to hand[p]
    p rolls 2 Coin as coins
    p chooses laid from hand[p] + discard
    move laid to discard
    if size(deck) <= 3
        move hand[p] to deck
        shuffle deck
        lost = laid.worth is 3
        p chooses nod from {1 .. 2}
        lost = false
"""


def small(folder: Path, rules: str) -> Path:
    made = written(folder / "small", rules)
    cards = ", ".join(f'{{"worth": {n}}}' for n in range(1, 9))
    (made / "cards.json").write_text(f'{{"cards": [{cards}]}}', "utf-8")
    return made


def test_a_leak(tmp_path: Path) -> None:
    folder = small(tmp_path, LEAKING)
    report = rw.fuzzing.fuzz(folder, FuzzOptions(games=12, keep_going=False))
    (story,) = report.stories
    assert (story.trouble.kind, story.trouble.name) == ("leak", "turn.card")
    assert "if what is hidden from them were different" in story.trouble.told
    assert story.scenario, story.why_not
    paste(folder, story.scenario)
    code, said = command("test", folder)
    assert code == 1
    assert "betrays" in said
    change(folder / "game.rules", "q is not p and", "q is p and")
    assert command("test", folder)[0] == 0


def test_a_game_that_does_not_end(tmp_path: Path) -> None:
    report = rw.fuzzing.fuzz(small(tmp_path, ENDLESS), FuzzOptions(games=4, most=50, keep_going=False))
    (story,) = report.stories
    assert story.trouble.kind == "endless"
    assert story.decisions == len(story.numbers) == 50
    assert not story.scenario
    assert "must end" in story.why_not


def test_a_game_that_turns_in_a_circle(tmp_path: Path) -> None:
    """The position that comes again is told, not the thousands of decisions."""
    report = rw.fuzzing.fuzz(small(tmp_path, WALKING), FuzzOptions(games=4, most=300, keep_going=False))
    (story,) = report.stories
    assert story.trouble.key == ("endless", "play")
    assert story.trouble.told.endswith(": the position after decision 6 comes again 2 decisions later")
    assert story.decisions == len(story.numbers) == 8
    assert story.log[-2:] == ("player_1: turn.way = up", "player_2: turn.way = down")
    game = rw.load(tmp_path / "small")
    states = [game.start(ask_chance=True)]
    for number in story.numbers:
        states.append(states[-1].choose(number))
    assert states[6].to_bytes() == states[8].to_bytes()


def test_an_endless_loop_without_a_decision_is_an_error(tmp_path: Path) -> None:
    folder = small(tmp_path, ENDLESS.replace("    steps = steps + n\n", "    repeat\n        steps = 0\n"))
    with rw.limited(rw.Limits(steps=50_000)):
        story = rw.fuzzing.fuzz(folder, FuzzOptions(games=1)).stories[0]
    assert story.trouble.name.startswith("RUN006")
    assert story.decisions == 1
    assert "start turn(" in story.scenario


def test_a_variant_that_breaks_an_invariant_of_the_game(tmp_path: Path) -> None:
    folder = small(tmp_path, CLIMBING)
    assert rw.fuzzing.fuzz(folder, FuzzOptions(games=4)).passed
    report = rw.fuzzing.fuzz(folder, FuzzOptions(games=9, everything=True, keep_going=True))
    few = rw.fuzzing.fuzz(folder, FuzzOptions(games=2, everything=True, keep_going=True))
    assert few.settings == report.settings[:2]
    assert report.settings[0] == "2 players"
    assert len(report.settings) == 9, "2 variants and 3 options have 48 settings"
    chosen = [set(setting.split(", ")) for setting in report.settings]
    for one, other in combinations(("Higher", "Quick", "bold = true", "style = quick", "top = 3", "top = 5"), 2):
        met = {(one in setting, other in setting) for setting in chosen}
        assert len(met) == (3 if {one, other} == {"top = 3", "top = 5"} else 4), (one, other)
    assert not report.unplayed
    (story,) = report.stories
    assert story.trouble.key == ("invariant", "not_too_high")
    assert story.decisions == 1
    assert [line.strip() for line in story.scenario.splitlines() if "set " in line or "variant " in line] == [
        'variant "Higher"'
    ], "it needs no other option"
    assert ("Higher" in story.setting.variants) or ("top", "5") in story.setting.options
    assert 'variant "Higher"' in story.scenario or "set top = 5" in story.scenario
    assert "given height[" in story.scenario
    paste(folder, story.scenario)
    assert command("test", folder)[0] == 1
    change(folder / "game.rules", "height[p] >= top", "height[p] >= min({top, 4})")
    assert command("test", folder, "-k", title_of(story.scenario))[0] == 0


def test_the_shuffle_of_one_of_several_piles_can_be_told(tmp_path: Path) -> None:
    rules = re.sub(r"\bdeck\b(?!:)", "deck[upper]", SHUFFLING).replace("zone deck:", "zone deck[Half]:")
    rules = rules.replace("die Coin:", "enum Half: upper, lower\n\ndie Coin:")
    folder = small(tmp_path, rules)
    (story,) = rw.fuzzing.fuzz(folder, FuzzOptions(games=40, keep_going=False)).stories
    assert story.scenario, story.why_not
    assert "chance: deck[upper] = [" in story.scenario
    paste(folder, story.scenario)
    assert command("test", folder)[0] == 1
    change(
        folder / "game.rules",
        "        shuffle deck[upper]\n        lost = laid.worth is 3",
        "        shuffle deck[upper]",
    )
    assert command("test", folder)[0] == 0


def test_shuffles_dice_and_pieces_of_one_name_can_be_told(tmp_path: Path) -> None:
    folder = small(tmp_path, SHUFFLING)
    (story,) = rw.fuzzing.fuzz(folder, FuzzOptions(games=40, keep_going=False)).stories
    assert story.trouble.name == "a_low_card_is_never_on_top"
    assert story.scenario, story.why_not
    assert "chance: deck = [" in story.scenario
    assert "coins = [" in story.scenario
    assert story.log.count("chance: shuffle deck") == 1, story.log
    assert not any("shuffle deck = " in line for line in story.log)
    assert story.decisions <= 12
    paste(folder, story.scenario)
    assert command("test", folder)[0] == 1
    change(folder / "game.rules", "        shuffle deck\n        lost = laid.worth is 3", "        shuffle deck")
    assert command("test", folder)[0] == 0
