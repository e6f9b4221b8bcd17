"""Random rules full of reactions: on both engines, and as the page of the language tells them."""

from __future__ import annotations

from pathlib import Path
from random import Random

from lockstep import Tally, played
from random_reactions import PLAYERS, Reacting, Told
from small_rules import loaded

from sampling import sample

PROGRAMS = sample(12, 400)


def test_reactions_as_the_page_tells_them(tmp_path: Path) -> None:
    """At every question and in every window the same player is asked and the same is offered."""
    decisions = windows = interrupted = 0
    for seed in range(PROGRAMS):
        rules = Reacting(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        game = loaded(folder, rules.rules())
        for number in range(3):
            r, told, state = Random(f"{seed} {number}"), Told(rules), game.start(number)
            names = dict(zip(PLAYERS, game.seats, strict=True))
            asked = told.play()
            expected = next(asked, None)
            while expected is not None:
                decision = state.decision
                assert decision is not None
                where = f"program {seed}, game {number}, after {decisions}: {decision.label}"
                offered = {names.get(one, one) for one in expected[1]}
                assert (decision.who, {o.key for o in decision.options}) == (names[expected[0]], offered), where
                answer = r.choice(sorted(expected[1]))
                state, decisions = state.choose(names.get(answer, answer)), decisions + 1
                try:
                    expected = asked.send(answer)
                except StopIteration:
                    break
            assert state.decision is None
            windows, interrupted = windows + told.windows, interrupted + told.interrupted
    assert min(decisions / 20, windows, interrupted) > PROGRAMS


def test_reactions_on_both_engines(tmp_path: Path) -> None:
    total = Tally()
    for seed in range(1000, 1000 + PROGRAMS):
        folder = tmp_path / str(seed)
        folder.mkdir()
        total.add(played(loaded(folder, Reacting(seed).rules()).program, 5))
    assert total.decisions > 50 * PROGRAMS
    assert not total.errors
    assert not total.handed_over
