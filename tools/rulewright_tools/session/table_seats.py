"""Seats at a terminal: who plays each, in the words of ``--seats``, and agents that are seen to think."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.console import Console

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import CommandError, out
from rulewright_tools.session.deliberation import thinking_seat
from rulewright_tools.session.game_session import Seat, first_seat, policy_seat, random_seat

AT_A_TABLE = ("human", "first", *lab.agents.FORMS)
"""The words for who or what may play a seat."""


def split(seats: str | None) -> list[str]:
    """The words of ``--seats``; one person by default."""
    return lab.agents.split_words(seats) if seats else ["human"]


def seats_of(save: dict[str, object]) -> str | None:
    """The words of ``--seats`` with which a game was played that is saved; none if the save has none."""
    found = save.get("seats")
    return lab.agents.join_words(map(str, found)) if isinstance(found, list) else None


def kinds_of(game: rw.Game, seats: str | None) -> tuple[str, ...]:
    """The players of all seats, in the words of ``--seats``. Seats that are not spoken of are played by chance."""
    kinds = split(seats)
    kinds += ["random"] * (len(game.seats) - len(kinds))
    if len(kinds) != len(game.seats):
        raise CommandError(
            f"--seats names {len(kinds)} seats, but the game has {len(game.seats)}: {', '.join(game.seats)}"
        )
    return tuple(kinds)


def machines(game: rw.Game, kinds: Sequence[str], seed: int) -> dict[str, Seat]:
    """The agent of each seat that is not played by a person."""
    found: dict[str, Seat] = {}
    for seat, kind in zip(game.seats, kinds, strict=True):
        if kind == "random":
            found[seat] = random_seat(seed)
        elif kind == "first":
            found[seat] = first_seat
        elif kind.partition(":")[0] not in {form.partition(":")[0] for form in AT_A_TABLE}:
            raise CommandError(f"--seats: {kind!r} is not one of {', '.join(AT_A_TABLE)}")
        elif kind != "human":
            found[seat] = _agent_seat(game, lab.agent(game, kind), seed)
    return found


def _agent_seat(game: rw.Game, agent: rw.playing.Agent, seed: int) -> Seat:
    """A seat for an agent; one that searches shows how far it is."""
    if isinstance(agent, rw.Policy):
        return policy_seat(game, agent, seed)
    return thinking_seat(game, agent, seed, partial(show_status, out()))


def show_status(console: Console, text: str) -> None:
    """Show a line that the next one replaces, on a terminal; nowhere else, as a transcript keeps all lines."""
    if console.is_terminal:
        console.file.write("\r\x1b[2K" + text)
        console.file.flush()
