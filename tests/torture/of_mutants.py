"""The mutants of the shipped games, played: rules that are right and mean something else."""

from __future__ import annotations

import random

import seeds
from kinds import Kind, Outcome, refused
from of_rules import played
from seeds import Pool
from shipped_games import game

import rulewright as rw
from rulewright.compiler import player_counts, sources
from rulewright.findings.mutation.mutants import Mutant, mutants


class Mutants(Kind):
    """Mutants."""

    name = "mutants"
    about = "mutants of the shipped games are played at random"
    unit = "decisions"
    weight = 2

    def __init__(self) -> None:
        self.rulesets: Pool[tuple[rw.Ruleset, list[Mutant]]]

    def prepare(self) -> None:
        """Make all mutants."""
        found: list[tuple[rw.Ruleset, list[Mutant]]] = []
        for folder in rw.shipped_rulesets():
            if self.small and folder.name not in seeds.SMALL_GAMES:
                continue
            ruleset = rw.open_ruleset(folder)
            made = list(mutants(ruleset, [game(folder.name).program]))
            found.append((ruleset, made))
        self.rulesets = Pool(found, lambda one: sum(len(file.text) for file in one[0].files))

    def make(self, rng: random.Random) -> tuple[rw.Ruleset, Mutant, int]:
        """One of them, and a seed for the game."""
        ruleset, made = self.rulesets.pick(rng)
        return ruleset, rng.choice(made), rng.randrange(2**32)

    def attempt(self, made: tuple[rw.Ruleset, Mutant, int]) -> Outcome:
        """Load and play."""
        ruleset, mutant, seed = made
        rng = random.Random(seed)
        try:
            changed = mutant.applied(ruleset)
            loaded = rw.load(changed, rng.choice(player_counts(sources(changed).rules)))
        except rw.RulesetError as error:
            return refused([d.code for d in error.diagnostics])
        return played(loaded, rng)

    def told(self, made: tuple[rw.Ruleset, Mutant, int]) -> str:
        """The change that was made."""
        ruleset, mutant, seed = made
        return f"{ruleset.name} {mutant.id}, seed {seed}\n- {mutant.before}\n+ {mutant.after}"
