"""Narrations: what has happened in a game, told to a reader who may not know everything."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest
from secret_games import BIDS, HEAD, LOSING, PASSING, made
from shipped_games import game
from test_hidden_information import HONEST, states

import rulewright as rw
import rulewright_tools
from rulewright.engine.states.announcements import numbered
from rulewright.ir import model as m
from rulewright.play.narration import Narrator, story
from rulewright.play.playing import PUBLIC
from sampling import sample

CHANCY = """
field coins[p: Player]: 0..9 = 0, seen by p
field open_coins[Player]: 0..9 = 0
zone won[p: Player]: set of Card, seen by everyone

procedure play
    shuffle deck
    each p in players
        draw 2 from deck to hand[p]
        chance chooses d from {1 .. 6}
        coins[p] = d
    first(players) chooses c from hand[first(players)]
    move c to won[first(players)]
    open_coins[first(players)] += c.worth
    first(players) chooses last from {0 .. 1}
    finish ranking p in players by open_coins[p] then coins[p]
"""


def played(playing: rw.Game, seed: int, most: int = 10_000) -> rw.State:
    """A random game, or its first answers."""
    state = playing.start(seed)
    for answer in playing.playout(seed, keep=True, most=most).answers:
        state = state.choose(answer)
    return state


def texts(lines: tuple[rw.narration.Line, ...], *kinds: str) -> list[str]:
    return [line.text for line in lines if line.kind in kinds or not kinds]


@pytest.mark.parametrize(("rules", "steps"), [(PASSING, 6), (BIDS, 8), (HONEST, 9), (CHANCY, 2), (LOSING, 4)])
def test_what_is_told_follows_from_what_the_reader_knows(tmp_path: Path, rules: str, steps: int) -> None:
    """Games in which a player has seen and heard the same are told to them in the same words."""
    playing = made(tmp_path, rules, 2)
    told: dict[str, set[str]] = {}
    truths: dict[str, set[str]] = {}
    for seed in range(sample(21, 36)):
        state = playing.start(seed)
        for _ in range(seed % (steps + 1)):
            # The first option, or the second: few games, so that some have one history.
            if state.decision is not None:
                state = state.choose(seed // 7 % min(2, len(state.decision.options)))
        truth = "\n".join(texts(story(playing, state, None)))
        for reader in (0, 1, PUBLIC):
            mine = json.dumps([reader, state.history(reader)])
            told.setdefault(mine, set()).add("\n".join(texts(story(playing, state, reader))))
            truths.setdefault(mine, set()).add(truth)
    assert all(len(found) == 1 for found in told.values())
    assert max(map(len, truths.values())) > 1, "some of these games differ in what is hidden"


def test_live_and_later_the_same_is_told_of_a_game_without_chance() -> None:
    playing = game("tic-tac-toe")
    visited = list(states(playing.start(3), 1))
    narrator = Narrator(playing, visited[0], PUBLIC)
    live = [line for state in visited[1:] for line in narrator.look(state)]
    assert tuple(live) == story(playing, visited[-1], PUBLIC)
    assert live[0].text == f"x: puts a mark on {visited[-1].log[0].key}"


def test_hidden_pieces_are_counted_and_own_ones_named(tmp_path: Path) -> None:
    playing = made(tmp_path, CHANCY, 2)
    state = playing.start(4)
    mine, all_told = texts(story(playing, state, 0)), texts(story(playing, state, None))
    cards = [piece["key"] for piece in state.view(0)["zones"]["hand"]["values"]["player_1"]["pieces"]]
    assert any(line.endswith("deck \N{RIGHTWARDS ARROW} hand of player 1") and cards[0] in line for line in mine)
    assert "2 \N{MULTIPLICATION SIGN} card face down: deck \N{RIGHTWARDS ARROW} hand of player 2" in mine
    theirs = [piece["key"] for piece in state.view(1)["zones"]["hand"]["values"]["player_2"]["pieces"]]
    assert not any(card in line for card in theirs for line in mine)
    assert any(card in line for card in theirs for line in all_told)
    assert any(line.startswith("player 1: coins 0") for line in mine)
    assert not any(line.startswith("player 2: coins") for line in mine)
    assert [line for line in texts(story(playing, state, PUBLIC)) if "coins" in line or "chance" in line] == []


def test_numbers_and_moves_after_an_answer(tmp_path: Path) -> None:
    playing = made(tmp_path, CHANCY, 2)
    state = playing.start(4)
    narrator = Narrator(playing, state, 1)
    assert state.decision is not None
    card = state.decision.options[0].key
    worth = int(card.split()[1])
    assert texts(narrator.look(state.choose(card))) == [
        f"player 1: play {card}",
        f"{card}: hand of player 1 \N{RIGHTWARDS ARROW} won of player 1",
        f"player 1: open coins 0 \N{RIGHTWARDS ARROW} {worth} ({worth:+})",
    ]


def test_the_end_names_the_values_that_the_reader_may_know(tmp_path: Path) -> None:
    playing = made(tmp_path, CHANCY, 2)
    state = playing.start(4).choose(0).choose(0)
    assert state.result is not None
    first, second = (who for place in state.result.ranking for who in place)
    public = texts(story(playing, state, PUBLIC), "end")
    assert public == [
        "the game ends: play",
        f"1. {first.replace('_', ' ')} (open coins {state.view(None)['fields']['open_coins']['values'][first]})",
        f"2. {second.replace('_', ' ')} (open coins 0)",
    ]
    assert all("coins" in line.replace("open coins", "") for line in texts(story(playing, state, None), "end")[1:])


def test_a_domaine_is_told_with_its_score() -> None:
    title = "X1: six borders close a Domaine in the corner"
    playing, state = rw.Game.of_scenario("domaine", title)
    narrator = Narrator(playing, state, PUBLIC)
    told = texts(narrator.look(state.choose("(2, 11)|(3, 11)")), "values")
    assert "blue: score 0 \N{RIGHTWARDS ARROW} 4 (+4)" in told
    assert "(2, 11)|(3, 11): border" in told
    assert any(line.endswith(": Domaine of blue castle 1") for line in told)


def test_a_game_that_ends_tells_why() -> None:
    """Nobody has a Domaine: the ducats decide."""
    playing = game("domaine", 2)
    *answers, last = playing.playout(3, keep=True).answers
    state = playing.start(3)
    for answer in answers:
        state = state.choose(answer)
    narrator = Narrator(playing, state, PUBLIC)
    end = [line for line in narrator.look(state.choose(last)) if line.kind == "end"]
    assert [line.text for line in end] == [
        "the game ends: all cards are played",
        "1. orange (final score 5, ducats 17)",
        "2. blue (final score 3, ducats 13)",
    ]
    assert end[0].cites == ("DO-END-9", "DO-END-10", "DO-END-11")


def test_regions_that_are_joined() -> None:
    playing = game("carolus-magnus", 3)
    visited = list(states(playing.start(3), 3, 150))
    lines = story(playing, visited[-1], PUBLIC)
    told = Counter(line.kind for line in lines)
    assert all(told[kind] for kind in ("regions", "chance", "pieces", "values"))
    moves = [line.text.partition(": ")[2].split(" \N{RIGHTWARDS ARROW} ") for line in lines if line.kind == "pieces"]
    assert not [move for move in moves if all(end.startswith("land") for end in move)], "what joins does not move"


def test_a_team_is_called_by_its_members() -> None:
    playing = game("carolus-magnus", 4)
    told = texts(story(playing, played(playing, 12), PUBLIC))
    assert "east+west has 10 castles in the empire" in told
    assert not [line for line in told if "team" in line]


def test_ground_that_is_laid_is_told_without_what_was_there() -> None:
    playing = game("domaine", 4)
    told = texts(story(playing, playing.start(12), PUBLIC), "values")
    assert any(line.endswith(": terrain forest") for line in told)
    assert not [line for line in told if "meadow \N{RIGHTWARDS ARROW}" in line]


def test_of_a_fight_it_is_told_who_rolls() -> None:
    """All have been asked or have seen who is counted, though only hidden armies have led to the fight."""
    playing = game("kings-and-things", 2)
    told = texts(story(playing, played(playing, 0, 100), PUBLIC), "told")
    assert [line for line in told if " rolls for " in line]


def test_a_state_without_its_game_tells_its_log(tmp_path: Path) -> None:
    playing = made(tmp_path, CHANCY, 2)
    assert story(playing, playing.start(1).choose(0).imagine(0, 1), 0) == ()
    title = "X1: six borders close a Domaine in the corner"
    domaine, state = rw.Game.of_scenario("domaine", title)
    after = state.choose("(2, 11)|(3, 11)")
    assert "blue: score 0 \N{RIGHTWARDS ARROW} 4 (+4)" in texts(story(domaine, after, PUBLIC))


DISPLAY = """
zone display: row of Card, at most 3, seen by everyone

procedure play
    shuffle deck
    draw 3 from deck to display
    each round in {1 .. 4}
        each p in players
            p chooses c from display
            move c to hand[p]
            draw 1 from deck to display
    finish with winner first(players)
"""


@pytest.mark.parametrize("seed", range(6))
def test_a_card_that_is_taken_goes_where_nobody_sees_it(tmp_path: Path, seed: int) -> None:
    """Also where one that looks the same comes after it, so that only the order of the row is another one."""
    playing = made(tmp_path, DISPLAY, 2)
    state = playing.start(seed)
    narrator = Narrator(playing, state, PUBLIC)
    while state.decision is not None:
        who, taken = state.decision.who, state.decision.options[seed % 3]
        state = state.choose(taken)
        now = [card["key"] for card in state.view(None)["zones"]["display"]["pieces"]]
        card, arrow = taken.key.partition(",")[0], "\N{RIGHTWARDS ARROW}"
        assert texts(narrator.look(state), "pieces") == [
            f"{card}: display {arrow} hand of {who.replace('_', ' ')}",
            f"{now[-1]}: deck {arrow} display",
        ]


TWO_KINDS = {"rows": [{"suit": suit, "worth": 1, "count": 12} for suit in ("red", "blue")]}


@pytest.mark.parametrize("seed", range(4))
def test_a_card_is_taken_and_one_like_it_comes_to_its_place(tmp_path: Path, seed: int) -> None:
    playing = made(tmp_path, DISPLAY, 2, TWO_KINDS)
    state = playing.start(seed)
    narrator = Narrator(playing, state, PUBLIC)
    while state.decision is not None:
        who, taken = state.decision.who, state.decision.options[-1]
        state = state.choose(taken)
        now = [card["key"] for card in state.view(None)["zones"]["display"]["pieces"]]
        card, arrow = taken.key.partition(",")[0], "\N{RIGHTWARDS ARROW}"
        assert texts(narrator.look(state), "pieces") == [
            f"{card}: display {arrow} hand of {who.replace('_', ' ')}",
            f"{now[-1]}: deck {arrow} display",
        ]


BAG = """
zone bag: bag of Card, seen by {}

procedure play
    shuffle deck
    draw 3 from deck to table
    each p in players
        p chooses c from table
        move c to bag
        p chooses n from {1 .. 2}
        draw n from bag to hand[p]
        p chooses m from {1 .. 2}
    finish with winner first(players)
"""


def test_what_is_not_known_any_more_has_not_moved(tmp_path: Path) -> None:
    """A card that went into a bag is known to lie there until something is drawn: it need not be that one."""
    playing = made(tmp_path, BAG, 2)
    state = playing.start(1)
    told = []
    for _ in range(4):
        narrator = Narrator(playing, state, PUBLIC)
        card = state.decision.options[0].key if state.decision is not None else ""
        state = state.choose(0)
        told += [(card, line) for line in texts(narrator.look(state), "pieces")]
    assert told[0] == (told[0][0], f"{told[0][0]}: table \N{RIGHTWARDS ARROW} bag")
    assert [line for _, line in told[1:2]] == ["card face down: unseen \N{RIGHTWARDS ARROW} hand of player 1"]


HEAPS = """
zone heap[Suit]: set of Card, faced, count seen by everyone

procedure play
    shuffle deck
    draw 2 from deck to heap[red]
    flip heap[red] face up
    first(players) chooses n from {1 .. 2}
    flip heap[red] face down
    first(players) chooses m from {1 .. 2}
    chance chooses gone from heap[red]
    move gone to heap[blue] face down
    first(players) chooses k from {1 .. 2}
    finish with winner first(players)
"""


def test_one_of_two_goes_and_it_is_not_told_which(tmp_path: Path) -> None:
    playing = made(tmp_path, HEAPS, 2)
    state = playing.start(1)
    narrator = Narrator(playing, state, PUBLIC)
    narrator.look(state.choose(0))
    arrow = "\N{RIGHTWARDS ARROW}"
    assert texts(narrator.look(state.choose(0).choose(0)), "pieces") == [f"card face down: heap red {arrow} heap blue"]


SIDED = """
piece Coin from "cards.json"
    suit: Suit
    worth: 1..9
    sides heads, tails
    named "{suit} coin"
    begins in purse
zone purse: set of Coin, seen by everyone
zone slot: set of Coin, seen by everyone

procedure play
    first(players) chooses c from purse
    flip c to tails
    move c to slot
    first(players) chooses k from {1 .. 2}
    finish with winner first(players)
"""


COMPANIES = """game companies
players 2
piece Counter
    worth: 1..9
piece Beast is a Counter from "cards.json#beasts"
    named "beast {worth}"
piece Wand is a Counter from "cards.json#wands"
    named "wand {worth}"
place Field
map Land: ring of 3 Field
zone cup: stack of Counter, seen by {}
zone army[Field, p: Player]: set of Beast or Wand, faced Beast, face seen by p, count seen by everyone

procedure play
    let one = first(players)
    let here = first(Field)
    each b in Beast
        move b to army[here, one.left] face up
    each w in Wand
        move w to army[here, one] face up
    one chooses n from {1 .. 2}
    move {c in army[here, one]} to cup
    shuffle cup
    move {c in army[here, one.left]} to army[first(here.neighbours), one.left] face down
    one chooses m from {1 .. 2}
    finish with winner one
"""


@pytest.mark.parametrize("beasts", [2, 1])
def test_a_back_is_no_piece_that_never_lies_face_down(tmp_path: Path, beasts: int) -> None:
    cards = {"beasts": [{"worth": n} for n in range(3, 3 + beasts)], "wands": [{"worth": 1}]}
    playing = made(tmp_path, "", 2, cards, COMPANIES)
    state = playing.start(1)
    narrator = Narrator(playing, state, PUBLIC)
    told = texts(narrator.look(state.choose("1")), "pieces")
    names = ", ".join(f"beast {n}" for n in range(3, 3 + beasts))
    assert sorted(told) == [
        f"{names}: army of player 2 1 \N{RIGHTWARDS ARROW} army of player 2 2",
        "wand 1: army of player 1 1 \N{RIGHTWARDS ARROW} unseen",
    ]


CARDS_AND_TILES = """game trades
players 2
piece Card from "cards.json#cards"
    worth: 1..9
    named "card {worth}"
    begins in deck
piece Tile from "cards.json#tiles"
    worth: 1..9
    named "tile {worth}"
    begins in bag
zone deck: stack of Card, count seen by everyone
zone bag: set of Tile, seen by {}
zone hand[p: Player]: set of Card, face seen by p, count seen by everyone
zone rack[p: Player]: set of Tile, face seen by p, count seen by everyone
zone store[p: Player]: set of Card or Tile, face seen by p, count seen by everyone
zone table: set of Card or Tile, seen by everyone
zone shelf: set of Card, seen by everyone
"""
ROWS = {name: [{"worth": n} for n in range(1, 5)] for name in ("cards", "tiles")}

LAID = """
procedure play
    each p in players
        draw 1 from deck to hand[p]
        draw 1 from bag to rack[p]
    let one = first(players)
    one chooses n from {1 .. 2}
    move hand[one] to table
    move rack[one] to table
    one chooses m from {1 .. 2}
    finish with winner one
"""

DRAWN = """
procedure play
    let one = first(players)
    one chooses n from {1 .. 2}
    draw 1 from deck to store[one]
    draw 1 from bag to store[one]
    one chooses m from {1 .. 2}
    finish with winner one
"""

BOTH_LAY = """
procedure play
    each p in players
        draw 1 from deck to hand[p]
    let one = first(players)
    one chooses n from {1 .. 2}
    each p in players
        move hand[p] to shelf
    one chooses m from {1 .. 2}
    finish with winner one
"""

WENT = {
    LAID: (
        {"card #: hand of player 1 to table", "tile #: rack of player 1 to table"},
        {"card #: hand of player 1 to table", "tile #: rack of player 1 to table"},
    ),
    DRAWN: (
        {"card #: deck to store of player 1", "tile #: unseen to store of player 1"},
        {"card face down: deck to store of player 1", "piece face down: unseen to store of player 1"},
    ),
    BOTH_LAY: (
        {"card #: hand of player 1 to shelf", "card #: hand of player 2 to shelf"},
        {"card #, card #: hand of player 1, hand of player 2 to shelf"},
    ),
}


@pytest.mark.parametrize("rules", WENT)
def test_a_piece_goes_where_its_kind_may_lie(tmp_path: Path, rules: str) -> None:
    """Of pieces that are hidden before or afterwards it is told from where to where, if there is but one way."""
    playing = made(tmp_path, rules, 2, ROWS, CARDS_AND_TILES)
    state = playing.start(1)
    for reader, expected in zip((0, PUBLIC), WENT[rules], strict=True):
        narrator = Narrator(playing, state, reader)
        told = texts(narrator.look(state.choose("1")), "pieces")
        assert {
            re.sub(r"(card|tile) \d", r"\1 #", line).replace("\N{RIGHTWARDS ARROW}", "to") for line in told
        } == expected


def test_a_piece_that_is_turned_on_the_way_is_one_piece(tmp_path: Path) -> None:
    playing = made(tmp_path, SIDED, 2, {"rows": [{"suit": "red", "worth": 1}, {"suit": "blue", "worth": 1}]})
    state = playing.start(1)
    narrator = Narrator(playing, state, PUBLIC)
    assert texts(narrator.look(state.choose("red coin")), "pieces") == [
        "red coin (tails): purse \N{RIGHTWARDS ARROW} slot"
    ]


def test_a_reaction_is_named_once(tmp_path: Path) -> None:
    rules = """
field gold[Player]: 0.. = 0

procedure play
    draw 2 from deck to hand[first(players)]
    asking(first(players))
    finish with winner first(players)

procedure asking(p: Player)
    p chooses n from {1 .. 2}

reaction cash during asking, by p with c in hand[p]
    gold[p] += c.worth
    move c to table
"""
    playing = made(tmp_path, rules, 2)
    state = playing.start(1)
    while state.decision is not None:
        keys = [option.key for option in state.decision.options]
        state = state.choose("cash" if "cash" in keys else 0)
    answers = texts(story(playing, state, None), "answer")
    assert [line.split()[2] for line in answers[:2]] == ["cash", "cash"]
    assert all(line.count("cash") == 1 for line in answers[:2])


def test_a_piece_that_is_turned_is_told_where_it_lies() -> None:
    """A knight becomes a baron; pieces do not become others."""
    playing = game("baron", 4)
    told = texts(story(playing, played(playing, 6, 40), PUBLIC), "pieces")
    assert any("donjon 2 (knight) \N{RIGHTWARDS ARROW} " in line and line.endswith("(baron)") for line in told)
    assert not any(":  " in line for line in told)


def test_answers_in_a_row_are_one_line() -> None:
    playing = game("carolus-magnus", 2)
    state = played(playing, 3, 20)
    lines = story(playing, state, PUBLIC)
    told = texts(lines)
    assert "chance: faces red, yellow, blue" in told
    assert "black: plays yellow knight, goes to region 5" in told
    assert sum(line.entries for line in lines) == len(state.log)
    assert not any("number" in line for line in told), "what lasts a round is not told when it is over"
    assert "black rolls: 3 of the dice" in told


def test_no_name_of_the_rules_is_told_as_it_is_written() -> None:
    for name in ("carolus-magnus", "domaine", "baron", "kings-and-things"):
        playing = game(name, 2)
        told = texts(story(playing, played(playing, 3, 30), None))
        assert not [line for line in told if "_" in line]


def test_an_edition_tells_in_its_own_words() -> None:
    """Phrases of the log, lines of the rules and names: no English word is left, but for the name of a seat."""
    playing = game("loewenherz", 2)
    allowed = {"orange", "neutral", *"abcd"}
    manifest = playing.ruleset.manifest
    words = {*manifest.words.values(), *manifest.log.phrases.values(), *manifest.log.answers.values()}
    german = {word for text in words for word in re.findall(r"\w+", text)}
    told = texts(story(playing, played(playing, 3), PUBLIC))
    found = {word for line in told for word in re.findall(r"[^\W\d_]+", line)}
    assert found <= german | allowed
    assert "blau: verkauft A 2 Grenzen" in told
    assert "Spielende: alle Karten sind gespielt" in told


def test_each_phrase_of_an_edition_is_said_somewhere() -> None:
    playing = game("loewenherz", 2)
    lines = {numbered(i.words) for f in playing.program.functions for i in f.code if isinstance(i, m.Tell)}
    folders = Path(rw.__file__).parent / "play" / "narration", Path(rulewright_tools.__file__).parent
    source = "".join(path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))
    assert playing.ruleset.base is not None
    source += (playing.ruleset.base.folder / "ruleset.json").read_text("utf-8")  # what is printed on cards
    phrases = playing.ruleset.manifest.log.phrases
    assert lines <= set(phrases)
    assert [phrase for phrase in phrases if phrase not in lines and f'"{phrase}"' not in source] == []


def test_what_a_kind_of_zone_cannot_take_does_not_tell_an_answer() -> None:
    """A creature is put down face down: it is no matter that a town would lie there for all to see."""
    playing = game("kings-and-things", 2)
    state = played(playing, 3, 40)
    creatures = {
        playing.model.keys("Piece")[n] for kind in playing.model.kinds if kind.name == "Creature" for n in kind.members
    }
    brought = [entry.key for entry in state.log_for(PUBLIC) if entry.name == "bring.t"]
    assert {"village", "city"}.intersection(brought)
    assert None in brought
    assert not creatures.intersection(key for key in brought if key)


DICE = """
field hits[Player]: 0..9 = 0
field tries: 0..9 = 0
field aim: 0..9 = 0, lasting turn

procedure play
    each p in players
        turn(p)
    finish ranking p in players by hits[p]

procedure turn(p: Player)
    p chooses throws from {1 .. 3}
    aim = 4
    repeat throws times
        tries += 1
        p rolls 1 D6 as faces
        tells "{p} throws {first(faces)}"
        if first(faces) < aim then hits[p] += 1
"""


def test_what_the_rules_tell_is_told_once(tmp_path: Path) -> None:
    """A question in the manifest's `hides` is told by the line of the rules, which has its number; a field in `shows`
    is told though it is not drawn; one that lasts a turn is not told when the turn is over."""
    made(tmp_path, DICE, 2, head=HEAD + "die D6: 1 to 6\n")
    manifest = json.loads((tmp_path / "ruleset.json").read_text("utf-8"))
    manifest |= {"draw": {"hides": ["hits", "tries"]}, "log": {"hides": ["turn.faces"], "shows": ["hits"]}}
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest), "utf-8")
    playing = rw.load(tmp_path, 2)
    state = playing.start(5).choose("3").choose("1")
    lines = story(playing, state, PUBLIC)
    told = [line for line in lines if line.kind == "told"]
    faces = [entry.key for entry in state.log if entry.who == "chance"]
    assert [line.text for line in told] == [
        f"player {n} throws {face}" for n, face in zip((1, 1, 1, 2), faces, strict=True)
    ]
    assert [line.entries for line in told] == [1, 1, 1, 1]
    assert sum(line.entries for line in lines) == len(state.log)
    assert not [text for text in texts(lines) if "tries" in text or "chance" in text]
    assert texts(lines).count("aim 0 \N{RIGHTWARDS ARROW} 4 (+4)") == 2
    assert any("hits" in text for text in texts(lines))


COSTS = """
enum Good: wood, brick, wool
param cost: 0..[Good] = {brick: 1, wood: 2}
field done[Player, Good]: Bool
procedure play
    let p = first(players)
    p chooses n from {1 .. 3}
    done[p, wool] = true
    tells "{p} pays {n * cost}, has {done[p]} and {done[p.left]}"
    finish with winner p
"""


@pytest.mark.parametrize("engine", ["python", "native"])
def test_amounts_are_told_by_their_names(engine: Literal["python", "native"], tmp_path: Path) -> None:
    made(tmp_path, COSTS, 2, head=HEAD)
    manifest = json.loads((tmp_path / "ruleset.json").read_text("utf-8"))
    (tmp_path / "ruleset.json").write_text(json.dumps(manifest | {"words": {"wood": "timber"}}), "utf-8")
    playing = rw.load(tmp_path, 2, engine=engine)
    told = [line.text for line in story(playing, playing.start(5).choose("3"), PUBLIC) if line.kind == "told"]
    assert told == ["player 1 pays 6 timber, 3 brick, has wool and nothing"]


def test_actions_go_by_their_own_names(tmp_path: Path) -> None:
    """The name of the question is left out, and the question lists them, where the manifest has no words."""
    rules = """game walk
players 2
field at[Player]: 0.. = 0
procedure play
    repeat 2 times
        each p in players
            p chooses either as deed
                option stay: do nothing
                option step
                    p chooses far from {1 .. 3}
                    at[p] += far
    finish ranking p in players by at[p]
"""
    (tmp_path / "game.rules").write_text(rules)
    (tmp_path / "ruleset.json").write_text('{"name": "walk", "title": "Walk", "rules": ["game.rules"]}')
    game = rw.load(tmp_path)
    assert rw.narration.actions(game, "play.deed") == ("stay", "step")
    assert rw.narration.actions(game, "play.far") == ()
    state = game.start(0)
    for answer in ("stay", "step", "2"):
        state = state.choose(answer)
    answers = [line.text for line in rw.narration.story(game, state, None) if line.kind == "answer"]
    assert answers == ["player 1: stay", "player 2: step, far 2"]


def test_an_answer_that_is_revealed_later_has_one_line() -> None:
    """Read together, what was hidden at first and is known now is one answer; step by step it is hidden until then."""
    goofspiel = game("goofspiel")
    positions = [goofspiel.start(seed=3)]
    while len(positions[-1].log) < 6:
        decision = positions[-1].decision
        assert decision is not None
        positions.append(positions[-1].choose(decision.options[0].key))
    text = [one.text for one in story(goofspiel, positions[-1], PUBLIC) if one.kind == "answer"]
    assert [text[:2], [one for one in text if "hidden" in one]] == [["first: bids 1", "second: bids 1"], []]
    narrator, heard = Narrator(goofspiel, positions[0], PUBLIC), list[str]()
    for position in positions[1:]:
        heard += [one.text for one in narrator.look(position) if one.kind == "answer"]
    assert heard[:3] == ["first: bids (hidden)", "first: bids 1", "second: bids 1"]
