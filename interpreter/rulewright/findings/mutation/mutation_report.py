"""The status of one mutant, and the report on all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from rulewright.findings.mutation.mutants import Mutant

Outcome = Literal["caught", "survived", "unchanged", "equivalent"]
"""Caught; not caught although play was another one; not caught, but all games went as without the change, too; the
same game."""

Stage = Literal["errors", "scenarios", "check", "games", "fuzzer"]
"""By what a mutant was caught, in the order in which they look; `errors`: it is no game at all."""

STAGES: tuple[Stage, ...] = ("errors", "scenarios", "check", "games", "fuzzer")
PLAYED: tuple[Stage, ...] = ("scenarios", "games", "fuzzer")


@dataclass(frozen=True, slots=True)
class MutantStatus:
    """The status of one mutant."""

    mutant: Mutant
    outcome: Outcome
    stage: Stage | None = None
    """By what it was caught."""
    told: str = ""
    """The message of what found it."""
    seconds: tuple[tuple[str, float], ...] = ()
    """The time that each stage took."""


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of some mutants."""

    name: str
    caught: dict[Stage, int]
    survived: int
    unchanged: int
    equivalent: int

    @property
    def all(self) -> int:
        """The number of mutants that were judged."""
        return sum(self.caught.values()) + self.survived + self.unchanged + self.equivalent

    @property
    def score(self) -> float | None:
        """The share of those caught among those that change the game; None if there are none."""
        return _share(sum(self.caught.values()), self.survived)

    @property
    def played_score(self) -> float | None:
        """The share of those found by playing among all that can be played: findings of `check` alone are not
        counted."""
        played = sum(self.caught[stage] for stage in PLAYED)
        return _share(played, self.survived + self.caught["check"])


def _share(caught: int, survived: int) -> float | None:
    return caught / (caught + survived) if caught + survived else None


def row(name: str, verdicts: Iterable[MutantStatus]) -> Row:
    """The figures of some verdicts."""
    some = list(verdicts)
    caught = {stage: sum(v.stage == stage for v in some) for stage in STAGES}
    others = [sum(v.outcome == outcome for v in some) for outcome in ("survived", "unchanged", "equivalent")]
    return Row(name, caught, *others)


@dataclass(slots=True)
class MutationReport:
    """The share of small changes of its rules that the tests of a ruleset find."""

    ruleset: str
    title: str
    seed: int
    games: int
    """Random games of each mutant, for each number of players."""
    possible: int
    """The number of mutants that there are."""
    wanted: int
    """The number of them that were to be judged."""
    verdicts: list[MutantStatus] = field(default_factory=list)
    """In the order in which they were drawn."""

    @property
    def total(self) -> Row:
        """The figures of all."""
        return row("all", self.verdicts)

    @property
    def rows(self) -> list[Row]:
        """The figures of each operator, by name."""
        groups: dict[str, list[MutantStatus]] = {}
        for verdict in self.verdicts:
            groups.setdefault(verdict.mutant.operator, []).append(verdict)
        return [row(key, groups[key]) for key in sorted(groups)]

    @property
    def score(self) -> float | None:
        """The mutation score, from 0 to 1: caught among those that are another game; None if none is."""
        return self.total.score

    @property
    def survivors(self) -> list[MutantStatus]:
        """Mutants that change play and that nothing catches, in the order of files and lines."""
        return self.of("survived")

    def of(self, outcome: Outcome) -> list[MutantStatus]:
        """The verdicts of one outcome, in the order of files and lines."""
        some = [v for v in self.verdicts if v.outcome == outcome]
        return sorted(some, key=lambda v: (v.mutant.span, v.mutant.id))

    @property
    def seconds(self) -> dict[str, float]:
        """The time that each stage took in all."""
        found: dict[str, float] = {}
        for verdict in self.verdicts:
            for stage, time in verdict.seconds:
                found[stage] = found.get(stage, 0.0) + time
        return found

    def data(self) -> dict[str, Any]:
        """All of it as JSON, without times; see ``schemas/mutation-report.schema.json``."""
        return {
            "ruleset": self.ruleset,
            "title": self.title,
            "seed": self.seed,
            "games": self.games,
            "possible": self.possible,
            "wanted": self.wanted,
            **_row(self.total),
            "operators": [{"operator": one.name, **_row(one)} for one in self.rows],
            "mutants": [_verdict(one) for one in self.verdicts],
        }


def _row(one: Row) -> dict[str, Any]:
    return {
        "judged": one.all,
        "caught": dict(one.caught),
        "survived": one.survived,
        "unchanged": one.unchanged,
        "equivalent": one.equivalent,
        "score": _rounded(one.score),
        "played_score": _rounded(one.played_score),
    }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def _verdict(verdict: MutantStatus) -> dict[str, Any]:
    mutant = verdict.mutant
    return {
        "id": mutant.id,
        "operator": mutant.operator,
        "rule": mutant.rule,
        "file": mutant.span.file,
        "line": mutant.span.line,
        "cites": list(mutant.cites),
        "before": mutant.before,
        "after": mutant.after,
        "outcome": verdict.outcome,
        "stage": verdict.stage,
        "told": verdict.told,
    }
