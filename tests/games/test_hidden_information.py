"""Hidden information: in every imagined world a player sees and may do just the same as in the true one.

Every shipped ruleset is tried in every number of players; small rulesets of its own show that the test can fail, and
that what is hidden is really dealt anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from shipped_games import every_game, game

import rulewright as rw
from rulewright.engine.hidden_information.observations.known_slots import KnownSlots
from rulewright.engine.hidden_information.worlds.leaks import _offered_otherwise
from rulewright.foundation.resources import share
from rulewright.ir import model as m
from rulewright.ir.declared_sight import sight_of
from sampling import sample

VIEWS = Draft202012Validator(json.loads((share("schemas") / "view.schema.json").read_text("utf-8")))
CARDS = {
    "rows": [{"suit": suit, "worth": worth} for suit in ("red", "blue") for worth in range(1, 7)],
}
TABLE = """game secrets
players 2 to 3
enum Suit: red, blue
piece Card from "cards.json"
    suit: Suit
    worth: 1..9
    named "{suit} {worth}"
    begins in deck
zone deck: stack of Card, count seen by everyone
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone table: set of Card, seen by everyone
"""


def ruleset(folder: Path, rules: str, cards: object = CARDS, head: str = TABLE) -> Path:
    (folder / "game.rules").write_text(head + rules)
    (folder / "cards.json").write_text(json.dumps(cards))
    (folder / "ruleset.json").write_text(json.dumps({"name": "secrets", "title": "Secrets", "rules": ["game.rules"]}))
    return folder


def states(start: rw.State, pick: int, most: int = 400) -> Iterator[rw.State]:
    """A random game, state by state."""
    state = start
    for _ in range(most):
        yield state
        if state.decision is None:
            return
        pick = (pick * 1664525 + 1013904223) % 2**32
        state = state.choose((pick >> 8) % len(state.decision.options))


def seen(state: rw.State, player: int) -> bytes:
    return json.dumps(state.view(player)).encode()


def check_imagined(playing: rw.Game, state: rw.State, seed: int) -> int:
    """The property; how many of the worlds differ from the true one in more than chance."""
    differ = 0
    before = state.to_bytes()
    broken = set(playing.broken_invariants(state))
    for player in range(playing.players):
        world = state.imagine(player, seed)
        assert seen(world, player) == seen(state, player)
        assert world.to_bytes() == state.imagine(player, seed).to_bytes()
        assert world.decision is None or state.decision is not None
        assert set(playing.broken_invariants(world)) <= broken
        assert world.to_bytes()[:8] != before[:8], "chance is unknown"
        if player == 0:
            assert playing.load(json.loads(json.dumps(world.save()))) == world, "each piece is somewhere, once"
        assert playing.leaks(state, player, seed) == []
        differ += world.view(None) != state.view(None)
    assert state.to_bytes() == before
    return differ


def test_nothing_is_drawn_for_a_local_that_holds_nothing_yet() -> None:
    """The recruits that the cup lacks are counted after this question, if anything was bought, and read only then."""
    playing = game("kings-and-things", 2)
    *_, state = states(playing.start(2), 2, 65)
    assert state.decision is not None
    assert state.decision.name == "recruit.handed_in"
    for seed in range(4):
        world = state.imagine(0, seed)
        assert playing.load(json.loads(json.dumps(world.save()))) == world


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("name", "players"), every_game())
def test_nothing_hidden_reaches_a_player(name: str, players: int) -> None:
    playing = game(name, players)
    everyone = m.Const((1 << players) - 1)
    hides = any(a.by != everyone or a.facet != "all" for z in playing.program.zones for a in z.audiences)
    differ = 0
    visited = list(states(playing.start(players), players, 120))
    for number, state in enumerate(visited[len(visited) // 5 :: len(visited) // 3]):
        differ += check_imagined(playing, state, number)
        for player in (*range(players), None):
            VIEWS.validate(json.loads(json.dumps(state.view(player))))
    in_fields = not all(map(sight_of(playing.program).open, playing.program.fields))
    assert (differ > 0) == hides or (in_fields and not hides)


HONEST = """
zone lost: bag of Card, seen by {}
field bid[p: Player]: 0..9 or none = none, seen by p
field goal[p: Player]: Suit = red, seen by p
field last: Card or none = none

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
        chance chooses suit from Suit
        goal[p] = suit
    draw 2 from deck to lost
    each p in players at once
        p chooses card from hand[p]
        p chooses n from {0 .. card.worth}
        bid[p] = n
        move card to table
        last = card
    each p in players
        show hand[p.left] to p
        p chooses c from hand[p]
            forbid goal: c.suit is not goal[p]
                unless none_left: no(d in hand[p] where d.suit is goal[p])
        move c to table
        last = c
    each p in players
        p chooses c from hand[p]
        move c to table
    finish ranking p in players by count(c in table where c.suit is goal[p]) then bid[p]
"""


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> rw.Game:
    return rw.load(ruleset(tmp_path_factory.mktemp("honest"), HONEST), 3)


@settings(max_examples=sample(5, 20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**64 - 1), pick=st.integers(0, 2**32))
def test_nothing_hidden_is_known_in_a_game_of_cards(honest: rw.Game, seed: int, pick: int) -> None:
    differ = [check_imagined(honest, state, pick) for state in states(honest.start(seed), pick)]
    assert sum(differ) > len(differ)


def test_what_is_hidden_is_really_dealt_anew(honest: rw.Game) -> None:
    state = honest.start(3)
    worlds = [state.imagine(0, seed).save() for seed in range(40)]
    for zone in ("hand[player_2]", "hand[player_3]", "deck", "lost"):
        assert len({json.dumps(w["zones"][zone]) for w in worlds}) > 5, zone
        assert len({len(w["zones"][zone]) for w in worlds}) == 1
    assert {json.dumps(w["zones"]["hand[player_1]"]) for w in worlds} == {
        json.dumps(state.save()["zones"]["hand[player_1]"])
    }
    assert len({w["seed"] for w in worlds}) == 40
    assert all(w["log"] == [] for w in worlds)
    goals = honest.start(5)
    other = [tuple(goals.imagine(0, seed).save()["fields"]["goal"].values()) for seed in range(40)]
    assert len({g[0] for g in other}) == 1
    assert {g[1:] for g in other} == set(product(("red", "blue"), repeat=2)), "chance has given each, whatever it was"


def test_values_that_are_hidden_alike_go_together(tmp_path: Path) -> None:
    rules = """
field purse[p: Player]: 0..99 = 0, seen by p
field debt[p: Player]: 0..99 = 0, seen by p

procedure play
    each p in players
        purse[p] = 10 * p.seat
        debt[p] = p.seat
    first(players) chooses n from {1 .. 2}
    finish with winner first(players)
"""
    state = rw.load(ruleset(tmp_path, rules), 3).start()
    pairs = set()
    for seed in range(30):
        fields = state.imagine(0, seed).save()["fields"]
        assert (fields["purse"]["player_1"], fields["debt"]["player_1"]) == (10, 1)
        assert all(fields["purse"][seat] == 10 * fields["debt"][seat] for seat in fields["purse"])
        pairs.add(tuple(fields["purse"].values()))
    assert pairs == {(10, 20, 30), (10, 30, 20)}


def test_chance_is_imagined_too(honest: rw.Game) -> None:
    """Nobody is asked where chance is; and a world goes on by its own chance, not by that of the true game."""
    state = honest.start(3, ask_chance=True)
    for _ in range(6):
        assert state.decision is not None
        assert state.decision.seat is None
        for player in range(3):
            assert seen(state.imagine(player, 1), player) == seen(state, player)
            assert honest.leaks(state, player, 1) == []
        state = state.choose(0)
    with pytest.raises(ValueError, match="no player 3"):
        state.imagine(3, 0)


def answered(state: rw.State) -> dict[str, object]:
    found = state.save()["frames"][-1]["locals"]
    return {name: value for name, value in found.items() if name.endswith("at once")}


def test_secret_answers_are_given_anew_and_are_possible(honest: rw.Game) -> None:
    """The second player is asked: what the first has laid and bidden in secret is another card, and a bid it allows."""
    state = honest.start(3).choose(1).choose(0)
    assert state.decision is not None
    assert state.decision.seat == 1
    found = set()
    for seed in range(40):
        world = state.imagine(1, seed).save()
        at_once = world["frames"][-1]["locals"]
        (card,) = next(v for k, v in at_once.items() if k.endswith("card at once"))
        (bid,) = next(v for k, v in at_once.items() if k.endswith("n at once"))
        held = {p["piece"]: int(p["key"].split()[1]) for p in world["zones"]["hand[player_1]"]}
        assert 0 <= bid <= held[card]
        found.add((card, bid))
        assert answered(state.imagine(0, seed)) == answered(state), "they know what they have answered themselves"
    assert len(found) > 10


def test_what_was_shown_is_known_until_it_may_have_moved(tmp_path: Path) -> None:
    rules = """
zone secret: set of Card, count seen by everyone

procedure play
    each p in players
        draw 3 from deck to hand[p]
    let q = first(players)
    let r = q.left
    show hand[r] to q
    q chooses go from {1 .. 2}
    r chooses laid from hand[r]
    move laid to table
    q chooses on from {1 .. 2}
    r chooses covered from hand[r]
    move covered to secret
    q chooses last from {1 .. 2}
    finish with winner q
"""
    playing = rw.load(ruleset(tmp_path, rules), 2)
    state = playing.start(1)

    def told(state: rw.State) -> int:
        hand = state.view(0)["zones"]["hand"]["values"]["player_2"]
        return sum("key" in piece for piece in hand.get("pieces", ()))

    def worlds(state: rw.State) -> int:
        hands = [w.save()["zones"]["hand[player_2]"] for w in (state.imagine(0, seed) for seed in range(20))]
        return len({json.dumps(hand) for hand in hands})

    assert (told(state), worlds(state)) == (3, 1)
    state = state.choose(0).choose(0)
    assert (told(state), worlds(state)) == (2, 1)
    assert playing.load(state.save()) == state
    state = state.choose(0).choose(0)
    assert told(state) == 0
    assert worlds(state) == 2, "it was one of the two that they have seen"
    playing.leaks(state, 0, 1)


def test_pieces_only_lie_where_they_may(tmp_path: Path) -> None:
    """Hidden knights and castles: a bag takes both, a stable only knights."""
    head = """game kinds
players 2
piece Knight from "cards.json#knights"
    number: 1..9
    named "knight {number}"
    begins in stable
piece Castle from "cards.json#castles"
    number: 1..9
    named "castle {number}"
    begins in bag
zone bag: bag of Knight or Castle, count seen by everyone
zone stable: stack of Knight, count seen by everyone
"""
    rules = """
procedure play
    draw 3 from stable to bag
    first(players) chooses n from {1 .. 2}
    finish with winner first(players)
"""
    rows = [{"number": n} for n in range(1, 7)]
    state = rw.load(ruleset(tmp_path, rules, {"knights": rows, "castles": rows}, head)).start()
    found = set()
    for seed in range(60):
        zones = state.imagine(0, seed).save()["zones"]
        assert (len(zones["stable"]), len(zones["bag"])) == (3, 9)
        assert all(p["key"].startswith("knight") for p in zones["stable"])
        found.add(frozenset(p["key"] for p in zones["stable"]))
    assert len(found) > 15, "any three of six knights"


BACKS = """
zone table_down: row of Card, back seen by everyone
zone secret: stack of Card, count seen by everyone

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    draw 3 from deck to table_down
    draw 1 from deck to secret
    first(players) chooses n from {0 .. size(table_down)}
        forbid FORBID
    finish with winner first(players)
"""


def with_backs(folder: Path, forbid: str) -> rw.Game:
    head = TABLE.replace("    begins in deck", '    back shows "{suit}"\n    begins in deck')
    head = head.replace("face seen by p, count seen by everyone", "face seen by p, back seen by everyone")
    return rw.load(ruleset(folder, BACKS.replace("FORBID", forbid), head=head), 2)


def test_backs_that_are_seen_stay(tmp_path: Path) -> None:
    playing = with_backs(tmp_path, "never: false")
    for seed in range(3):
        state = playing.start(seed)
        view, true = state.view(0), state.save()["zones"]
        mine, theirs = (view["zones"]["hand"]["values"][seat] for seat in ("player_1", "player_2"))
        assert "backs" not in mine
        assert theirs == {"count": 3, "backs": backs(true["hand[player_2]"], count=True)}
        assert view["zones"]["table_down"] == {"count": 3, "backs": backs(true["table_down"])}
        assert view["zones"]["secret"] == {"count": 1}
        assert "backs" not in json.dumps(state.view(None))
        VIEWS.validate(json.loads(json.dumps(view)))
        worlds = [state.imagine(0, other) for other in range(40)]
        assert all(seen(world, 0) == seen(state, 0) for world in worlds)
        zones = [world.save()["zones"] for world in worlds]
        assert len({json.dumps(z["table_down"]) for z in zones}) > 5
        unseen = {p["key"].split()[0] for name in ("secret", "deck") for p in true[name]}
        assert {z["secret"][0]["key"].split()[0] for z in zones} == unseen


def backs(pieces: list[dict[str, str]], count: bool = False) -> object:
    found = [piece["key"].split()[0] for piece in pieces]
    return {suit: found.count(suit) for suit in ("red", "blue") if suit in found} if count else found


def test_a_rule_may_read_the_backs_that_a_player_sees(tmp_path: Path) -> None:
    none_red = "late: n > 0 and count(c in hand[first(players).left] where c.suit is red) < 2"
    assert found_leaks(with_backs(tmp_path, f"{none_red} and first(table_down).suit is red")) == set()
    assert found_leaks(with_backs(tmp_path, "late: n > 0 and first(table_down).worth < 4")) != set()
    assert found_leaks(with_backs(tmp_path, "late: n > 0 and some(c in secret where c.suit is red)")) != set()


def test_who_sees_something_may_change(tmp_path: Path) -> None:
    rules = """
field herald: Player or none = none
zone letters: set of Card, seen by {q in players where q is herald}

procedure play
    draw 4 from deck to letters
    each p in players
        herald = p
        p chooses n from {1 .. 2}
    finish with winner first(players)
"""
    state = rw.load(ruleset(tmp_path, rules), 2).start(1)
    for herald in (0, 1):
        for player in (0, 1):
            assert ("letters" in state.view(player)["zones"]) == (player <= herald), "who has seen them remembers"
            worlds = {json.dumps(state.imagine(player, seed).save()["zones"]["letters"]) for seed in range(10)}
            assert (len(worlds) == 1) == (player <= herald)
        state = state.choose(0)


def test_locals_follow_their_pieces(tmp_path: Path) -> None:
    """In the middle of a rule: the card that another has just drawn stays the one they have just drawn."""
    rules = """
procedure play
    shuffle deck
    each p in players
        draw 1 from deck to hand[p] as drawn
        p chooses n from {1 .. 2}
        move drawn to table
    finish with winner first(players)
"""
    state = rw.load(ruleset(tmp_path, rules), 2).start(1)
    drawn = set()
    for seed in range(30):
        world = state.imagine(1, seed)
        (card,) = (p["piece"] for p in world.save()["zones"]["hand[player_1]"])
        after = world.choose(0).save()["zones"]["table"]
        assert [p["piece"] for p in after] == [card]
        drawn.add(card)
    assert len(drawn) > 5


def test_pieces_that_have_been_named_stay(tmp_path: Path) -> None:
    """A card that the player has named themselves, and one that a field names before all eyes."""
    rules = """
field wanted: Card or none = none, face seen by everyone
field marked[Card]: Bool = false, face seen by everyone

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
    let q = first(players)
    wanted = first(hand[q.left])
    marked[first(hand[q.left.left])] = true
    q chooses guess from Card
        forbid own: guess in hand[q]
    q chooses n from {1 .. 2}
    move guess to table
    finish with winner q
"""
    state = rw.load(ruleset(tmp_path, rules), 3).start(2)
    assert state.decision is not None
    for option in state.decision.options:
        asked = state.choose(option)
        true = asked.choose(0).save()["zones"]
        for seed in range(3):
            world = asked.imagine(0, seed).choose(0).save()["zones"]
            assert world["table"] == true["table"]
            assert world["table"][0]["key"] == option.key
            wanted = asked.view(0)["fields"]["wanted"]
            assert [z for z in true if any(p["key"] == wanted for p in true[z])] == [
                z for z in world if any(p["key"] == wanted for p in world[z])
            ]


def test_a_hidden_condition_of_a_secret_is_kept(tmp_path: Path) -> None:
    """An invariant rules out what cannot be."""
    rules = """
invariant first_hand_is_low for p in players: p.seat is 1 or every(c in hand[p] has c.worth <= 3)

procedure play
    each p in players where p.seat is not 1
        move {c in deck where c.suit is red and c.worth <= 3} to hand[p]
    first(players) chooses n from {1 .. 2}
    finish with winner first(players)
"""
    state = rw.load(ruleset(tmp_path, rules), 2).start(1)
    hands = set()
    for seed in range(20):
        hand = state.imagine(0, seed).save()["zones"]["hand[player_2]"]
        assert all(int(p["key"].split()[1]) <= 3 for p in hand)
        hands.add(tuple(p["key"] for p in hand))
    assert len(hands) > 3


# ------------------------------------------------------------------------------------------------- leaks

LEAKS = {
    "restriction": """
        p chooses mine from hand[p]
            forbid lower: some(d in hand[p.left] where d.worth > mine.worth)
                unless lowest: every(e in hand[p] has some(d in hand[p.left] where d.worth > e.worth))
        move mine to table
""",
    "reason": """
        p chooses mine from hand[p]
            forbid never: mine.worth is max(c.worth for c in hand[p])
                unless rich: some(d in hand[p.left] where d.worth is 1)
            forbid anyway: mine.worth is max(c.worth for c in hand[p])
        move mine to table
""",
    "query": """
        p chooses mine from {1 .. highest(p.left)}
""",
    "option": """
        p chooses either as mine
            option pass_on: stop
            option peep
                forbid nothing: first(deck).suit is red
                stop
""",
    "members": """
        p chooses mine from hand[p.left]
        move mine to table
""",
    "question": """
        p chooses mine from {c in hand[p] where some(d in hand[p.left] where d.worth is c.worth)}
        then
            move mine to table
        else
            move hand[p] to table
""",
    "field": """
        p chooses mine from {0 .. 9}
            forbid same: mine is wish[p.left]
""",
}
PLAY = """
field wish[p: Player]: 0..9 = 0, seen by p
query highest(p: Player) -> Int = max(c.worth for c in hand[p])

procedure play
    shuffle deck
    each p in players
        draw 3 from deck to hand[p]
        wish[p] = 2 * p.seat
    each p in players
"""
END = "    finish with winner first(players)\n"


def found_leaks(playing: rw.Game) -> set[str]:
    found: set[str] = set()
    for seed in range(4):
        for state in states(playing.start(seed), seed):
            if state.decision is not None and state.decision.seat is not None:
                for other in range(8):
                    found.update(playing.leaks(state, state.decision.seat, other))
    return found


@pytest.mark.parametrize("name", LEAKS)
def test_a_rule_that_reads_a_secret_is_found(tmp_path: Path, name: str) -> None:
    found = found_leaks(rw.load(ruleset(tmp_path, PLAY + LEAKS[name] + END), 3))
    assert found
    assert all(sentence.startswith("`play.mine`: player_") for sentence in found), found


@pytest.mark.parametrize("name", ["restriction", "members", "field"])
def test_imagined_worlds_offer_the_same_even_if_the_rules_leak(tmp_path: Path, name: str) -> None:
    """A player who is offered something knows that they are: only worlds are imagined in which they would be."""
    playing = rw.load(ruleset(tmp_path, PLAY + LEAKS[name] + END), 3)
    for state in states(playing.start(1), 1):
        for player in range(3):
            assert seen(state.imagine(player, 5), player) == seen(state, player)


def test_a_rule_that_reads_what_he_may_see_is_not_found(tmp_path: Path) -> None:
    """The same restriction, once the hand was shown to the player; and sizes, which all see."""
    rules = LEAKS["restriction"].replace(
        "        p chooses mine", "        show hand[p.left] to p\n        p chooses mine"
    )
    sizes = """
        p chooses more from {1 .. size(hand[p.left]) + size(deck)}
            forbid odd: more is size(deck)
"""
    assert found_leaks(rw.load(ruleset(tmp_path, PLAY + rules + sizes + END), 3)) == set()


GROWN = """place Cell
map Land: growing hexes of Cell, at most 9
zone mine[c: Cell]: set of Card, {sight}

procedure play
    shuffle deck
    draw 1 from deck to mine[(0, 0)] as buried
    let room = size(Cell)
    each p in players
        p chooses n from {{1 .. 2}}
    if room > 1
        finish with winner first(players)
    finish with winner last(players)
"""


@pytest.mark.parametrize(("sight", "known"), [("seen by {}", False), ("count seen by everyone", True)])
def test_how_a_growing_map_lies_is_known_to_those_who_see_where_something_lies(
    tmp_path: Path, sight: str, known: bool
) -> None:
    playing = rw.load(ruleset(tmp_path, GROWN.format(sight=sight)), 2)
    state = playing.start(1)
    slots = KnownSlots(state, 0)
    function = state.engine.program.functions[slots.frames[-1].function]
    room = next(number for number, slot in enumerate(function.slots) if slot.name == "room")
    assert slots.knows(len(slots.frames) - 1, room) is known


FIRST = """
procedure play
    shuffle deck
    first(players) chooses c from {first(deck)}
    move c to table
    finish with winner first(players)
"""


def test_the_first_of_a_hidden_stack_is_offered_by_its_place(tmp_path: Path) -> None:
    state = rw.load(ruleset(tmp_path, FIRST), 2).start(1)
    assert state.decision is not None
    assert [option.key for option in state.decision.options] == ["back in deck, place 1"]
    assert state.view(0) == state.imagine(0, 1).view(0)
    assert state.choose("back in deck, place 1").result is not None


@pytest.mark.parametrize("source", ["best(c in deck by 1)", "sorted(c in deck by 1)", "deck except {first(deck)}"])
def test_all_of_a_hidden_stack_are_offered_by_their_places(source: str, tmp_path: Path) -> None:
    state = rw.load(ruleset(tmp_path, FIRST.replace("{first(deck)}", source)), 2).start(1)
    assert state.decision is not None
    assert {option.key.partition(",")[0] for option in state.decision.options} == {"back in deck"}


def test_an_order_that_tells_is_told() -> None:
    decision = rw.load("leduc-poker").start(1).decision
    assert decision is not None
    text = _offered_otherwise(decision, ["a", "b"], ["b", "a"])
    assert "is offered `a`, `b`, but `b`, `a` in this order" in text
    assert "is offered `a`, but nothing more" in _offered_otherwise(decision, ["a", "b"], ["b"])
