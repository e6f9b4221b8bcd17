"""Wrong arguments of the library: each is one clear error, and none is taken for something else."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from shipped_games import game

import rulewright as rw

GAME = game("tic-tac-toe")
STATE = GAME.start()
OTHER = game("breakthrough").start()
NUMBERS: tuple[Any, ...] = (1.5, 1.0, "1", "x", None, True, [], Decimal(1), float("nan"))
HUGE = 10**5000


class Odd:
    def __repr__(self) -> str:
        raise KeyError


def wrong(call: Callable[..., object], *given: object, **named: object) -> str:
    """The message of the one error that a call ends in."""
    with pytest.raises(rw.RulesetError) as caught:
        call(*given, **named)
    (found,) = caught.value.diagnostics
    assert found.code == "API001"
    assert isinstance(caught.value, ValueError)
    assert 0 < len(found.message) < 300
    found.message.encode()
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == (found,)
    return found.message


@pytest.mark.parametrize("player", [7, 2, -1, HUGE, True, False, "x", "red", 1.0, [], Odd()], ids=range(11))
def test_players_go_by_number(player: Any) -> None:
    for call in (STATE.view, lambda p: STATE.imagine(p, 0), lambda p: GAME.leaks(STATE, p, 0)):
        assert "player" in wrong(call, player)
    assert STATE.view(None)["seat"] is None
    assert STATE.view(1)["seat"] == "o"
    with pytest.raises(rw.RulesetError) as caught:
        STATE.view("o")  # type: ignore[arg-type]
    assert caught.value.diagnostics[0].hint == "`o` is player 1"


def test_a_view_needs_a_player_who_takes_part() -> None:
    assert wrong(STATE.view, 7) == "there is no player 7: they are numbered from 0 to 1"


@pytest.mark.parametrize("answer", [True, False, 1.0, None, [], {}, b"(0, 0)", STATE, Odd()], ids=range(9))
def test_answers_are_options_keys_or_numbers(answer: Any) -> None:
    assert "it is an option, its key or its number" in wrong(STATE.choose, answer)


@pytest.mark.parametrize("answer", [9, -1, HUGE, "nowhere", "\ud800", rw.Option("nowhere", 0)], ids=range(6))
def test_answers_that_are_not_offered(answer: Any) -> None:
    with pytest.raises(rw.RulesetError) as caught:
        STATE.choose(answer)
    assert [d.code for d in caught.value.diagnostics] == ["RUN012"]
    assert str(caught.value).encode()


def test_an_option_belongs_to_the_decision_that_offers_it() -> None:
    state = game("carolus-magnus", 2).start(3)
    for number in range(30):
        assert state.decision is not None
        after = state.choose(number * 7 % len(state.decision.options))
        assert after.decision is not None
        if after.decision.name != state.decision.name:
            stale = state.decision.options[0]
            with pytest.raises(rw.RulesetError, match=f"was offered by `{state.decision.name}`"):
                after.choose(stale)
        state = after
    again = game("carolus-magnus", 2).start(3)
    assert again.decision is not None
    option = again.decision.options[-1]
    assert again.choose(option) == again.choose(option.key) == again.choose(rw.Option(option.key, 0))
    first = STATE.decision.options[4]  # type: ignore[union-attr]
    assert STATE.choose(0).choose(first) == STATE.choose(0).choose(first.key)


@pytest.mark.parametrize("number", NUMBERS, ids=range(len(NUMBERS)))
def test_seeds_and_counts_are_whole_numbers(number: Any) -> None:
    for call in (
        GAME.start,
        GAME.playout,
        lambda n: STATE.imagine(0, n),
        lambda n: GAME.leaks(STATE, 0, n),
        lambda n: GAME.replay((), n),
        lambda n: GAME.playout(0, most=n),
        lambda n: GAME.policy("random", look=n),
        lambda n: GAME.policy("random", noise=n),
    ):
        assert "whole number" in wrong(call, number)
    if number is not None:
        assert "whole number" in wrong(rw.load, "tic-tac-toe", players=number)


def test_seeds_have_64_bits() -> None:
    assert GAME.start(-1) == GAME.start(2**64 - 1)
    assert GAME.start(HUGE) == GAME.start(HUGE % 2**64)
    assert "at least 0" in wrong(GAME.playout, most=-1)


def test_what_a_game_is_started_and_played_with() -> None:
    for strange in (1, 0, None, "x"):
        assert "True or False" in wrong(GAME.start, ask_chance=strange)
    for strange in ([1], "x", 5, (0,)):
        assert "new_fired" in wrong(GAME.start, fired=strange)
        assert "new_fired" in wrong(GAME.playout, fired=strange)
    assert "game.watch()" in wrong(GAME.start, watch="x")
    for strange in (5, "x", ["random"], None):
        assert "game.policy" in wrong(GAME.playout, policies=strange)
    assert "must be a text" in wrong(GAME.policy, 5)
    assert "game.policy" in wrong(GAME.pick, STATE, None, rw.playing.Dice(1, "x"))
    assert "Dice" in wrong(GAME.pick, STATE, GAME.policy("random"), None)


def test_states_belong_to_their_game() -> None:
    for strange in (None, 5, Odd(), STATE.save()):
        assert "must be a state" in wrong(GAME.leaks, strange, 0, 0)
        assert "must be a state" in wrong(GAME.broken_invariants, strange)
    assert "not of this game" in wrong(GAME.leaks, OTHER, 0, 0)
    assert "not of this game" in wrong(GAME.broken_invariants, OTHER)


def test_what_is_asked() -> None:
    for strange in (5, None, b"x", []):
        assert "must be a text" in wrong(STATE.ask, strange)
        assert "must be a text" in wrong(STATE.why_not, strange)


def test_logs_are_made_of_entries() -> None:
    for strange in (5, None, ["x"], [None], "x", [rw.playing.LogEntry("x", "turn.cell", 0)]):  # type: ignore[arg-type]
        assert "LogEntry" in wrong(GAME.replay, strange)
    assert "True or False" in wrong(GAME.replay, (), 0, 1)


def test_what_is_loaded() -> None:
    for strange in (5, None, True, b"tic-tac-toe", Odd()):
        assert "a name or a path" in wrong(rw.load, strange)
        assert "a name or a path" in wrong(rw.open_ruleset, strange)
    for strange in ("Fog", 5, None):
        assert "list of titles" in wrong(rw.load, "tic-tac-toe", variants=strange)
    for strange in ([1], [None], [["Fog"]]):
        assert "must be a text" in wrong(rw.load, "tic-tac-toe", variants=strange)
    for strange in (5, "x", [("size", 3)]):
        assert "dict from parameters" in wrong(rw.load, "tic-tac-toe", options=strange)
    for strange in (1.5, None, [], {}, HUGE, Odd()):
        assert "whole number or a truth" in wrong(rw.load, "tic-tac-toe", options={"size": strange})
    assert "must be a text" in wrong(rw.load, "tic-tac-toe", options={1: 2})
    for data in (5, None, "x", [], {}, b"", Odd()):
        with pytest.raises(rw.RulesetError, match="not a saved game"):
            GAME.load(data)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize("number", [99_999, -1, HUGE, "x", True, None, 1.0], ids=range(7))
def test_numbers_of_rules_and_games(engine: Any, number: Any) -> None:
    """Machine code reads its memory there: nothing beyond may be read."""
    played = rw.Game(GAME.program, GAME.ruleset, engine)
    assert "its number is from 0 to" in wrong(played.stepper(1).uses, number)
    assert "it is from 0 to 1" in wrong(played.batch(2, 1).state, number)


def test_names_of_what_is_not_there() -> None:
    assert "asked by its name with `ask`" in wrong(STATE.evaluate, "turns")
    assert "asked by its name with `ask`" in wrong(STATE.evaluate, None)
    assert "there are `Board`" in wrong(GAME.graph, "Sea")
    assert "it must be a text" in wrong(GAME.graph, 7)
    assert "open it with `open_ruleset`" in wrong(rw.check, "tic-tac-toe")
    assert "it must be a state" in wrong(GAME.stepper(1).load, "begin")
    assert len(GAME.graph("Board")) == len(GAME.graph()) == 9


def test_limits_are_numbers_and_an_event() -> None:
    for strange in (0, -1, 1.5, "x", True, [], float("nan")):
        for name in ("steps", "total", "decisions", "depth"):
            assert f"the limit `{name}`" in wrong(rw.Limits, **{name: strange})
    assert "at most" in wrong(rw.Limits, steps=HUGE)
    for strange in (0, -1, "x", True, [], float("nan")):
        assert "the limit `seconds`" in wrong(rw.Limits, seconds=strange)
    assert "the limit `cancel`" in wrong(rw.Limits, cancel=5)
    for strange in (5, "x", -1, []):
        assert "rw.Limits" in wrong(rw.limited(strange).__enter__)  # type: ignore[arg-type]
        assert "rw.Limits" in wrong(GAME.playout, limits=strange)
        assert "rw.Limits" in wrong(GAME.playouts, 2, limits=strange)


def test_what_is_read_checked_and_compared() -> None:
    for strange in (None, 5, b"x", [], Odd()):
        assert "a name or a path" in wrong(rw.check_folder, strange)
        assert "a name or a path" in wrong(rw.compare, strange)
        assert "a name or a path" in wrong(rw.compare, "tic-tac-toe", strange or 5)
        assert "open it with `open_ruleset`" in wrong(rw.fix, strange)
        assert "must be a text" in wrong(rw.format_text, strange)
        assert "must be a text" in wrong(rw.Game.of_scenario, "tic-tac-toe", strange)
    assert "whole number" in wrong(rw.Game.of_scenario, "tic-tac-toe", "a line", "x")


@pytest.mark.parametrize("engine", ["python", "native"])
def test_games_that_are_played_by_numbers(engine: Any) -> None:
    played = rw.Game(GAME.program, GAME.ruleset, engine)
    stepper, batch = played.stepper(1), played.batch(2, 1)
    for strange in (None, "x", 1.5, True):
        assert "whole number" in wrong(stepper.begin, strange)
        assert "whole number" in wrong(batch.begin, strange)
        assert "whole number" in wrong(played.batch, strange)
        assert "True or False" in wrong(played.playout, check=1 if strange is True else strange)
        assert "True or False" in wrong(played.playouts, 1, check=1 if strange is True else strange)
    assert "memory" in wrong(played.batch, 10**30)
    for strange in (5, None, "xy", [None, 0], [0.5, 0], [HUGE, 0]):
        assert "the answers" in wrong(batch.apply, strange)
    for strange in (5, "x", b"x", ["x"], [1.0], [-1], None):
        assert "whole number" in wrong(played.states, 1, strange)
    for strange in (5, "x", ["x"], [1.0]):
        assert "answer" in wrong(played.states, 1, [1], strange)
    assert "must be a text" in wrong(played.is_within, STATE, [])
    for strange in (-1, b"a", ("a",), None):
        assert "must be a text" in wrong(played.graph, strange)
