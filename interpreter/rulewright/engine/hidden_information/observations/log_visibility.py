"""The log as one player may read it.

An entry has the players who may know its answer (`audience`). All observe that a question was answered; what chance has
given and the rules have shown only reaches those who may know it. A secret answer is revealed when all have answered; a
secret question is observed by those only who may know of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.hidden_information.observations.secret_questions import is_observed, unobserved_answer
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import CHANCE, PUBLIC, RULES, Heard, LogEntry


def log_for(state: Position, player: int | None, since: int = 0) -> tuple[Heard, ...]:
    """The implementation of :meth:`State.log_for`."""
    entries: Sequence[LogEntry] = state.log
    secret = len(entries) - still_secret(state)
    seat = seat_of(state, player)
    entries = entries[: len(entries) - still_unobserved(state, entries, player)]
    entries_seen = (observe(entry, seat, number >= secret) for number, entry in enumerate(entries[since:], since))
    return tuple(found for found in entries_seen if found is not None)


def seat_of(state: Position, player: int | None) -> str | None:
    """The seat of a player; an empty one for what all know alike, None for an observer who knows all."""
    if player is None:
        return None
    return "" if player == PUBLIC else state.engine.layout.universes["Player"].keys[player]


def still_secret(state: Position) -> int:
    """The number of last entries that were answered in secret while others have still to answer."""
    return state.given


def still_unobserved(state: Position, entries: Sequence[LogEntry], player: int | None) -> int:
    """The number of last entries that a player observes only later: the answer that led to a further, secret question,
    and what has followed."""
    kept = unobserved_answer(state, player)
    return 0 if kept is None else min(kept.entries, len(entries))


def observe(entry: LogEntry, seat: str | None, secret: bool) -> Heard | None:
    """The entry as a seat (as :func:`seat_of` gives it) observes it; None if it is hidden from that seat."""
    if seat is not None and not is_observed(entry, seat):
        return None
    known = seat is None or entry.who == seat or (not secret and (entry.seen_by is None or seat in entry.seen_by))
    if not known and (entry.who in (CHANCE, RULES) or entry.hushed):
        return None
    return Heard(entry.who, entry.name, entry.key if known else None)
