"""The report of a search with an aim, for a person at the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import rulewright as rw
from rulewright_tools.console import err, out, plural

SHORT = 400
"""Games of more decisions are not written into a command: a corpus keeps them."""


class AimPrinter:
    """Prints each target as it is reached; on stderr if stdout is for programs."""

    def __init__(self, ruleset: str, variants: Sequence[str], corpus: bool, for_programs: bool) -> None:
        self.ruleset, self.corpus = ruleset, corpus
        self.files = [variant for variant in variants if variant.endswith(".rules")]
        self.console = err() if for_programs else out()

    def print_found(self, one: rw.fuzzing.Attained) -> None:
        """Print a target at once, without waiting for the others."""
        for line in self.lines(one):
            self.console.print(line, markup=False)
        self.console.file.flush()

    def lines(self, one: rw.fuzzing.Attained) -> list[str]:
        """The target, and the command that plays the game again."""
        word = "USED   " if one.target.kind == "rule" else "BROKEN "
        text = [f"{word} {one.target.label}, after {plural(len(one.numbers), 'decision')} with {one.setting.told}"]
        if one.told:
            text.append(f"        {one.told}")
        if self.corpus:
            return text
        words = ["rulewright", "fuzz", self.ruleset, *(word for file in self.files for word in ("--variant", file))]
        words += ["--players", str(one.setting.players)]
        words += [word for title in one.setting.variants for word in ("--variant", title)]
        words += [word for name, value in one.setting.options for word in ("--option", f"{name}={value}")]
        if len(one.numbers) <= SHORT:
            return [*text, f"        again {shlex.join([*words, ','.join(map(str, one.numbers))])}"]
        return [*text, "        --keep DIR keeps the game, --output FILE.json its numbers"]


def show(found: rw.fuzzing.AimReport) -> None:
    """All of a report."""
    for line in lines(found):
        out().print(line, markup=False)


def lines(found: rw.fuzzing.AimReport) -> list[str]:
    """The report, line by line."""
    text = [
        "",
        f"{found.title}: {plural(found.flights, 'flight')} with {found.decisions} decisions, after "
        f"{plural(found.games, 'random game')} with {found.random_decisions}",
        f"played with {'; '.join(found.settings)}",
        f"reached: {len(found.reached)} of {len(found.wanted)}",
    ]
    if found.idle:
        text.append(f"cannot be used as the parameters are set: {', '.join(found.idle)}")
    for one in found.missed:
        if one.distance is None:
            text.append(f"MISSED  {one.target.label}, with {one.setting.told}: no position says how near it is")
            continue
        after = plural(len(one.numbers), "decision")
        text.append(f"MISSED  {one.target.label}, {one.distance:.2f} away after {after} with {one.setting.told}")
        text += [f"        {obstacle.message}" for obstacle in one.obstacles]
        if one.scenario:
            text.append(f"        in a laid position it is used ({'; '.join(one.laid) or 'as it was'}):")
            text += ["", *(f"        {line}".rstrip() for line in one.scenario.rstrip().split("\n")), ""]
    return text
