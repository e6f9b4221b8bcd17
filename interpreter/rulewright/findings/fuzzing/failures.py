"""Violations in a game, and the game in which they occurred."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from rulewright.diagnostics import Diagnostic

Kind = Literal["error", "invariant", "property", "leak", "endless", "copy"]
"""An error of the rules; a broken invariant or property; options that reveal what is hidden; a game that does not end;
copies, saves or replays that do not agree with the game itself, which would be a bug in Rulewright."""

KINDS: tuple[Kind, ...] = get_args(Kind)

Key = tuple[Kind, str]


class FuzzArgumentError(ValueError):
    """An argument of the fuzzer that makes no sense; the message is for people."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation. Two of the same kind and name count as one and the same."""

    kind: Kind
    name: str
    """Of what is broken: an invariant, a property, a rule, a decision; for an error its code and its rule."""
    told: str
    """One sentence."""
    cites: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """The key that identifies equal violations."""
        return self.kind, self.name

    @property
    def label(self) -> str:
        """The key as one word, by which a finding is accepted: ``error/RUN007/turn``."""
        return label_of(self.key)


def label_of(key: Key) -> str:
    """A key as one word."""
    kind, name = key
    return "/".join((kind, *name.split()))


def of_error(diagnostic: Diagnostic) -> Violation:
    """The trouble of an error of the rules; where it happened is part of its name, what was wrong with it is not."""
    where = diagnostic.message.rpartition("(in `")[2].rstrip("`)")
    name = f"{diagnostic.code} {where}".strip()
    return Violation("error", name, f"[{diagnostic.code}] {diagnostic.message}", diagnostic.cites)


@dataclass(frozen=True, slots=True)
class Setting:
    """The game that is played: the number of players, the variants and options."""

    players: int
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()

    @property
    def told(self) -> str:
        """For people: ``3 players, Long war, goal = 3``."""
        return ", ".join(self.parts)

    @property
    def parts(self) -> tuple[str, ...]:
        """All that makes it up, each for people."""
        many = "1 player" if self.players == 1 else f"{self.players} players"
        return (many, *self.variants, *(f"{n} = {v}" for n, v in self.options))

    def data(self) -> dict[str, Any]:
        """As JSON."""
        return {"players": self.players, "variants": list(self.variants), "options": dict(self.options)}


@dataclass(frozen=True, slots=True)
class Found:
    """A game that went wrong, as the numbers of the options that were taken; chance is answered like the players."""

    trouble: Violation
    setting: Setting
    numbers: tuple[int, ...]
    game: int = 0
    """In which whole game; none of them is 0: it is a kept game."""
    seed: int = 0
    """Of the run."""
    kept: Path | None = None
    """The file of the corpus with the game, if there is a corpus."""
    explored: bool = False
    """True if it was found in a seeded run, from the beginning or from a position that is known."""

    @property
    def where(self) -> str:
        """For people."""
        if self.explored:
            return f"a run of seed {self.seed}"
        return f"game {self.game} of seed {self.seed}" if self.game else "a kept game"
