"""The log as a player may read it.

An entry says who may know its answer (`audience`). All hear that somebody has answered; of what
chance has given, and of what the rules have shown, only they hear who may know it. What was answered in secret is told
when all have answered; where whether it was asked tells something, too, those who may not know it hear nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.hidden_information.secret_questions import is_heard, unheard
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import CHANCE, PUBLIC, RULES, Heard, LogEntry


def log_for(state: Position, player: int | None, since: int = 0) -> tuple[Heard, ...]:
    """The implementation of :meth:`State.log_for`."""
    entries: Sequence[LogEntry] = state.log
    secret = len(entries) - still_secret(state)
    seat = seat_of(state, player)
    entries = entries[: len(entries) - still_unheard(state, entries, player)]
    heard = (hear(entry, seat, number >= secret) for number, entry in enumerate(entries[since:], since))
    return tuple(found for found in heard if found is not None)


def seat_of(state: Position, player: int | None) -> str | None:
    """The seat of a player; an empty one for what all know alike, None for somebody who knows all."""
    if player is None:
        return None
    return "" if player == PUBLIC else state.engine.layout.universes["Player"].keys[player]


def still_secret(state: Position) -> int:
    """The number of last entries that were answered in secret while others have still to answer."""
    return state.given


def still_unheard(state: Position, entries: Sequence[LogEntry], player: int | None) -> int:
    """The number of last entries of which a player hears only later: the answer because of which somebody is asked
    something more in secret, and what has followed."""
    kept = unheard(state, player)
    return 0 if kept is None else min(kept.entries, len(entries))


def hear(entry: LogEntry, seat: str | None, secret: bool) -> Heard | None:
    """The entry as a seat (as :func:`seat_of` gives it) is told of it; None if it is told nothing."""
    if seat is not None and not is_heard(entry, seat):
        return None
    known = seat is None or entry.who == seat or (not secret and (entry.seen_by is None or seat in entry.seen_by))
    if not known and (entry.who in (CHANCE, RULES) or entry.hushed):
        return None
    return Heard(entry.who, entry.name, entry.key if known else None)
