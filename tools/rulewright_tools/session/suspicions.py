"""Suspicions that figures of many games raise against the rules, as warnings for the designer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import rulewright as rw
from rulewright_tools.console import plural
from rulewright_tools.session.statistics import Statistics

ENOUGH = 30
"""The number of games below which equal ends are no suspicion."""

OFTEN = 5
"""Games of the base by which an ending is missed: that none of as many ends so, though as many would, is chance in less
than one case of a hundred."""

WATCHED = 20
"""Games in which it is looked at what restrictions refuse: each takes as long as a hundred others."""


class Kind(StrEnum):
    """Kinds of suspicions."""

    ONE_ENDING = "one ending"
    LOST_ENDING = "lost ending"
    NEVER_USED = "never used"
    CUT_OFF = "cut off"


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One of them."""

    kind: Kind
    rules: tuple[str, ...]
    message: str
    accepted: bool = False
    """True if the user has accepted it: it is then no warning."""

    def data(self) -> dict[str, object]:
        """The suspicion as plain data."""
        known = {"accepted": True} if self.accepted else {}
        return {"kind": self.kind.value, "rules": list(self.rules), "told": self.message, **known}


@dataclass(frozen=True, slots=True)
class Series:
    """The games of one number of players: how they went, and how those of their base did, if that was requested."""

    game: rw.Game
    tally: Statistics
    base: rw.Game | None
    stories: dict[str, rw.fuzzing.Story] = field(default_factory=dict)
    """The way to each invariant or property that is broken, by its name."""


def of_series(series: Series, base_endings: Callable[[frozenset[str]], frozenset[str]], most: int) -> list[Suspicion]:
    """Look for what is suspicious about the games of one number of players.

    `base_endings` finds those of some endings by which games of the base end often.
    """
    game, tally = series.game, series.tally
    missed = frozenset(game.endings).difference(tally.endings)
    found: list[Suspicion] = []
    if series.base is not None and tally.games:
        inherited = missed.intersection(series.base.endings)
        lost = base_endings(inherited)
        found += _one_ending(series, inherited - lost)
        found += [
            Suspicion(Kind.LOST_ENDING, (rule,), f"no game ends by `{rule}`, but games of the base do")
            for rule in sorted(lost)
        ]
    else:
        found += _one_ending(series, frozenset())
    if tally.unfinished:
        unfinished = f"{plural(tally.unfinished, 'game')} not over after {most} decisions"
        found.append(Suspicion(Kind.CUT_OFF, (), f"{unfinished} (the first has seed {tally.endless})"))
    return found


def _one_ending(series: Series, never: frozenset[str]) -> Iterator[Suspicion]:
    """An end by which all games end, though others could; not those by which games of the base `never` end, either."""
    tally = series.tally
    others = [rule for rule in series.game.endings if rule not in tally.endings and rule not in never]
    if tally.games >= ENOUGH and len(tally.endings) == 1 and others:
        [rule] = tally.endings
        yield Suspicion(Kind.ONE_ENDING, (rule,), f"all games end by `{rule}`, none by {_listed(others)}")


def unused(series: list[Series], seed: int, most: int) -> list[Suspicion]:
    """The rules that a variant has brought and that no game has used, whatever its number of players."""
    new: dict[str, None] = {}
    used: set[str] = set()
    for one in series:
        if one.base is None or not one.tally.games:
            continue
        game, brought = one.game, rw.counterparts.brought(one.game, one.base)
        counted = [rule for rule in brought if rule in game.rule_names and rule not in game.idle_rules]
        refusing = [rule for rule in brought if rule in rw.offers.restrictions(game)]
        offers = rw.offers.Offers()
        offers.begin(game)
        offered = offers.options
        used.update(rule for rule in counted if one.tally.fired[rule])
        observed = [rule for rule in (*counted, *refusing) if rule in offered or rule in refusing]
        seeds = range(seed, seed + min(WATCHED, one.tally.games + one.tally.unfinished))
        idle = _idle(game, offers, [rule for rule in observed if rule not in used], seeds, most)
        used.update(rule for rule in refusing if rule not in idle and rule not in offered)
        new.update(dict.fromkeys(rule for rule in (*counted, *refusing) if rule not in observed or rule in idle))
    return [
        Suspicion(Kind.NEVER_USED, (rule,), f"`{rule}`, which is new here, was never of any use")
        for rule in new
        if rule not in used
    ]


def _idle(
    game: rw.Game, offers: rw.offers.Offers, wanted: Sequence[str], seeds: Sequence[int], most: int
) -> frozenset[str]:
    """The restrictions and options among some that were of no use in the random games of these seeds, though the
    question to which they belong was put: of what was never put nothing follows."""
    for seed in seeds:
        if all(offers.refusing[rule] or offers.offered[rule] for rule in wanted):
            break
        offers.add(game, seed, most)
    return frozenset(rule for rule in wanted if offers.times[rule] and not offers.refusing[rule] + offers.offered[rule])


def _listed(rules: list[str]) -> str:
    *others, last = [f"`{rule}`" for rule in rules]
    return f"{', '.join(others)} or {last}" if others else last
