"""What the fuzzer has found, for a person at the terminal."""

from __future__ import annotations

import rulewright as rw
from rulewright_tools.console import out, plural

PAIRS = 10
"""So many pairs of rules that never met are listed."""

SETTINGS = 8
"""So many settings that were not played are listed."""


def show(found: rw.FuzzReport) -> None:
    """All of a report."""
    console = out()
    for line in lines(found):
        console.print(line)


def lines(found: rw.FuzzReport) -> list[str]:
    """The report, line by line."""
    told = [f"{found.title}: {plural(found.games, 'game')} and {plural(found.dives, 'short game')}"]
    told[0] += f" from their middle, {found.decisions} decisions"
    told.append("played with " + "; ".join(found.settings))
    if found.unplayed and found.passed:
        more = len(found.unplayed) - SETTINGS
        told.append(f"not played yet, for want of games or time: {'; '.join(found.unplayed[:SETTINGS])}")
        told[-1] += f" and {more} more" if more > 0 else ""
    if found.skipped:
        told.append(f"cannot be played: {'; '.join(found.skipped)}")
    if found.kept:
        told.append(f"began with {plural(found.kept, 'game')} from the corpus")
    for story in found.stories:
        told += ["", *_story(story)]
    told += ["", *_reached(found)]
    return told


def _story(story: rw.Story) -> list[str]:
    told = [f"FOUND  {story.trouble.told}", f"       with {story.setting.told}"]
    if story.cites:
        told.append("       about " + " ".join(f"@{cite}" for cite in story.cites))
    if story.scenario:
        told += ["", *story.scenario.rstrip("\n").split("\n"), "", f"  in {plural(story.decisions, 'decision')}"]
    else:
        told += [f"       no scenario: {story.why_not}", f"  the last of {plural(story.decisions, 'decision')}"]
    return told + [f"    {entry}" for entry in story.log]


def _reached(found: rw.FuzzReport) -> list[str]:
    pairs = found.pairs
    met = sum(1 for times in pairs.values() if times)
    told = [
        "nothing was found" if found.passed else f"{plural(len(found.stories), 'finding')}",
        f"rules used in turns: {len(found.rules) - len(found.never_used)} of {len(found.rules)}"
        + (f"; never: {', '.join(found.never_used)}" if found.never_used else ""),
        f"pairs that met in a turn: {met} of {len(pairs)}",
    ]
    if found.never_met:
        listed = [f"{one} + {other}" for one, other in found.never_met[:PAIRS]]
        more = len(found.never_met) - len(listed)
        told.append("both used, but never in one turn: " + ", ".join(listed) + (f" and {more} more" if more else ""))
    unseen = [name for name, times in found.witnesses.items() if not times]
    if found.witnesses:
        seen = len(found.witnesses) - len(unseen)
        told.append(
            f"witnesses seen: {seen} of {len(found.witnesses)}" + (f"; not: {', '.join(unseen)}" if unseen else "")
        )
    return told
