"""A variant against the rules beneath it: only what these do not show themselves is reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rulewright.compiler import sources
from rulewright.data.opening import opened
from rulewright.data.ruleset import Ruleset
from rulewright.findings.fuzzing.fuzz_options import FuzzOptions
from rulewright.findings.fuzzing.fuzz_report import Base, FuzzReport
from rulewright.findings.fuzzing.fuzzer import Progress, Tell, fuzz
from rulewright.syntax import ast

SHARE = 0.4
"""So much of the time is for the base: what it shows need not be shrunk."""


def fuzz_against(
    ruleset: str | Path | Ruleset,
    base: str | Path | Ruleset,
    options: FuzzOptions,
    *,
    progress: Progress | None = None,
    tell: Tell | None = None,
) -> FuzzReport:
    """Like :func:`fuzz`, but what games of the `base` show with the same options is not reported again.

    :attr:`FuzzReport.base` lists that, and which of the base's own invariants and properties are broken now.
    """
    under, _ = opened(base, ())
    own = {decl.name for decl in sources(under).rules.decls.values() if isinstance(decl, ast.Parameter)}
    seconds = options.seconds
    plain = replace(
        options,
        variants=(),
        options={name: value for name, value in (options.options or {}).items() if name in own},
        time=None if seconds is None else seconds * SHARE,
        corpus=None,
        keep_going=True,
        replay=None,
    )
    before = fuzz(under, plain, progress=progress)
    if before.interrupted:
        return before
    accept = (*options.accept, *before.seen)
    time = None if seconds is None else seconds * (1 - SHARE)
    found = fuzz(ruleset, replace(options, accept=accept, time=time), progress=progress, tell=tell)
    broken = [story.trouble.name for story in found.stories if story.trouble.name in before.assertions]
    found.base = Base(before.title, before.games, tuple(before.seen), tuple(broken))
    found.accepted = {key: times for key, times in found.accepted.items() if key not in before.seen}
    return found
