"""The setting that was found for an aim, as text: how sure it is, and what else was tried."""

from __future__ import annotations

from collections.abc import Iterator

import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports.experiment_figures import figure

SHOWN = 5
"""So many of the settings that were tried are shown."""


def lines(found: lab.experiments.Aimed) -> Iterator[str]:
    """The whole report."""
    game, unit = found.arm.game, found.unit
    seats = ", ".join(dict.fromkeys(found.arm.seats))
    head = ", ".join((game.title, *game.variants, plural(game.players, "player")))
    yield f"{head}, seats {seats}; aim: {aim_of(found)}"
    how = {"all": "all of them" if found.complete else "in their order"}.get(found.method, found.method)
    yield f"{tried(found)} ({how}); {plural(found.games, 'game')}"
    yield from unloadable(found.unloadable)
    yield ""
    width = max(len(_setting(one)) for one in found.tried[:SHOWN])
    for one in found.tried[:SHOWN]:
        mean = "never over" if one.mean is None else figure(one.mean, unit)
        idle = f", {one.silent} of which say nothing" if one.silent else ""
        yield f"  {_setting(one):{width}}  {mean:>9}  in {plural(one.games, 'game')}{idle}"
    yield from silent(found)
    yield ""
    yield from sentences(found)


def aim_of(found: lab.experiments.Aimed) -> str:
    """The aim as it is written."""
    return f"{found.aim.measure} = {figure(found.aim.value, found.unit)}"


def silent(found: lab.experiments.Aimed) -> Iterator[str]:
    """The number of games that say nothing, if there are any."""
    left = sum(one.silent for one in found.tried)
    if left:
        reasons = "were stopped, have failed, or do not have the measure"
        yield f"{plural(left, 'game')} of all settings {reasons}; they do not count"


def tried(found: lab.experiments.Aimed) -> str:
    """The number of settings that were played, of all that there are."""
    return f"{len(found.tried)} of {plural(found.space, 'setting')} tried"


def unloadable(some: tuple[lab.experiments.Unloadable, ...]) -> Iterator[str]:
    """The settings with which rules do not load, counted, each kind of reason with an example."""
    reasons: dict[str, list[lab.experiments.Unloadable]] = {}
    for one in some:
        reasons.setdefault(one.why.partition(":")[0], []).append(one)
    for having in reasons.values():
        example = lab.experiments.describe(having[0].setting)
        yield f"{plural(len(having), 'setting')} whose rules do not load, as {example}: {having[0].why}"


def _setting(one: lab.experiments.Candidate) -> str:
    return lab.experiments.describe(one.setting)


def sentences(found: lab.experiments.Aimed) -> Iterator[str]:
    """The answer in words."""
    confirmed, ends, mean, unit = found.confirmed.arms[0], found.interval, found.mean, found.unit
    setting, aim = _setting(found.best), aim_of(found)
    if not found.complete and not confirmed.played:
        first = found.best.mean
        is_so = "no game is over" if first is None else f"{found.aim.measure} is {figure(first, unit)}"
        yield f"So far {setting} is nearest to {aim}: {is_so} in {plural(found.best.games, 'game')}."
        yield "The nearest of several is partly the luckiest, and it was not played with other seeds yet."
        return
    for status, outcome in (("unfinished", "stopped, not over"), ("failed", "failed")):
        if confirmed.games[status]:
            yield f"{plural(confirmed.games[status], 'game')} with other seeds {outcome}"
    if ends is None or mean is None:
        yield f"With {setting}, no game with other seeds was over."
        return
    fresh = f"{plural(confirmed.played, 'game')} with other seeds"
    between = f"95 % interval {figure(ends[0], unit)} to {figure(ends[1], unit)}"
    yield f"With {setting}, {found.aim.measure} is {figure(mean, unit)} in {fresh} ({between})."
    if found.reached:
        off = max(abs(end - found.aim.value) for end in ends)
        amount = f"{100 * off:.1f} points" if unit == "share" else figure(off, unit)
        yield f"Nothing speaks against {aim}; it is at most {amount} away."
    else:
        nearest = min(ends, key=lambda end: abs(end - found.aim.value))
        off = abs(nearest - found.aim.value)
        amount = f"{100 * off:.1f} points" if unit == "share" else figure(off, unit)
        yield f"That is not {aim}: it is at least {amount} away, and nothing that was tried came nearer."
