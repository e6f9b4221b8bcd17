"""Changes of a variant or edition without which a scenario would not fail as it does.

Found by delta debugging (Zeller): the scenario is run with fewer and fewer of the changes, as long as it fails in the
same way. What is left is needed for the failure, each of it. So a change counts by what it does, whether it adds a
clause, takes a restriction away or sets a parameter; and a failure that two changes bring together names both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from rulewright.compiler import Sources, sources
from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.data.source_file import SourceFile
from rulewright.diagnostics import RulesetError
from rulewright.ir.scenario_plan import ScenarioPlan
from rulewright.play.scenarios.scenario_results import Cause, Failed, Failure, Over, ScenarioResult
from rulewright.play.scenarios.scenario_runner import Runner, run_scenario
from rulewright.syntax import ast

TRIES = 60
"""So often a scenario is run with some of the changes."""


def causes(
    ruleset: Ruleset,
    scenario: ast.Scenario,
    same: Callable[[Failure], bool],
    assertion: str = "",
    over: Callable[[], bool] = lambda: False,
) -> tuple[Cause, ...]:
    """The changes that a scenario needs to fail in the `same` way, those first that come into play last.

    Those of the variants that the scenario names are meant, and those of a ruleset that extends another. There are none
    if it fails without them, too; if they declare the `assertion` themselves; or if the time is `over` before.
    """
    titles = {line.title for line in scenario.lines if isinstance(line, ast.SVariant)}
    changes = list(_changes(ruleset, titles))
    if not changes or (assertion and any(_declares(clause, assertion) for _, clause in changes)):
        return ()
    search = _Search(ruleset, scenario, same, [clause for _, clause in changes], over)
    needed = search.needed()
    texts = {file.path: file.text.split("\n") for file in _files(ruleset)}
    return tuple(
        Cause(by, texts[clause.span.file][clause.span.line - 1].strip(), clause.span)
        for clause in needed
        for by, one in changes
        if one is clause
    )


def with_causes(ruleset: Ruleset, result: ScenarioResult) -> ScenarioResult:
    """A result with the changes that broke an invariant or property of the rules beneath, if that is how it failed."""
    failure = result.failure
    if failure is None or not failure.assertion:
        return result
    scenario = next((s for s in sources(ruleset).rules.scenarios if s.span == result.span), None)
    if scenario is None:
        return result
    return replace(result, failure=explained(ruleset, scenario, failure))


def explained(ruleset: Ruleset, scenario: ast.Scenario, failure: Failure) -> Failure:
    """A failure in a scenario with the changes that broke an invariant or property, if one is broken."""
    name = failure.assertion
    found = causes(ruleset, scenario, lambda other: other.assertion == name, name) if name else ()
    return replace(failure, causes=found)


class _Search:
    """Runs a scenario with some of the changes."""

    def __init__(
        self,
        ruleset: Ruleset,
        scenario: ast.Scenario,
        same: Callable[[Failure], bool],
        changes: Sequence[ast.Clause],
        over: Callable[[], bool],
    ) -> None:
        self.ruleset, self.scenario, self.same, self.over = ruleset, scenario, same, over
        self.changes = list(changes)
        self.tries = 0
        self.before: Sources | None = None

    def needed(self) -> list[ast.Clause]:
        """The changes that are needed, those first without which it is for longest as it was with them."""
        if self._fails([]) or not self._fails(self.changes):
            return []
        kept, size, before = self.changes, len(self.changes), list[ast.Clause]()
        while size > 1 or kept != before:
            size, before = max(1, size // 2), kept
            at = 0
            while at < len(kept) > size:
                if self.tries >= TRIES or self.over():
                    return []
                left = kept[:at] + kept[at + size :]
                if self._fails(left):
                    kept = left
                else:
                    at += size
        if len(kept) == 1:
            return kept
        whole = self._course(kept)
        return sorted(kept, key=lambda one: -_common(whole, self._course([c for c in kept if c is not one])))

    def _fails(self, kept: Sequence[ast.Clause]) -> bool:
        """True if it fails in the same way with some of the changes."""
        self.tries += 1
        plan = self._planned(kept)
        failure = run_scenario(plan).failure if plan is not None else None
        return failure is not None and self.same(failure)

    def _planned(self, kept: Sequence[ast.Clause]) -> ScenarioPlan | None:
        """The scenario with some of the changes; None if it makes no sense with them."""
        dropped = {id(clause) for clause in self.changes}.difference(map(id, kept))
        self.before = source = sources(_reduced(self.ruleset, dropped), self.before)
        if any(finding.is_error for finding in source.findings):
            return None
        with suppress(RulesetError):
            return plan_scenario(source, self.scenario)[0]
        return None

    def _course(self, kept: Sequence[ast.Clause]) -> list[object]:
        """All that is to be seen after each line, as far as it goes."""
        plan = self._planned(kept)
        seen: list[object] = []
        if plan is None:
            return seen
        with suppress(Failed, Over, RulesetError):
            runner = Runner(plan)
            for line in plan.steps:
                runner.run(line)
                seen.append(runner.stage.here.view(None))
        return seen


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    """The number of lines after which both were alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# ----------------------------------------------------------------------------------------------- rulesets


def _files(ruleset: Ruleset) -> Iterator[SourceFile]:
    yield from ruleset.files
    if ruleset.base is not None:
        yield from _files(ruleset.base)


def _changes(ruleset: Ruleset, titles: set[str]) -> Iterator[tuple[str, ast.Clause]]:
    """The changes of some variants, and of a ruleset that extends another, each with whose it is."""
    for file in _files(ruleset):
        for decl in file.file.decls:
            if isinstance(decl, ast.Variant) and decl.title in titles:
                yield from ((f'variant "{decl.title}"', op) for op in decl.ops if not isinstance(op, ast.UnchangedOp))
    if ruleset.base is not None:
        for file in ruleset.files:
            for decl in file.file.decls:
                if not isinstance(decl, _NO_CHANGES):
                    yield ruleset.title, decl


_NO_CHANGES = (ast.Variant, ast.Scenario, ast.Game, ast.Players, ast.UnchangedOp)


def _declares(clause: ast.Clause, name: str) -> bool:
    """True if a change declares something of this name anew."""
    decl = clause.decl if isinstance(clause, ast.AddDeclOp | ast.ReplaceDeclOp) else clause
    return isinstance(decl, ast.Decl) and name_of(decl) == name


def _reduced(ruleset: Ruleset, dropped: set[int]) -> Ruleset:
    """The ruleset without some changes."""
    files = tuple(_reduced_file(file, dropped) for file in ruleset.files)
    base = _reduced(ruleset.base, dropped) if ruleset.base is not None else None
    return replace(ruleset, files=files, base=base)


def _reduced_file(file: SourceFile, dropped: set[int]) -> SourceFile:
    decls: list[ast.Decl | ast.Change] = []
    for decl in file.file.decls:
        if isinstance(decl, ast.Variant) and any(id(op) in dropped for op in decl.ops):
            decls.append(replace(decl, ops=tuple(op for op in decl.ops if id(op) not in dropped)))
        elif id(decl) not in dropped:
            decls.append(decl)
    return file.with_tree(replace(file.file, decls=tuple(decls)))
