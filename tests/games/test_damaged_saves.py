"""Saves and logs changed by somebody who also mends the checksum: refused, or as good as those of the game."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutating import changed, played_on, sealed, tried, tried_log
from shipped_games import game

import rulewright as rw
from rulewright.data.schema_checks import fits
from rulewright.engine import Position, log_data, replay_data
from sampling import sample

Save = dict[str, Any]
GAMES = [("carolus-magnus", 2), ("breakthrough", 2), ("connect-four", 2), ("tic-tac-toe", 2)]
ANSWERS = st.lists(st.integers(0, 999), max_size=40)
CAROLUS = game("carolus-magnus", 2)


def walked(state: rw.State, answers: list[int]) -> rw.State:
    for answer in answers:
        if state.decision is None:
            break
        state = state.choose(answer % len(state.decision.options))
    return state


def in_the_middle(ask_chance: bool = False) -> rw.State:
    """Four rules deep in a game: the game, its rounds, a turn, a question of it."""
    return walked(CAROLUS.start(3, ask_chance), [number * 7 for number in range(26)])


def copied(state: rw.State) -> Save:
    return json.loads(json.dumps(state.save()))  # type: ignore[no-any-return]


def refused(data: Any, playing: rw.Game = CAROLUS) -> tuple[str, str]:
    with pytest.raises(rw.RulesetError) as caught:
        playing.load(data)
    (found,) = caught.value.diagnostics
    assert len(found.message) < 500
    found.message.encode()
    return found.code, found.message


def test_what_was_saved_is_accepted_to_the_byte() -> None:
    whole = in_the_middle()
    over = walked(game("tic-tac-toe").start(), [0] * 9)
    entered = Position(CAROLUS.program, 5).enter("round")
    for state, playing in ((whole, CAROLUS), (whole.imagine(0, 1), CAROLUS), (over, game("tic-tac-toe")),
                           (entered, CAROLUS), (in_the_middle(True), CAROLUS)):  # fmt: skip
        data = copied(state)
        assert fits(data, "save") == []
        assert json.dumps(playing.load(data).save()) == json.dumps(data)
        assert playing.load(MappingProxyType(data)) == state


# ------------------------------------------------------------------------------------------------ frames


FOUR = [("play", "play_on"), ("play_on", "round"), ("round", "turn"), ("turn", "target")]


@pytest.mark.parametrize("number", range(4))
def test_a_frame_twice_or_missing(number: int) -> None:
    data = copied(in_the_middle())
    assert [(frame["rule"], frame["at"]) for frame in data["frames"]] == FOUR
    twice, missing = copied(in_the_middle()), copied(in_the_middle())
    twice["frames"].insert(number, twice["frames"][number])
    del missing["frames"][number]
    for broken in (twice, missing):
        code, message = refused(sealed(broken))
        assert code == "SAV006"
        assert message.startswith("`frames[")


FRAMES: list[tuple[Callable[[Save], object], str, str]] = [
    (lambda d: d["frames"].clear(), "SAV006", "the game is not over"),
    (lambda d: d["frames"].reverse(), "SAV006", "the game begins with `play`"),
    (lambda d: d.update(whole=False, frames=[]), "SAV008", "x"),
    (lambda d: d["frames"][0].update(rule="setup"), "SAV006", "the game begins with `play`"),
    (lambda d: d["frames"][0].update(at="setup"), "SAV006", "the rules call `setup`"),
    (lambda d: d["frames"][3].update(at="nowhere"), "SAV006", 'cannot rest at `"nowhere"`'),
    (lambda d: d["frames"][3].update(at="top"), "SAV006", "cannot rest"),
    (lambda d: d["frames"][3]["locals"].update({"5 r": "no such region"}), "SAV005", "in Region"),
    (lambda d: d["frames"][3]["locals"].update({"2 left": None}), "SAV005", "cannot be none"),
    (lambda d: d["frames"][3]["locals"].update({"0 p": None}), "SAV006", "there is nobody to ask"),
    (lambda d: d["frames"][3]["locals"].update({"0 p": 0}), "SAV005", "in Player"),
    (lambda d: d["frames"][3]["locals"].update({"2 left": 2**31}), "SAV005", "whole number from"),
    (lambda d: d["frames"][3]["locals"].update({"2 left": True}), "SAV005", "whole number"),
    (lambda d: d["frames"][3]["locals"].update({"6 steps": 3}), "SAV006", "nothing was stored"),
    (lambda d: d["frames"][2]["locals"].update({"1 p in turn": ["white"] * 3}), "SAV005", "at most 2"),
    (lambda d: d["frames"][2]["locals"].update({"1 p in turn": "white"}), "SAV004", "must be a list"),
    (lambda d: d["frames"][2]["locals"].update({"9 more": 1}), "SAV004", "no local"),
    (lambda d: d["frames"][2]["locals"].pop("2 at"), "SAV004", "missing"),
    (lambda d: d["frames"][2].update(more=1), "SAV004", "unknown key"),
]


@pytest.mark.parametrize(("change", "code", "words"), FRAMES, ids=range(len(FRAMES)))
def test_the_chain_of_frames(change: Callable[[Save], object], code: str, words: str) -> None:
    data = copied(in_the_middle())
    change(data)
    if words == "x":  # behind a rule that was entered nothing is carried out: that is a state, too
        assert CAROLUS.load(sealed(data)).decision is None
        return
    found, message = refused(sealed(data))
    assert (found, words in message) == (code, True), message


def rounds_of_goofspiel(answers: int) -> Save:
    """A save with so many answers; with an odd number one player of two has decided."""
    state = game("goofspiel", 2).start(1)
    for _ in range(answers):
        state = state.choose(0)
    return copied(state)


def slots_of_turn(data: Save) -> dict[str, str]:
    """The names of the slots of those who decide at once, without their numbers."""
    return {name.partition(" ")[2]: name for name in data["frames"][-1]["locals"]}


AT_ONCE: list[Callable[[Save, dict[str, str]], object]] = [
    lambda slots, names: slots.update({names["at"]: 2}),
    lambda slots, names: slots.update({names["at"]: 0}),
    lambda slots, names: slots.update({names["p at once"]: slots[names["p at once"]][:1]}),
    lambda slots, names: slots.update({names["p at once"]: slots[names["p at once"]][::-1]}),
    lambda slots, names: slots.update({names["p at once"]: slots[names["p at once"]][:1] * 2}),
    lambda slots, names: slots.update({names["p done"]: slots[names["p at once"]]}),
    lambda slots, names: slots.update({names["p done"]: []}),
    lambda slots, names: slots.update({names["p"]: slots[names["p at once"]][0]}),
    lambda slots, names: slots.update({names["card at once"]: []}),
]


@pytest.mark.parametrize("change", AT_ONCE, ids=range(len(AT_ONCE)))
def test_those_who_decide_at_once(change: Callable[[Save, dict[str, str]], object]) -> None:
    data = rounds_of_goofspiel(1)
    assert game("goofspiel", 2).load(data).view(0)
    change(data["frames"][-1]["locals"], slots_of_turn(data))
    assert refused(sealed(data), game("goofspiel", 2))[0] == "SAV006"


def test_chance_is_asked_only_where_it_is_a_decision() -> None:
    state = CAROLUS.start(3, ask_chance=True)
    assert state.seat is None
    data = copied(state)
    assert CAROLUS.load(data) == state
    data["ask_chance"] = False
    assert refused(sealed(data)) == ("SAV006", "`frames[1]`: chance is not asked in this game")


def test_a_recursion_that_goes_too_deep() -> None:
    data = copied(in_the_middle())
    data["whole"] = False
    data["frames"] = [data["frames"][2]] * 10_000
    assert refused(sealed(data))[0] == "SAV006"


# ------------------------------------------------------------------------------------------------ values

VALUES: list[tuple[Callable[[Save], object], str, str]] = [
    (lambda d: d.update(seed="1.5"), "SAV005", "the seed cannot be"),
    (lambda d: d.update(seed=1.5), "SAV004", "at `seed` is not whole"),
    (lambda d: d.update(seed=3), "SAV005", "the seed cannot be"),
    (lambda d: d.update(seed="007"), "SAV004", "seed"),
    (lambda d: d.update(seed="+7"), "SAV005", "the seed"),
    (lambda d: d.update(seed="٣"), "SAV005", "the seed"),
    (lambda d: d.update(seed=str(2**64)), "SAV005", "seed"),
    (lambda d: d.update(seed="9" * 5000), "SAV005", "the seed"),
    (lambda d: d.update(seed="3\n"), "SAV005", "the seed"),
    (lambda d: d["fields"]["number"].update(black=2.0), "SAV004", "at `fields.number.black` is not whole"),
    (lambda d: d["fields"]["number"].update(black=float("inf")), "SAV004", "not whole"),
    (lambda d: d["fields"]["number"].update(black=float("nan")), "SAV004", "not whole"),
    (lambda d: d["fields"]["number"].update(black=10**5000), "SAV004", "more than 64 bits"),
    (lambda d: d["fields"]["number"].update(black=True), "SAV005", "number[black]"),
    (lambda d: d["fields"]["number"].update(black="2"), "SAV005", "number[black]"),
    (lambda d: d["fields"]["number"].update(black=[2]), "SAV005", "number[black]"),
    (lambda d: d["fields"].update(turn_order=["white", None]), "SAV005", "in Player"),
    (lambda d: d["fields"].update(turn_order={"white": 1}), "SAV004", "must be a list"),
    (lambda d: d["fields"].update(control=[]), "SAV004", "must be named"),
    (lambda d: d["fields"].update(more=1), "SAV004", "there is no field"),
    (lambda d: d.update(more=1), "SAV004", "unknown key `more`"),
    (lambda d: d.pop("$schema"), "SAV004", "`$schema` is missing"),
    (lambda d: d.update({"$schema": "x"}), "SAV004", "$schema"),
    (lambda d: d.update(players=True), "SAV002", "players"),
    (lambda d: d.update(version=True), "SAV001", "version"),
    (lambda d: d.update(ask_chance=0), "SAV004", "ask_chance"),
    (lambda d: d.update(whole=None), "SAV004", "whole"),
    (lambda d: d["streams"].update({"setup.starter": 2**64}), "SAV004", "64 bits"),
    (lambda d: d["streams"].update({"setup.starter": 2**64 - 1}), "SAV005", "streams"),
    (lambda d: d["streams"].update({"setup.starter": -1}), "SAV005", "streams"),
    (lambda d: d.update(out=["white", "white"]), "SAV005", "twice"),
    (lambda d: d.update(out="white"), "SAV004", "must be a list"),
    (lambda d: d["merged"].update(Region=[["1", "2"], ["2", "3"]]), "SAV005", "another group"),
    (lambda d: d["merged"].update(Region=[["1"]]), "SAV005", "alone"),
    (lambda d: d["zones"]["court[black]"].reverse(), "SAV008", "court[black]"),
    (lambda d: d["zones"].update({"court[black]": []}), "SAV007", "is missing"),
    (lambda d: d["zones"]["court[black]"][0].update(side=1), "SAV005", "no sides"),
    (lambda d: d["zones"]["court[black]"][0].update(down=True), "SAV005", "face down"),
    (lambda d: d["zones"]["court[black]"][0].update(down=False), "SAV004", "down"),
    (lambda d: d["zones"]["court[black]"][0].update(more=1), "SAV004", "unknown key"),
    (lambda d: d.update(result={"rule": "no rule", "places": {}}), "SAV004", "ends the game"),
    (lambda d: d.update(zones=[[[[[[[[[[]]]]]]]]]]), "SAV004", "deep"),
    (lambda d: d["log"][0].update(key="\ud800"), "SAV004", "half a character"),
    (lambda d: d["log"][0].update({"\ud800": 1}), "SAV004", "half a character"),
    (lambda d: d["log"][0].update(key=5), "SAV005", "not a key"),
    (lambda d: d["log"][0].update(who="nobody"), "SAV005", "cannot have answered"),
    (lambda d: d["log"][0].update(name="no.rule"), "SAV005", "cannot have answered"),
    (lambda d: d["log"][0].update(secret=True), "SAV005", "cannot have answered"),
    (lambda d: d["log"][0].update(secret=False), "SAV004", "secret"),
    (lambda d: d.update(log=None), "SAV004", "log"),
    (lambda d: d.update(log=({},)), "SAV004", "tuple"),
    (lambda d: d.update({1: 1}), "SAV004", "a key at the top is not a text"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "code", "words"), VALUES, ids=range(len(VALUES)))
def test_values_of_a_save(change: Callable[[Save], object], code: str, words: str) -> None:
    data = copied(in_the_middle())
    change(data)
    found, message = refused(sealed(data))
    assert (found, words in message) == (code, True), message


def test_keys_in_another_order() -> None:
    data = copied(in_the_middle())
    assert refused(json.loads(json.dumps(data, sort_keys=True)))[0] == "SAV008"
    for name in ("options", "fields", "zones", "streams"):
        turned = {**data, name: dict(reversed(data[name].items()))}
        assert refused(sealed(turned))[0] == "SAV008", name


def test_the_places_of_a_game_that_is_over() -> None:
    playing = game("tic-tac-toe")
    data = copied(walked(playing.start(), [0] * 9))
    result = data["result"]
    assert sorted(result["places"].values()) == [1, 2]
    for strange in ({"x": 1, "o": 3}, {"x": 0, "o": 1}, {"x": 1}, {"x": True, "o": 2}, {"x": 3, "o": 3}):
        code, _ = refused(sealed({**data, "result": {**result, "places": strange}}), playing)
        assert code in ("SAV004", "SAV005")
    assert refused(sealed({**data, "result": None}), playing)[0] == "SAV006"
    running = copied(walked(playing.start(), [0] * 3))
    assert refused(sealed({**running, "result": data["result"]}), playing)[0] == "SAV006"


def test_a_changed_save_needs_another_checksum() -> None:
    data = copied(in_the_middle())
    data["fields"]["number"]["black"] += 1
    assert refused(data)[0] == "SAV003"
    assert refused({**data, "checksum": None})[0] == "SAV003"


# ------------------------------------------------------------------------------------------------ anything


@settings(max_examples=sample(25, 240))
@given(which=st.sampled_from(GAMES), seed=st.integers(0, 2**32), answers=ANSWERS, ask_chance=st.booleans())
def test_any_change_is_refused_or_harmless(
    which: tuple[str, int], seed: int, answers: list[int], ask_chance: bool
) -> None:
    """An accepted save fits the schema, saves back byte for byte, and is played on."""
    playing, rng = game(*which), random.Random(seed)
    state = walked(playing.start(seed, ask_chance), answers)
    saved, log = state.save(), log_data(state)
    assert tried(playing, saved, rng, 3).startswith("accepted")
    for _ in range(3):
        data = sealed(changed(saved, rng))
        if tried(playing, data, rng).startswith("accepted"):
            assert fits(data, "save") == []
    assert tried_log(playing, log) == "accepted"
    assert fits(log, "log") == []
    if tried_log(playing, changed(log, rng)) == "accepted":
        assert fits(log, "log") == []


# ------------------------------------------------------------------------------------------------ logs


def test_the_log_of_a_game_in_which_chance_was_answered() -> None:
    for count in (0, 1, 5, 26):
        state = walked(CAROLUS.start(0, ask_chance=True), [number * 7 for number in range(count)])
        again = CAROLUS.replay(state.log)
        assert again == state
        assert again.log == state.log
        assert again.mode == state.mode
        assert CAROLUS.replay(list(state.log), ask_chance=True) == state
        assert replay_data(CAROLUS.program, json.loads(json.dumps(log_data(state)))) == state
    with pytest.raises(rw.RulesetError, match="draw 1 of chance is") as caught:
        CAROLUS.replay(list(state.log))
    assert "`ask_chance=True`" in caught.value.diagnostics[0].hint
    drawn = in_the_middle()
    assert CAROLUS.replay(drawn.log, 3) == drawn
    with pytest.raises(rw.RulesetError) as caught:
        CAROLUS.replay(drawn.log)
    assert "seed" in caught.value.diagnostics[0].hint


LOGS: list[tuple[Callable[[Save], object], str]] = [
    (lambda d: d.update(seed="1.5"), "SAV005"),
    (lambda d: d.update(seed=3), "SAV005"),
    (lambda d: d.update(seed="03"), "SAV010"),
    (lambda d: d.update(players=True), "SAV002"),
    (lambda d: d.update(ask_chance=1), "SAV010"),
    (lambda d: d.pop("ask_chance"), "SAV010"),
    (lambda d: d.update(more=1), "SAV010"),
    (lambda d: d["log"].pop(1), "SAV010"),
    (lambda d: d["log"].pop(0), "SAV010"),
    (lambda d: d["log"].append(d["log"][-1]), "SAV010"),
    (lambda d: d["log"][0].update(key="\ud800"), "SAV010"),
    (lambda d: d["log"][0].update(key=10**5000), "SAV010"),
    (lambda d: d["log"][-1].update(key=0), "SAV005"),
    (lambda d: d["log"][0].update(secret=True), "SAV005"),
    (lambda d: d.update(log=None), "SAV010"),
]


@pytest.mark.parametrize(("change", "code"), LOGS, ids=range(len(LOGS)))
def test_values_of_a_log(change: Callable[[Save], object], code: str) -> None:
    state = walked(CAROLUS.start(3), [1] * 6)
    assert [entry.who for entry in state.log[:2]] == ["chance", "chance"]
    data = json.loads(json.dumps(log_data(state)))
    assert replay_data(CAROLUS.program, data) == state
    change(data)
    with pytest.raises(rw.RulesetError) as caught:
        replay_data(CAROLUS.program, data)
    assert [d.code for d in caught.value.diagnostics] == [code], caught.value


def test_a_loaded_game_goes_on() -> None:
    assert played_on(CAROLUS.load(copied(in_the_middle())), random.Random(1), 30) == "on"
