"""A game that is being played: the positions behind and the one now. No input or output in here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import rulewright as rw
from rulewright_tools.console import CommandError, errors_in, json_text, read_save, write_file


def random_pick(seed: int, number: int, size: int) -> int:
    """The option that the random seat takes as its decision number `number`: 0 to below `size`, all equally likely.

    A hash of seed and number, so it is the same on every machine and does not depend on who else plays.
    """
    # Numbers above the last whole multiple of `size` would favour the small picks: they are drawn again.
    fair = 2**64 - 2**64 % size
    attempt = 0
    while True:
        text = f"random/{seed}/{number}/{attempt}"
        drawn = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
        if drawn < fair:
            return drawn % size
        attempt += 1


Seat = Callable[["rw.State", int], int]
"""Picks an option by number, given the state of the decision and how many decisions came before."""

MOST = 20_000
"""Decisions after which a game that no person takes part in is stopped."""


def random_seat(seed: int) -> Seat:
    """Picks at random, always alike for a seed and a number of decisions."""

    def pick(state: rw.State, number: int) -> int:
        assert state.decision is not None
        return random_pick(seed, number, len(state.decision.options))

    return pick


def played_seat(game: rw.Game, seed: int) -> Seat:
    """Picks for all seats together what the random game of this seed has picked, as simulations play it."""
    answers = game.playout(seed, keep=True, most=MOST).answers

    def pick(state: rw.State, number: int) -> int:
        if number >= len(answers):
            raise CommandError(f"the game is not over after {number} decisions")
        return answers[number]

    return pick


def first_seat(state: rw.State, number: int) -> int:
    """Takes the first option."""
    return 0


def policy_seat(game: rw.Game, policy: rw.playing.Agent, seed: int) -> Seat:
    """Picks what an agent prefers, always alike for a seed, a state and a number of decisions."""

    def pick(state: rw.State, number: int) -> int:
        return game.pick(state, policy, rw.playing.Dice(seed, f"seat, decision {number}"))

    return pick


@dataclass(frozen=True, slots=True)
class Step:
    """An answer that no person has given."""

    answered: tuple[str, str, str | None] | None
    """The player, the question, and the answer as the viewer may know it; None if they may not know of it: there is
    more to decide in secret."""
    is_forced: bool
    """True if it was the only one."""


@dataclass(slots=True)
class Session:
    """A game with who plays it. Seats that are not in `machines` are played at the terminal."""

    game: rw.Game
    state: rw.State
    machines: Mapping[str, Seat]
    kinds: tuple[str, ...] = ()
    """The players of all seats, in the words of ``--seats``; saved with the game."""
    _behind: list[rw.State] = field(default_factory=list)
    """Positions in which a person has chosen."""

    @property
    def decisions(self) -> int:
        """The number of choices of players so far; chance does not count."""
        return sum(1 for entry in self.state.log if entry.who in self.game.seats)

    def choose(self, option: rw.Option) -> None:
        """A person takes an option."""
        self._behind.append(self.state)
        self.state = self.state.choose(option)

    def step(self, viewer: int | None) -> Step | None:
        """Go on by one decision that no person has to make; None if a person is to choose."""
        decision = self.state.decision
        if decision is None:
            return None
        machine = self.machines.get(decision.who)
        if machine is not None:
            option, is_forced = decision.options[machine(self.state, self.decisions)], False
        elif len(decision.options) == 1 and not self.is_shared_secret(decision):
            option, is_forced = decision.options[0], True
        else:
            return None
        before = Counter(self.state.log_for(viewer))
        self.state = self.state.choose(option)
        visible = []  # who decides at once may have answered before others
        for entry in self.state.log_for(viewer):
            if before[entry] > 0:
                before[entry] -= 1
            elif entry.who == decision.who:
                visible.append(entry)
        last = visible[-1] if visible else None
        return Step(None if last is None else (last.who, last.name, last.key), is_forced)

    def is_shared_secret(self, decision: rw.Decision) -> bool:
        """True if several people sit at the terminal and the player to act sees anything that they do not all see. Then
        what they can answer may follow from it, and the others must not learn that it was only one thing."""
        if len(self.game.seats) - len(self.machines) < 2:
            return False
        own, public = self.state.view(decision.seat), self.state.view(rw.playing.PUBLIC)
        return any(own.get(part) != public.get(part) for part in ("zones", "fields"))

    def others(self) -> list[str]:
        """The other people who decide at once with the player to act, and have not done so."""
        decision = self.state.decision
        if decision is None or not decision.secret:
            return []
        players = (other.who for other in self.state.decisions)
        return [who for who in players if who != decision.who and who not in self.machines]

    def turn(self, seat: str) -> bool:
        """Let another one of those who decide at once answer first; False if they have no decision here."""
        state = self.state.turn_of(seat)
        if state is not None:
            self.state = state
        return state is not None

    def undo(self) -> bool:
        """Back to the last choice of a person; False if there is none."""
        if not self._behind:
            return False
        self.state = self._behind.pop()
        return True

    def save(self, path: Path) -> None:
        """Write the game to a file."""
        seats = {"seats": list(self.kinds)} if self.kinds else {}
        write_file(path, json_text(self.state.save() | seats, indent=1) + "\n")

    def load(self, path: Path) -> None:
        """Go on from a file; the game stays as it is if the file cannot be used."""
        with errors_in(path):
            state = self.game.load(read_save(path))
        self._behind.append(self.state)
        self.state = state


def visible_entry_at(state: rw.State, number: int, viewer: int | None) -> rw.playing.Heard | None:
    """An entry of the log as an observer sees it; None if it is hidden from them."""
    visible, later = state.log_for(viewer, number), state.log_for(viewer, number + 1)
    return visible[0] if len(visible) > len(later) else None
