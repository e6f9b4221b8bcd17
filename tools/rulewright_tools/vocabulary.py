"""The vocabulary of the command line: each option has one name, one meaning and one type, in whatever command it is.

Options are made of it by :func:`named`, in :mod:`rulewright_tools.arguments` where several commands have them; a test
refuses any other. :data:`RETIRED` has the names of the release before, which are answered with the new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import typer


@dataclass(frozen=True, slots=True)
class Word:
    """An option, in all commands that have it."""

    meaning: str
    """The text of every help, and of the table in ``docs/guide/commands.md``."""
    value: str = ""
    """The name of the value in help; none for an option that is there or not."""
    letter: str = ""
    rare: bool = False
    """True if only ``--help-all`` lists it."""


WORDS: Mapping[str, Word] = {
    # The rules that are meant.
    "--players": Word("Number of players.", "N", "-n"),
    "--variant": Word("A variant: its title, or a file; several possible.", "TITLE|FILE", "-v"),
    "--option": Word("Set a parameter of the rules; several possible.", "NAME=VALUE"),
    "--set": Word("Set a parameter of the last arm only.", "NAME=VALUE", rare=True),
    "--scenario": Word("Begin in the position of a scenario.", "TITLE"),
    "--of": Word("The ruleset to build on.", "RULESET"),
    "--against": Word("What to compare with: rules, or a change of them.", "RULES"),
    # Games.
    "--games": Word("How many games are played.", "N", "-g"),
    "--people": Word("Also games of people: a studio's file.", "FILE"),
    "--seats": Word("Agents, one for all seats or one for each.", "AGENT,…"),
    "--agent": Word("An agent that thinks or plays: mcts:500 …", "AGENT"),
    "--seed": Word("Seed of all chance: equal seeds, equal games.", "N", "-s"),
    "--decisions": Word("Leave a game after N decisions.", "N", rare=True),
    "--check": Word("Look at this at every decision of all games.", "WHAT", rare=True),
    # Work, and when it ends.
    "--time": Word("Stop after so many seconds.", "SECONDS", "-t"),
    "--until": Word("Stop as soon as this is known or found.", "AIM"),
    "--limit": Word("At most so many, spread over all of them.", "N"),
    "--positions": Word("Stop after so many positions.", "N", rare=True),
    "--rounds": Word("Learn so often, each time from the player before.", "N"),
    "--features": Word("Features of all kinds, or those that follow from rules alone.", "all|rules", rare=True),
    "--jobs": Word("Processes at once, or a Dask cluster's address.", "N|ADDRESS", "-j"),
    "--keep": Word("Keep what is played there, and go on with it.", "PLACE", rare=True),
    "--watch": Word("Again after each change of a file, until Ctrl-C.", letter="-w"),
    # The question.
    "--select": Word("Only these; several possible.", "WORD", "-k"),
    "--ignore": Word("Leave these out; errors are reported all the same.", "CODE", rare=True),
    "--accept": Word("A finding that is meant, by its key.", "KEY", rare=True),
    "--measure": Word("A measure or query; several possible.", "NAME", "-m"),
    "--aim": Word("Find values of --over with which this is so.", "MEASURE=VALUE"),
    "--over": Word("Parameters to vary: goal=8..12,start=0..5", "NAME=VALUES,…"),
    "--reach": Word("Games that use this rule, or break a property.", "RULE"),
    "--base": Word("Also the scenarios of the base with the variants."),
    "--depth": Word("Length of the sequences.", "N", "-d"),
    "--divide": Word("Also show the number for each first move."),
    "--unit": Word("A step is a move, or a decision.", "move|decision", rare=True),
    "--cfr": Word("Mixed strategies of a game with secrets, by CFR+."),
    "--game-theory": Word("What kind of game it is: sum, information, length."),
    # What becomes of it.
    "--format": Word("How to print it.", "FORM"),
    "--output": Word("Write this file: the kind is that of its ending.", "FILE", "-o"),
    "--paper": Word("Size of the paper.", "PAPER"),
    "--no-backs": Word("Sheets with fronts only."),
    "--ink-saving": Word("Outlines and tints instead of full colours."),
    "--fix": Word("Apply the fixes that do not change the rules."),
    "--pairs": Word("Also each two variants laid over each other, but those that exclude each other.", rare=True),
    "--unsafe-fixes": Word("With --fix or --diff: also fixes that may change the rules.", rare=True),
    "--diff": Word("Write nothing; print what would change."),
    "--strict": Word("Exit 1 for remarks, too.", rare=True),
    "--fail-under": Word("Exit 1 below this percentage.", "PERCENT"),
    "--seat": Word("The view of this seat; else that of everybody.", "NAME"),
    "--reveal": Word("Show what the rules keep hidden, too."),
    "--quote": Word("Quote the statements of the rulebook."),
    "--all": Word("All of it, also what is left out for brevity."),
    # The server of the studio.
    "--port": Word("Port; 0 takes any free one.", "N"),
    "--host": Word("Address to bind to.", "ADDRESS", rare=True),
    "--origin": Word("Origin of a proxy through which pages are reached.", "URL", rare=True),
    "--export-at": Word("Address of an export, to which links with variants lead.", "URL", rare=True),
    "--no-open": Word("Open no browser; only print the link."),
    # Of all commands, before or behind their name.
    "--engine": Word("What plays: auto, native or python; the results are equal.", "ENGINE", rare=True),
    "--passes": Word("Passes of the optimiser: all, none, names, or -names to leave out.", "LIST", rare=True),
    "--steps": Word("Steps that the rules may take for one answer; 1500000 otherwise.", "N", rare=True),
    "--version": Word("Print the version."),
}
"""All options of all commands."""


def named(name: str, *more: str, **settings: Any) -> Any:
    """The option of this name; `settings` are bounds and the like."""
    found = WORDS[name]
    letters = (found.letter,) if found.letter else ()
    settings.setdefault("hidden", found.rare)
    return typer.Option(name, *more, *letters, metavar=found.value or None, help=found.meaning, **settings)


_TIME, _OUTPUT, _KEEP = "it is called --time now", "it is called --output now", "it is called --keep now"
_SAVED = "a saved game is named behind the ruleset now: {command} RULESET FILE"
_GONE = "it is gone, as hardly anything needed it"

RETIRED: Mapping[str, Mapping[str, str]] = {
    "--deadline": {"": _TIME},
    "--seconds": {"": _TIME},
    "--budget": {"": "it is called --steps now", "solve": "write --time SECONDS or --positions N"},
    "--cluster": {"": "--jobs takes the address of a cluster, too: --jobs tcp://host:8786"},
    "--policy": {"": "it is called --seats now"},
    "--look": {"": "it is set in the file of an experiment now: look = 8"},
    "--noise": {"": "it is set in the file of an experiment now: noise = 10"},
    "--most": {"": "it is called --decisions now", "confirm": "it is called --limit now"},
    "--report": {"": _OUTPUT},
    "--svg": {"": "it is --output FILE.svg now"},
    "--csv": {"": "it is --output FOLDER now"},
    "--parquet": {"": "it is --output FOLDER.parquet now"},
    "--write": {"": "it is --output FILE.rules now"},
    "--save": {"": "it is --output FILE.rules now"},
    "--export": {"": _OUTPUT},
    "--keep": {"confirm": _OUTPUT},
    "--journal": {"": _KEEP},
    "--record": {"": _KEEP},
    "--corpus": {"": _KEEP},
    "--games": {"studio": _KEEP},
    "--after": {"": _SAVED},
    "--load": {"": _SAVED},
    "--replay": {"": "the game is named behind the ruleset now: {command} RULESET FILE"},
    "--game": {"": "write the number behind the file: games.jsonl:3"},
    "--from": {"": "it is called --scenario now"},
    "--with": {"": "it is called --agent now"},
    "--auto": {"": "it is --seats random now"},
    "--ask-forced": {"": _GONE},
    "--text": {"": "it is --format text now"},
    "--memory": {"": _GONE},
    "--timing": {"": _GONE},
    "--triples": {"": _GONE},
    "--aim": {"fuzz": "it is called --reach now"},
    "--positions": {"learn": _GONE},
    "--sensitivity": {"": "it is --over without --aim now"},
    "--samples": {"": "it is called --limit now"},
    "--variants": {"": "it is --variant all now"},
    "--first": {"": "it is --until found now"},
    "--keep-going": {"": "it is the default; --until found stops at the first finding"},
    "--check-invariants": {"": "it is --check invariants now"},
    "--no-check-invariants": {"": "it is --check nothing now"},
    "--check-views": {"": "it is --check views now"},
    "--only": {"": "it is called --select now"},
    "--operator": {"": "it is called --select now"},
    "--rule": {"": "it is called --select now"},
    "--sample": {"": "it is called --limit now"},
    "--survivors": {"": "it is called --all now"},
    "--fuzz": {"": "it is gone: --games 0 leaves out the fuzzer, too"},
    "--scenarios": {"": "the file is named with the rulesets now: {command} RULESET FILE"},
    "--cites": {"": "it is called --all now"},
    "--whole": {"": "it is called --all now"},
    "--words": {"": "it is called --quote now"},
    "--play": {"": "it is called --games now: {command} A B --games 20"},
    "--extends": {"": "it is `new edition NAME --of RULESET` now"},
    "--no-cache": {"": "set the variable RULEWRIGHT_CACHE to nothing instead: RULEWRIGHT_CACHE= {command} …"},
    "--dry-run": {"": "it is called --diff now"},
    "--check": {"fmt": "it is called --diff now"},
}
"""Names of the release before, and the answer to each; that of a command comes first. For one release only."""


def retired(command: str, name: str) -> str | None:
    """The answer to an option that a command may have had in the release before."""
    answers = RETIRED.get(name, {})
    answer = answers.get(command.rpartition(" ")[2], answers.get(""))
    return None if answer is None else f"no such option {name}: {answer.format(command=command)}"
