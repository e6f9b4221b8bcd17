"""Planted faults: mutants of shipped rulesets, and how soon the fuzzer finds that something is wrong with them.

python tests/benchmarks/planted_faults.py --mutants 4 --seconds 10 baron domaine

Prints a line for each mutant that can be played: its name, what was found and after how many seconds of the search.
Most mutants break no invariant, property or rule: what counts is how many are found, compared between two versions or
two times.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Annotated

import typer

import rulewright as rw
from rulewright.compiler import sources
from rulewright.data.opening import opened
from rulewright.findings.mutation.baseline import Original
from rulewright.findings.mutation.mutants import sampled


def main(
    rulesets: Annotated[list[str], typer.Argument(help="Shipped rulesets.")],
    mutants: Annotated[int, typer.Option(help="So many of each.")] = 4,
    seconds: Annotated[float, typer.Option(help="The time for each.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Of the sample and of the fuzzer.")] = 0,
    players: Annotated[int, typer.Option(help="The number of players.")] = 2,
) -> None:
    """Look for what is wrong with some mutants."""
    found: list[float] = []
    tried = 0
    for name in rulesets:
        ruleset, _ = opened(name, ())
        for mutant in sampled(list(Original(ruleset).mutants), mutants, seed):
            changed = mutant.applied(ruleset)
            if any(finding.is_error for finding in sources(changed).findings):
                print(f"{name} {mutant.id}: refused by check", flush=True)
                continue
            tried += 1
            begun, told = time.monotonic(), list[tuple[str, float]]()

            def tell(one: object, begun: float = begun, told: list[tuple[str, float]] = told) -> None:
                if isinstance(one, rw.fuzzing.Found):
                    told.append((one.trouble.label, time.monotonic() - begun))

            try:
                options = rw.fuzzing.FuzzOptions(players=players, time=seconds, seed=seed, keep_going=False)
                rw.fuzzing.fuzz(changed, options, tell=tell)
            except rw.RulesetError as error:
                print(f"{name} {mutant.id}: {error.diagnostics[0].code}", flush=True)
                continue
            if told:
                found.append(told[0][1])
            print(f"{name} {mutant.id}: {f'{told[0][0]} after {told[0][1]:.1f} s' if told else 'nothing'}", flush=True)
    print(f"{len(found)} of {tried} found in {seconds:g} s each, half of these within {median(found or [0]):.1f} s")


if __name__ == "__main__":
    typer.run(main)
