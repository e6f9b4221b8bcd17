"""The rules that a game has used so far, as far as the viewer may know it.

Where nothing is hidden the game is played again, and the engine counts. Else the decisions are counted whose answers
are in the viewer's log: what other rules have done follows from what is hidden, too.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import rulewright as rw
from rulewright_tools.studio.host.game.table import Table


@dataclass(frozen=True, slots=True)
class Usage:
    """The numbers of times that rules were used."""

    complete: bool
    """False if only the decisions in the viewer's log were counted."""
    times: Counter[str]
    latest: Counter[str]
    """The uses in the step that has led to the position."""


def usage_of(table: Table) -> Usage:
    """The use of rules up to the position that is looked at."""
    before = table.before()
    counted = _counted(table, before) if table.is_open() and table.play.opened is None else None
    if counted is not None:
        return Usage(True, *counted)
    play, viewer = table.play, table.onlooker.sight().viewer
    times = _visible_uses(play.game, play.state, viewer)
    return Usage(
        False, times, times - _visible_uses(play.game, before, viewer) if before is not None else Counter(times)
    )


def _counted(table: Table, before: rw.State | None) -> tuple[Counter[str], Counter[str]] | None:
    """The counts of the engine when the game is played again; None if its log does not lead to the position."""
    game, wanted = table.play.game, table.play.state
    fired = game.new_fired()
    earlier = 0 if before is None else len(_answers(game, before))
    first = [0] * len(fired)
    try:
        state = game.start(table.play.seed, fired=fired)
        for number, entry in enumerate(_answers(game, wanted)):
            if number == earlier:
                first = list(fired)
            state = state.choose(entry.key, by=entry.who)
    except rw.RulesetError:
        return None
    if state != wanted:
        return None
    if before is None:
        first = [0] * len(fired)
    times = Counter(dict(zip(game.rule_names, fired, strict=True)))
    return +times, times - Counter(dict(zip(game.rule_names, first, strict=True)))


def _answers(game: rw.Game, state: rw.State) -> list[rw.playing.LogEntry]:
    return [entry for entry in state.log if entry.who in game.seats]


def _visible_uses(game: rw.Game, state: rw.State, viewer: int | None) -> Counter[str]:
    """The number of decisions in a viewer's log, by the rules that ask them."""
    known = set(game.rule_names)
    rules = (entry.name.rpartition(".")[0] or entry.name for entry in state.log_for(viewer) if entry.who in game.seats)
    return Counter(rule for rule in rules if rule in known)
