"""The run: mutants are made, drawn and judged, in one process or several."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from rulewright.data.opening import opened
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.findings.mutation.baseline import Original
from rulewright.findings.mutation.kill_check import Judge
from rulewright.findings.mutation.mutants import OPERATORS, Mutant, sampled
from rulewright.findings.mutation.mutation_report import MutantStatus, MutationReport
from rulewright.host.workers import Jobs, map_in_order

GAMES = 2
"""Random games of each setting."""

FUZZ = 1
"""Whole games of each setting that the fuzzer plays."""


@dataclass(frozen=True, slots=True)
class MutationOptions:
    """Options for which mutants are made and how they are judged; see :func:`mutate`."""

    operators: Sequence[str] = ()
    """Only of these names."""
    rules: Sequence[str] = ()
    """Only in these declarations or addresses (``turn.too_dear``)."""
    variants: Sequence[str] = ()
    """Titles or files of variants: games are played with all of these, and not as printed or with others."""
    sample: int | None = None
    """Only this many, spread over operators and rules."""
    seed: int = 0
    games: int = GAMES
    """Random games of each mutant, for each number of players."""
    fuzz: int = FUZZ
    """Whole games in which the fuzzer looks at a mutant that nothing else has found; machine code explores before each
    of them."""
    time: float | None = None
    """Seconds after which no further mutant is begun."""
    jobs: Jobs = 1
    """The workers that judge mutants at the same time."""


def mutate(
    ruleset: str | Path | Ruleset,
    options: MutationOptions = MutationOptions(),
    *,
    progress: Callable[[MutationReport], None] | None = None,
) -> MutationReport:
    """Make small changes in the rules of a ruleset, one at a time, and see which its own tests find.

    Each mutant is looked at by `check`, by the scenarios, by the invariants and properties in a few seeded `games` of
    each number of players (and one in which the seats try to lead by the query ``score``, if there is one), and by the
    fuzzer in this many whole games (`fuzz`); the first that finds it wins. A change after which the same game is played
    is distinguished: known to be equivalent, or just not seen to make a difference.

    A `sample` is drawn with the `seed`. The same seed gives the same report for any number of `jobs`, as long as the
    `time` suffices. `progress` gets the report so far.

    RulesetError if the ruleset has errors, if one of its scenarios fails, or if nothing is called so.
    """
    found, titles = opened(ruleset, options.variants)
    until = clock.monotonic() + options.time if options.time is not None else None
    original = Original(found, titles if options.variants else ())
    original.prove()
    made = _chosen(original.mutants, options.operators, options.rules)
    drawn = sampled(made, options.sample, options.seed)
    title = ", ".join((found.title, *original.titles))
    report = MutationReport(found.name, title, options.seed, options.games, len(made), len(drawn))
    judge = Judge(original, options.seed, options.games, options.fuzz)
    with closing(_judged(judge, drawn, until, options.jobs)) as verdicts:
        for verdict in verdicts:
            report.verdicts.append(verdict)
            if progress is not None:
                progress(report)
    return report


def _chosen(mutants: Sequence[Mutant], operators: Sequence[str], rules: Sequence[str]) -> list[Mutant]:
    for name in operators:
        if name not in OPERATORS:
            hint = did_you_mean(name, OPERATORS) or f"there is {listing(OPERATORS)}"
            raise RulesetError(Diagnostic("MUT002", f"there is no operator `{name}`", hint=hint))
    known = dict.fromkeys(rule for mutant in mutants for rule in (mutant.rule, mutant.name))
    for name in rules:
        if name not in known:
            hint = did_you_mean(name, [*known, *OPERATORS])  # one option takes the names of both
            raise RulesetError(Diagnostic("MUT002", f"nothing can be changed in a rule `{name}`", hint=hint))
    some = [mutant for mutant in mutants if not operators or mutant.operator in operators]
    return [mutant for mutant in some if not rules or mutant.rule in rules or mutant.name in rules]


def _judged(
    judge: Judge, drawn: Sequence[Mutant], until: float | None, jobs: Jobs
) -> Generator[MutantStatus, None, None]:
    """The verdicts in the order of the mutants."""
    left = iter(drawn)

    def task() -> Mutant | None:
        late = until is not None and clock.monotonic() >= until
        return None if late else next(left, None)

    with closing(map_in_order(_Judging(judge), task, jobs, f"mutants of {judge.original.ruleset.name}")) as verdicts:
        for _, verdict in verdicts:
            yield verdict


class _Judging:
    """Judges mutants. It can be sent to other processes: the games of the original are played anew there."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def __call__(self, mutant: Mutant) -> MutantStatus:
        """The verdict on a mutant."""
        return self._judge.judge(mutant)

    def __reduce__(self) -> tuple[Callable[..., _Judging], tuple[Ruleset, tuple[str, ...], int, int, int]]:
        judge = self._judge
        return _judging, (judge.original.ruleset, judge.original.titles, judge.seed, judge.games, judge.fuzz)


def _judging(ruleset: Ruleset, titles: tuple[str, ...], seed: int, games: int, fuzz: int) -> _Judging:
    return _Judging(Judge(Original(ruleset, titles), seed, games, fuzz))
