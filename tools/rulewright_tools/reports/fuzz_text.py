"""The fuzzer's findings, for a person at the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import rulewright as rw
from rulewright_tools.console import err, out, plural

PAIRS = 10
"""So many pairs of rules that never met are listed."""

NO_GAME = "nothing was found, but no game was played to its end: give more with --time or --games"

NO_QUESTION = "nothing was found, but no game has a question: each is over before anything is asked"

LOOKS = {
    "consequences": "consequence",
    "saves": "save",
    "options": "option",
    "refusals": "refusal",
    "worlds": "other world",
}

SETTINGS = 8
"""So many settings that were not played are listed."""


def show(found: rw.fuzzing.FuzzReport) -> None:
    """All of a report."""
    console = out()
    for line in lines(found):
        console.print(line)


def lines(found: rw.fuzzing.FuzzReport) -> list[str]:
    """The report, line by line."""
    looked = "one game played again" if found.replayed else f"{plural(found.games, 'game')} looked at closely"
    text = [f"{found.title}: {looked}, {found.decisions} decisions"]
    if found.looks:
        text.append("looked at: " + ", ".join(plural(n, LOOKS[kind]) for kind, n in sorted(found.looks.items())))
    if found.runs:
        text.append(f"explored: {plural(found.runs, 'run')}, {plural(found.answers, 'decision')}")
    text.append("played with " + "; ".join(found.settings))
    if found.seats:
        text.append(f"whole games played by {', '.join(found.seats)}")
    if found.unplayed and found.passed:
        more = len(found.unplayed) - SETTINGS
        text.append(f"not played yet, for want of games or time: {'; '.join(found.unplayed[:SETTINGS])}")
        text[-1] += f" and {more} more" if more > 0 else ""
    if found.skipped:
        text.append(f"cannot be played: {'; '.join(found.skipped)}")
    if found.stopped:
        text.append("not all was explored: machine code stopped where only the Python engine can go on")
    if found.kept and not found.replayed:
        text.append(f"began with {plural(found.kept, 'game')} from the corpus")
    text += ["", *_reached(found)]
    return text


def _listed(names: Iterable[str]) -> str:
    first = list(islice(names, PAIRS + 1))
    return ", ".join(first[:PAIRS]) + (", and more" if len(first) > PAIRS else "")


class FindingPrinter:
    """Prints each finding as it comes, and its story when it is shrunk; on stderr if stdout is for programs."""

    def __init__(self, ruleset: str, variants: Sequence[str], for_programs: bool) -> None:
        self.ruleset = ruleset
        self.files = [variant for variant in variants if variant.endswith(".rules")]
        self.console = err() if for_programs else out()

    def print_found(self, found: rw.fuzzing.Found | rw.fuzzing.Story) -> None:
        """Print a finding or its story at once, without waiting for the others."""
        for line in (*(self.found(found) if isinstance(found, rw.fuzzing.Found) else self.story(found)), ""):
            self.console.print(line, markup=False)
        self.console.file.flush()

    def found(self, found: rw.fuzzing.Found) -> list[str]:
        """A finding that is not shrunk yet."""
        text = [
            f"FOUND  {found.trouble.told}",
            f"       with {found.setting.told}, in {found.where}"
            + ("" if found.trouble.kind == "endless" else f", after {plural(len(found.numbers), 'decision')}"),
            f"       key {found.trouble.label}",
        ]
        return text if found.kept is None else [*text, f"       again {self.again(found)}"]

    def story(self, story: rw.fuzzing.Story) -> list[str]:
        """A finding as short as it could be made."""
        text = [f"STORY  {story.trouble.told}", f"       with {story.setting.told}"]
        if story.cites:
            text.append("       about " + " ".join(f"@{cite}" for cite in story.cites))
        text += [f"       since {cause.message}" for cause in story.causes]
        if story.scenario:
            text += ["", *story.scenario.rstrip("\n").split("\n"), "", f"  in {plural(story.decisions, 'decision')}"]
        else:
            text.append(f"       no scenario: {story.why_not}")
            text.append(f"       again {self.again(story)}")
            text.append(f"  the last of {plural(story.decisions, 'decision')}")
        return text + [f"    {entry}" for entry in story.log]

    def again(self, found: rw.fuzzing.Found | rw.fuzzing.Story) -> str:
        """The command that plays the game again."""
        words = ["rulewright", "fuzz", self.ruleset]
        for file in self.files:
            words += ["--variant", file]
        if found.trouble.kind == "endless":
            words += ["--decisions", str(len(found.numbers))]
        if found.kept is not None:
            return shlex.join([*words, str(found.kept)])
        words += ["--players", str(found.setting.players)]
        for title in found.setting.variants:
            words += ["--variant", title]
        for name, value in found.setting.options:
            words += ["--option", f"{name}={value}"]
        again = [",".join(map(str, found.numbers))] if found.numbers else ["--games", "1"]
        return shlex.join([*words, *again])


def _reached(found: rw.fuzzing.FuzzReport) -> list[str]:
    pairs = found.pairs
    met = sum(1 for times in pairs.values() if times)
    nothing = "nothing was found"
    if not (found.games or found.runs or found.replayed):
        nothing = NO_GAME
    elif not (found.decisions or found.answers or found.replayed):
        nothing = NO_QUESTION
    text = [
        nothing if found.passed else f"{plural(len(found.stories), 'finding')}: {_times(found.seen)}",
        f"rules used in turns: {len(found.rules) - len(found.never_used)} of {len(found.rules)}"
        + (f"; never: {', '.join(found.never_used)}" if found.never_used else ""),
        f"pairs that met in a turn: {met} of {len(pairs)}"
        + (f"; {plural(len(found.possible.apart), 'other')} cannot" if found.possible.apart else ""),
    ]
    if found.idle:
        text.insert(2, f"rules that cannot be used as the parameters are set: {', '.join(found.idle)}")
    accepted = {key: times for key, times in found.accepted.items() if times}
    if accepted:
        text.insert(1, f"accepted: {_times(accepted)}")
    if found.base is not None:
        text[1:1] = _against(found.base)
    if found.never_met:
        text.append(f"both used, but never in one turn: {_listed(map(' + '.join, found.never_met))}")
    text += [f"used, but never with {part}: {', '.join(rules)}" for part, rules in found.never_with.items()]
    unseen = [name for name, times in found.witnesses.items() if not times]
    if found.witnesses:
        seen = len(found.witnesses) - len(unseen)
        text.append(
            f"witnesses seen: {seen} of {len(found.witnesses)}" + (f"; not: {', '.join(unseen)}" if unseen else "")
        )
    return text


def _against(base: rw.fuzzing.Base) -> list[str]:
    """The lines about the rules beneath."""
    text = [f"compared with {plural(base.games, 'game')} of {base.title} without what is new"]
    if base.shown:
        text.append(f"shown by these, too, and not told here: {', '.join(base.shown)}")
    if base.broken:
        text.append(f"declared by {base.title}, and broken now: {', '.join(base.broken)}")
    return text


def _times(seen: Mapping[str, int]) -> str:
    return ", ".join(f"{key} seen {plural(times, 'time')}" for key, times in seen.items())
