"""Everything that can be said about a ruleset without playing it: every player count, every variant, every scenario."""

from __future__ import annotations

from rulewright import lint
from rulewright.analysis import Sources, compile_program, once, player_counts, sources
from rulewright.analysis.checking import cited, compiled, plan_scenario
from rulewright.analysis.labels import walk
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Severity
from rulewright.lint.respelling import respelt
from rulewright.lint.suppress import settle
from rulewright.spelling import did_you_mean


def check(ruleset: Ruleset, source: Sources | None = None) -> list[Diagnostic]:
    """All findings that are not suppressed, each once, in the order of files and lines.

    First what is wrong; if nothing is, what the linter finds. Who has collected the declarations already, and perhaps
    made games of them, gives them as `source`.
    """
    found = list(ruleset.diagnostics)
    source = source or sources(ruleset)
    found += source.findings
    games: list[lint.Playing] = []
    # Rules that could not be read completely would only give consequences of the same mistakes.
    if not _failed(found):
        found += _compile(source, (), games)
        if not _failed(found):
            for title in source.variants:
                found += _compile(source, (title,), games)
    found += _citations(ruleset)
    if not _failed(found):
        for scenario in source.rules.scenarios:
            found += plan_scenario(source, scenario)[1]
    whole = not _failed(found)
    if whole:
        found += lint.run(lint.Subject(ruleset, source, tuple(games)))
    kept = settle(dict.fromkeys(found), ruleset, whole=whole)
    return _with_cites(dict.fromkeys(respelt(kept, ruleset)), ruleset)


def _failed(found: list[Diagnostic]) -> bool:
    return any(d.is_error for d in found)


def _compile(source: Sources, titles: tuple[str, ...], games: list[lint.Playing]) -> list[Diagnostic]:
    """Make the games of all player counts; what is wrong with them."""
    counts = player_counts(source.rules)
    if not counts:
        return compile_program(source)[1]
    wrong: list[Diagnostic] = []
    for count in counts:
        compiler, program, found = compiled(source, count, titles, {})
        wrong += once(found)
        if compiler is not None and program is not None:
            games.append(lint.Playing(program.players, titles, compiler, program))
    return wrong


def _citations(ruleset: Ruleset) -> list[Diagnostic]:
    if ruleset.rulebook is None:
        return []
    known = [s.id for s in ruleset.rulebook.statements]
    at: Ruleset | None = ruleset.base
    while at is not None:
        known += [s.id for s in at.rulebook.statements] if at.rulebook is not None else []
        at = at.base
    held = set(known)
    return [
        Diagnostic(
            "DOC501",
            f"the rulebook has no statement `{cite}`",
            clause.span,
            hint=did_you_mean(cite, known),
        )
        for cite, clause in cited(ruleset)
        if cite not in held
    ]


def _with_cites(found: dict[Diagnostic, None], ruleset: Ruleset) -> list[Diagnostic]:
    """Findings in order, each with the statements its line transcribes."""
    by_line: dict[tuple[str, int], tuple[str, ...]] = {}
    for file in ruleset.files:
        for decl in file.file.decls:
            for clause in (decl, *walk(decl)):
                if clause.trivia.cites:
                    by_line.setdefault((clause.span.file, clause.span.line), clause.trivia.cites)
    made = []
    for d in found:
        if not d.cites and (cites := by_line.get((d.span.file, d.span.line))):
            d = Diagnostic(d.code, d.message, d.span, d.severity, d.hint, d.notes, cites, d.path, d.fix)
        made.append(d)
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}
    return sorted(made, key=lambda d: (d.span.file, d.span.line, d.span.column, order[d.severity], d.code))
