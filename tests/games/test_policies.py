"""Seats with a preference: they play better than chance, alike for a seed, and know no more than they may."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulewright as rw

TREASURE = """game treasure
players 2

enum Colour: red, blue
piece Card from "cards.json"
    worth: 0..9
    named "card {worth}"
    begins in deck[left]
enum Pile: left, right
zone deck[Pile]: stack of Card, seen by {}
zone hand[p: Player]: set of Card, seen by p
field gold[Player]: 0.. = 0

value wealth(p: Player) -> Int = gold[p]
query rich(p: Player, least: Int) -> Bool = gold[p] >= least
query both(ps: set of Player) -> Int = sum(gold[p] for p in ps)
query next_one(p: Player or none) -> Player or none = p.left

procedure play
    shuffle deck[left]
    move 2 of {c in Card where c in deck[left]} to deck[right]
    repeat 1 times
        each p in players
            dig(p)
    finish ranking p in players by gold[p]

procedure dig(p: Player)
    p chooses pile from Pile
        forbid dug: deck[pile] is empty
    draw 1 from deck[pile] to hand[p] as found
    gold[p] += single(found).worth
"""


@pytest.fixture
def treasure(tmp_path: Path) -> rw.Game:
    (tmp_path / "ruleset.json").write_text('{"name": "treasure", "title": "Treasure", "rules": ["game.rules"]}')
    (tmp_path / "game.rules").write_text(TREASURE)
    (tmp_path / "cards.json").write_text('{"rows": [{"worth": 0, "count": 2}, {"worth": 9, "count": 2}]}')
    return rw.load(tmp_path)


def test_a_preference_wins_more_games(tmp_path: Path) -> None:
    """A player who takes a win when they see one, and has no other preference, wins most games from any seat."""
    variant = tmp_path / "calm.rules"
    variant.write_text('variant "Calm" of connect_four\n    add query calm(p: Player) -> Int = 0\n')
    playing = rw.load("connect-four", variants=[str(variant)])
    chance, calm = playing.policy("random"), playing.policy("greedy:calm", look=7, noise=0)
    for seat, policies in enumerate(([calm, chance], [chance, calm])):
        won = [playing.playout(seed, policies=policies).places[seat] for seed in range(40)].count(1)
        assert won >= 28
    with pytest.raises(rw.RulesetError, match="3 policies for 2 players"):
        playing.playout(0, policies=[chance] * 3)


def test_games_with_preference_repeat_and_can_be_replayed(treasure: rw.Game) -> None:
    greedy = treasure.policy("greedy:wealth")
    first, again = (treasure.playout(7, keep=True, policies=[greedy]) for _ in range(2))
    assert first.answers == again.answers
    state = treasure.start(7)
    for answer in first.answers:
        state = state.choose(answer)
    assert state == first.state


def test_a_state_is_picked_from_as_in_a_whole_game(treasure: rw.Game) -> None:
    state, dice = treasure.start(3), rw.playing.Dice(3, "a seat")
    number = treasure.pick(state, treasure.policy("greedy:wealth"), dice)
    assert state.decision is not None
    assert 0 <= number < len(state.decision.options)
    assert state == treasure.start(3), "looking ahead has changed the state"


def test_all_random_policies_are_the_random_game(treasure: rw.Game) -> None:
    chance = treasure.policy("random")
    assert treasure.playout(4, keep=True, policies=[chance]).answers == treasure.playout(4, keep=True).answers


def test_nobody_looks_under_a_card(treasure: rw.Game) -> None:
    """A player who saw the top of both piles would always take the better one; the policy is no better than chance."""
    greedy = treasure.policy("greedy:wealth", noise=0)
    gold = [treasure.playout(seed, policies=[greedy]).state.ask("wealth", treasure.seats[0]) for seed in range(400)]
    assert 0.4 < sum(1 for found in gold if found) / 400 < 0.6


def tops(playing: rw.Game, seed: int) -> set[str]:
    """The two cards of which the first player may dig one out."""
    zones = playing.start(seed).view(None)["zones"]["deck"]["values"]
    return {pile["pieces"][0]["key"] for pile in zones.values()}


def test_what_was_shown_to_him_is_known(tmp_path: Path, treasure: rw.Game) -> None:
    """A look ahead deals anew what the player does not see, but not what the rules have shown them."""
    rules = tmp_path / "game.rules"
    rules.write_text(
        TREASURE.replace("    p chooses pile", "    show {first(deck[x]) for x in Pile} to p\n    p chooses pile")
    )
    shown = rw.load(tmp_path)
    greedy = shown.policy("greedy:wealth", noise=0)
    for seed in range(40):
        found = shown.playout(seed, policies=[greedy]).state.ask("wealth", shown.seats[0])
        assert found == (9 if "card 9" in tops(shown, seed) else 0)


def test_backs_are_known_and_faces_are_not(tmp_path: Path, treasure: rw.Game) -> None:
    """Both piles lie face down; once the backs tell the worth of a card, the policy takes the better one."""
    rules = tmp_path / "game.rules"
    text = TREASURE.replace("stack of Card, seen by {}", "stack of Card, back seen by everyone")
    found = []
    for back in ("worth {worth}", "treasure"):
        rules.write_text(text.replace('    named "card', f'    back shows "{back}"\n    named "card'))
        playing = rw.load(tmp_path)
        greedy = playing.policy("greedy:wealth", noise=0)
        best = [9 if "card 9" in tops(playing, seed) else 0 for seed in range(100)]
        gold = [playing.playout(seed, policies=[greedy]).state.ask("wealth", playing.seats[0]) for seed in range(100)]
        found.append(gold == best)
    assert found == [True, False]


def test_a_card_is_taken_blindly(tmp_path: Path, treasure: rw.Game) -> None:
    """A player who must pick from a hand that they do not see finds the good card no more than by chance."""
    rules = tmp_path / "game.rules"
    rules.write_text(
        TREASURE.partition("procedure play")[0]
        + """
procedure play
    let q = first(players)
    move deck[left] to hand[q]
    q.left chooses taken from hand[q]
    move taken to hand[q.left]
    gold[q.left] += taken.worth
    finish with winner q
"""
    )
    (tmp_path / "cards.json").write_text('{"rows": [{"worth": 9}, {"worth": 0}]}')
    playing = rw.load(tmp_path)
    greedy = playing.policy("greedy:wealth", noise=0)
    gold = [playing.playout(seed, policies=[greedy]).state.ask("wealth", playing.seats[1]) for seed in range(200)]
    assert 0.4 < gold.count(9) / 200 < 0.6


def test_questions_to_a_state(treasure: rw.Game) -> None:
    state = treasure.start(1)
    one, two = treasure.seats
    assert state.ask("wealth", one) == 0
    assert state.ask("rich", one, 0) is True
    assert state.ask("both", (one, two)) == 0
    assert state.ask("next_one", one) == two
    assert state.ask("next_one", None) is None


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (("welth", "one"), "no query or value `welth`"),
        (("wealth",), "`wealth` depends on p: Player; it was asked with 0 arguments"),
        (("wealth", "nobody"), "there is no such Player"),
        (("wealth", 0), "there is no such Player"),
        (("wealth", None), "cannot be none"),
        (("rich", "one", "two"), "must be a number"),
        (("rich", "one", True), "must be a number"),
        (("both", "one"), "several keys are needed"),
        (("both", 3), "several keys are needed"),
    ],
)
def test_wrong_questions_are_told(treasure: rw.Game, question: tuple[str, object], words: str) -> None:
    seats = {"one": treasure.seats[0], "two": treasure.seats[1]}
    asked = [seats.get(word, word) if isinstance(word, str) else word for word in question]
    with pytest.raises(rw.RulesetError) as caught:
        treasure.start(1).ask(*asked)  # type: ignore[arg-type]
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words", "hint"),
    [
        ("gready:wealth", "no agent `gready`", "did you mean `greedy`?"),
        ("greedy:welth", "no query or value `welth`", "did you mean `wealth`?"),
        ("greedy:gold", "`gold` is a field, not a query", "`query gold_now(p: Player) = gold[p]`"),
        ("greedy", "needs a query", "`wealth`"),
        ("lead:rich", "does not rate a player", "`wealth`"),
        ("random:wealth", "takes no query", ""),
    ],
)
def test_wrong_policies_are_told(treasure: rw.Game, text: str, words: str, hint: str) -> None:
    with pytest.raises(rw.RulesetError) as caught:
        treasure.policy(text)
    [found] = caught.value.diagnostics
    assert words in found.message
    assert hint in found.hint
