"""A close look at a state finds what a mistake in the engine would do to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fuzz_helpers import written

import rulewright as rw
from rulewright.compiler.reactions.consequences import Linker
from rulewright.engine import Dice, State
from rulewright.findings.fuzzing.search.universal_properties import look_closely

GAME = rw.load("tic-tac-toe")


def found() -> list[tuple[str, tuple[int, ...]]]:
    return [
        (wrong.name, answers) for wrong, answers in look_closely(GAME, GAME.start(ask_chance=True), Dice(0, "look"))
    ]


def changed(monkeypatch: pytest.MonkeyPatch, change: Callable[[State, State], None], times: int) -> None:
    """Let the first answers that are given change something of the state before and of that after them."""
    choose, left = State.choose, [times]

    def wrong(state: State, option: Any) -> State:
        after = choose(state, option)
        if left[0]:
            left[0] -= 1
            change(state, after)
        return after

    monkeypatch.setattr(State, "choose", wrong)


def test_nothing_is_wrong() -> None:
    assert found() == []


def test_an_answer_that_changes_the_state_it_is_given_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(before: State, after: State) -> None:
        before.cells[GAME.engine.layout.fields["mark"].at + 8] = 0

    changed(monkeypatch, change, 1)
    assert ("changed turn.cell", ()) in found()


def test_a_saved_game_that_goes_on_differently(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(before: State, after: State) -> None:
        after.cells[GAME.engine.layout.fields["mark"].at + 8] = 0

    changed(monkeypatch, change, 1)
    assert found() == [("saved turn.cell", (0,))]


DUE = """\
game small
players 2
field gold[Player]: 0 .. 9 = 0
field rich: 0 .. 9 = 0
consequence becomes_rich for p in players when gold[p] > 2
    gold[p] = 0
    rich += 1
procedure play
    repeat 5 times
        each p in players
            p chooses n from {1 .. 3}
            gold[p] += n
"""


def test_a_consequence_that_does_not_follow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the compiler took it for one that nothing concerns."""
    fine = rw.load(written(tmp_path / "fine", DUE))
    assert list(look_closely(fine, fine.start().choose(2), Dice(0, "look"))) == []
    monkeypatch.setattr(Linker, "_concerned", lambda *_: 0)
    wrong = rw.load(written(tmp_path / "wrong", DUE.replace("game small", "game other"), name="other"))
    looked = [trouble.name for trouble, _ in look_closely(wrong, wrong.start().choose(2), Dice(0, "look"))]
    assert looked == ["due becomes_rich"]


def test_a_refusal_that_is_not_true(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = GAME.start(ask_chance=True).decision
    assert taken is not None
    offered = rw.Refusal(taken.options[0].key, ())
    monkeypatch.setattr(State, "refused_answers", lambda self, *_, **__: (offered,))
    assert found() == [("refused turn.cell", ())]
