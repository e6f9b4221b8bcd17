"""Agents that think at a terminal: what they have looked at is shown meanwhile, and Ctrl-C lets them answer at once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import rulewright as rw
from rulewright_tools.session.game_session import Seat

FIRST, BETWEEN = 0.5, 0.1
"""Seconds before something is shown, and between two showings."""
HINTS = 3
"""The number of answers in a hint."""
WITHOUT_AGENT = "mcts:500"
"""The agent that gives a hint where none that searches plays."""
Showing = Callable[[str], None]
"""Shows a line in place of the last one; an empty one clears it."""


def thinking_seat(game: rw.Game, agent: rw.playing.Agent, seed: int, show: Showing) -> Seat:
    """Picks what an agent that searches takes, always alike for a seed, a state and a number of decisions, unless it is
    stopped."""
    search = game.search(agent)

    def pick(state: rw.State, number: int) -> int:
        assert state.decision is not None
        if len(state.decision.options) == 1:
            return 0
        dice = rw.playing.Dice(seed, f"seat, decision {number}")
        found = deliberate(search, state, dice, f"{state.decision.who} ({agent})", show)
        return found.taken(dice, len(state.decision.options))

    return pick


def deliberate(
    search: rw.playing.Search, state: rw.State, dice: rw.playing.Dice, who: str, show: Showing
) -> rw.playing.PositionAnalysis:
    """The thoughts of an agent about a position: how far they are is shown; Ctrl-C ends them with what was found."""
    begun = last = time.perf_counter()
    with _interruptible() as stopped:

        def keep_going(done: int, part: float) -> bool:
            nonlocal last
            now = time.perf_counter()
            if now - begun >= FIRST and now - last >= BETWEEN:
                last = now
                left = (now - begun) * (1 - part) / part if part else 0.0
                show(f"{who} thinks: {done:,} looked at, {left:.0f} s left (Ctrl-C: answer now)")
            return not stopped.is_set()

        found = search.analyse(state, dice, keep_going)
    if last != begun:
        show("")
    return found


def hints(game: rw.Game, state: rw.State, agent: rw.playing.Agent, seed: int, show: Showing) -> list[str]:
    """The best answers of the player to act, with their chances, in words."""
    decision = state.decision
    assert decision is not None
    assert decision.seat is not None
    dice = rw.playing.Dice(seed, f"hint, {len(state.log)} answers")
    found = deliberate(game.search(agent), state, dice, f"the hint ({agent})", show)
    lines = []
    for place, one in enumerate(found.answers[:HINTS], 1):
        key = decision.options[one.option].key
        often = f", to be taken in {one.share:.0%} of all cases" if one.share else ""
        lines.append(f"{place}. {key}  {_chance(one, decision.seat)}{often}")
    if found.full:
        lines.append("the tree was full: it has grown no more, only its figures have become better")
    return lines or ["nothing is known of any answer"]


def _chance(answer: rw.playing.RatedAnswer, seat: int) -> str:
    """The worth of an answer in words."""
    times = f", looked at {answer.visits:,} times" if answer.visits > 1 else ""
    if answer.certain and answer.chances:
        chance = answer.chances[seat]
        return "certain to win" if chance == 1 else "certain to lose" if chance == 0 else "certain to be a draw"
    if answer.chances:
        return f"{100 * answer.chances[seat]:.0f} % to win{times}"
    return f"worth {answer.value:.2f}{times}"


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """Ctrl-C only sets an event in here; only the main thread can say what signals mean."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)
