"""Static checks of a ruleset: every player count, every variant, every scenario."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rulewright.compiler import Sources, compile_program, once, player_counts, sources
from rulewright.compiler.overlays.addresses import walk
from rulewright.compiler.scenarios.compile_cache import Budget, check_scenario, cited, compiled, forget_scenarios
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Edit, Fix, Severity, Span
from rulewright.diagnostics.anchored_spans import fixed
from rulewright.diagnostics.codes import group_of
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.findings.suppressions import settle
from rulewright.findings.text import linter
from rulewright.foundation import limits
from rulewright.host.api_arguments import invalid_argument, titles, truth
from rulewright.host.budgets import scope
from rulewright.ir.walk import AMPLE, deep_recursion
from rulewright.syntax import ast

_MEANT = re.compile(r"did you mean `([^`]+)`\?")
_SAID = re.compile(r"`([^`]+)`")


def respelt(found: Iterable[Diagnostic], ruleset: Ruleset) -> list[Diagnostic]:
    """The findings, those about a misspelt word in a rules file with a fix."""
    lines = {file.path: file.text.split("\n") for file in ruleset.files}
    return [_offered(finding, lines.get(finding.span.file, [])) for finding in found]


def _offered(finding: Diagnostic, lines: list[str]) -> Diagnostic:
    meant = _MEANT.fullmatch(finding.hint)
    span = finding.span
    if meant is None or finding.fix is not None or not 0 < span.line <= len(lines):
        return finding
    end = span.end_column - 1 if span.end_line == span.line else len(lines[span.line - 1])
    for word in _SAID.findall(finding.message):
        # A word that stands there twice could be either of them.
        spots = [*re.finditer(rf"(?<![\w.]){re.escape(word)}(?!\w)", lines[span.line - 1][span.column - 1 : end])]
        if len(spots) == 1:
            start = span.column + spots[0].start()
            where = Span(span.file, span.line, start, span.line, start + len(word))
            fix = Fix(f"replace with `{meant[1]}`", (Edit(where, meant[1]),), safe=False)
            return replace(finding, fix=fix)
    return finding


def check(
    ruleset: Ruleset,
    source: Sources | None = None,
    variants: Iterable[str] = (),
    also: Iterable[str] = (),
    pairs: bool = False,
) -> list[Diagnostic]:
    """All findings that are not suppressed, each once, in the order of files and lines.

    First what is wrong; if nothing is, what the linter finds. Who has collected the declarations already, and perhaps
    made games of them, gives them as `source`. `variants` are titles: the games with all of these, laid over each other
    in this order, are checked besides those with each variant alone; or with `pairs` those with each two of them, or of
    all variants if there are none, that do not exclude each other. `also` are groups of codes that are looked for only
    on request, such as ``PERF``.
    """
    if not isinstance(ruleset, Ruleset):
        raise invalid_argument("the ruleset", ruleset, "open it with `open_ruleset`")
    if source is not None and not isinstance(source, Sources):
        raise invalid_argument("the source", source, "it is what `sources` has collected of this ruleset")
    laid, groups = titles("the variants", variants), frozenset(titles("the groups of codes", also))
    truth("whether pairs are checked", pairs)
    source = source or sources(ruleset)
    found = [*ruleset.diagnostics, *source.findings]
    games: list[linter.Configuration] = []
    budget = Budget(source, limits.GAMES_EFFORT, "games (numbers of players, alone and with each variant)")
    # Rules that could not be read completely would only give consequences of the same mistakes.
    readable = not _failed(found)
    if readable:
        plain = _compile(source, (), games, budget)
        found += plain
        known = set(plain)
        alone = ((title,) for title in source.variants)
        two = tuple(_pairs(source, laid or tuple(source.variants))) if pairs else ()
        for chain in dict.fromkeys([*alone, *(two if pairs else (laid,))]):
            more = _compile(source, chain, [] if chain in two else games, budget) if chain else []
            # Without a game beneath it, a variant still has mistakes of its own.
            own = [source.variants[t] for t in chain if t in source.variants]
            found += _inside(more, own) if _failed(plain) else _because_of(own, more, known)
            known.update(more)
        readable = not _failed(plain)
    found += budget.diagnostics_so_far()
    found += _citations(ruleset)
    if readable:
        found += _scenarios(source, source.rules.scenarios)
    whole = not _failed(found)
    if whole:
        with deep_recursion(AMPLE):
            found += linter.run(linter.Subject(ruleset, source, tuple(games)), groups)
    return _presented(found, ruleset, whole, groups)


def _pairs(source: Sources, titles: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The variants two by two, but for those that exclude each other."""
    known = source.variants
    for one, other in combinations((title for title in titles if title in known), 2):
        if other not in known[one].excludes and one not in known[other].excludes:
            yield one, other


@dataclass(frozen=True, slots=True)
class VariantFindings:
    """The findings about files of variants that were taken into a ruleset."""

    own: tuple[Diagnostic, ...]
    """The findings in them."""
    caused: tuple[Diagnostic, ...] = ()
    """The errors that the ruleset has only with their variants."""
    beneath: tuple[Diagnostic, ...] = ()
    """The errors of the ruleset itself, because of which its variants cannot be checked."""

    @property
    def together(self) -> list[Diagnostic]:
        """All of them, in the order of files and lines."""
        return sorted((*self.own, *self.caused, *self.beneath), key=_order)


def check_variants(
    ruleset: Ruleset, files: Iterable[str], source: Sources | None = None, also: Iterable[str] = ()
) -> VariantFindings:
    """The findings of :func:`check` in some files of variants of a ruleset, and the errors it has because of them.

    Only the games with these variants are looked at, and of these what is not as it stands beneath: the rest is found
    where the ruleset itself is checked. `source` is collected of `ruleset.without_scenarios`.
    """
    whole, groups, wanted = ruleset, frozenset(also), frozenset(files)
    ruleset = whole.without_scenarios
    source = source or sources(ruleset)
    found = [*ruleset.diagnostics, *source.findings]
    games: list[linter.Configuration] = []
    budget = Budget(source, limits.GAMES_EFFORT, "games (numbers of players, with each variant)")
    beneath: list[Diagnostic] = []
    if not _failed(found):
        chosen = [variant for variant in source.variants.values() if variant.span.file in wanted]
        known: set[Diagnostic] | None = None
        for variant in chosen:
            more = _compile(source, (variant.title,), games, budget)
            if _failed(more):
                if known is None:
                    known = set(_compile(source, (), [], budget))
                    beneath = [d for d in known if d.is_error]
                more = _inside(more, [variant]) if beneath else _because_of([variant], more, known)
            found += more
        found += budget.diagnostics_so_far()
        found += _citations(ruleset, wanted)
        if not beneath:
            mine = [one for one in source.rules.scenarios if one.span.file in wanted]
            unread = any(isinstance(one.lines[0], ast.SFrom) for one in mine)  # they may begin from one beneath
            played = sources(whole) if unread else source
            found += _scenarios(played, [one for one in played.rules.scenarios if one.span.file in wanted])
    else:
        beneath = [d for d in found if d.is_error and d.span.file not in wanted]
    complete = not _failed(found)
    if complete:
        with deep_recursion(AMPLE):
            part = {count: linter.Part(wanted, rules) for count, rules in source.by_count.items()}
            parts = (replace(game, part=part.get(game.players)) for game in games)
            starts = (line for file in whole.files if file.holds_scenarios_alone for line in _STARTS.findall(file.text))
            started = frozenset(word for line in starts for word in _WORD.findall(line))
            found += linter.run(linter.Subject(ruleset, source, tuple(parts), wanted, started), groups)
    kept = [d for d in found if d.span.file in wanted or (d.is_error and d not in beneath)]
    there = wanted.union(d.span.file for d in kept)
    seen = replace(ruleset, files=tuple(file for file in ruleset.files if file.path in there))
    kept = _presented(kept, seen, complete, groups)
    own = tuple(d for d in kept if d.span.file in wanted)
    return VariantFindings(own, tuple(d for d in kept if d.is_error and d not in own), tuple(map(fixed, beneath)))


_STARTS = re.compile(r"^[ \t]+start\b(.*)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")


def findings_in_game(
    ruleset: Ruleset, players: int, variants: tuple[str, ...], groups: Iterable[str]
) -> list[Diagnostic]:
    """Findings of some groups of lint rules in one game, without a look at the others."""
    source, wanted = sources(ruleset), frozenset(groups)
    compiler, program, _ = compiled(source, players, variants, {})
    if compiler is None or program is None:
        return []
    subject = linter.Subject(ruleset, source, (linter.Configuration(players, variants, compiler, program),))
    rules = (rule for rule in linter.all_rules() if group_of(rule.code) in wanted)
    with deep_recursion(AMPLE):
        found = [finding for rule in rules for finding in linter.findings_of(rule, subject)]
    return [finding for finding in _presented(found, ruleset, whole=False) if group_of(finding.code) in wanted]


def first_look(
    ruleset: Ruleset, source: Sources | None = None, files: Container[str] | None = None
) -> list[Diagnostic]:
    """Findings about the files and one game, the one with the fewest players: what an editor shows at once.

    Of `files` of variants, those in them, by one game with each of their variants. All findings are among those of
    :func:`check`, but for what many findings leave out there.
    """
    source = source or sources(ruleset)
    found = [*ruleset.diagnostics, *source.findings]
    if not _failed(found):
        budget = Budget(source, limits.GAMES_EFFORT, "games")
        laid = [] if files is None else [one for one in source.variants.values() if one.span.file in files]
        for titles in [()] if files is None else [(one.title,) for one in laid]:
            found += _compile(source, titles, [], budget, player_counts(source.rules)[:1])
    found += _citations(ruleset, files)
    return _presented([d for d in found if files is None or d.span.file in files], ruleset, whole=False)


def _presented(
    found: list[Diagnostic], ruleset: Ruleset, whole: bool, also: frozenset[str] = frozenset()
) -> list[Diagnostic]:
    """Findings as they are reported: without those that are suppressed, each once, in order; `whole` if these are
    all."""
    kept = _within_reach(settle(dict.fromkeys(map(fixed, found)), ruleset, whole=whole, also=also), ruleset)
    return _few(_with_cites(dict.fromkeys(respelt(kept, ruleset)), ruleset), ruleset)


_OF_THE_FILE = frozenset(("VAR403", "DOC502", "DOC506"))
"""Findings that would be the same whatever ruleset extends the one whose file they are about."""


def _within_reach(found: Iterable[Diagnostic], ruleset: Ruleset) -> list[Diagnostic]:
    """Findings without those about files of a ruleset beneath, which are reported where that one is checked."""
    beneath: set[str] = set()
    base = ruleset.base
    while base is not None:
        beneath.update(file.path for file in base.files)
        base = base.base
    return [d for d in found if d.code not in _OF_THE_FILE or d.span.file not in beneath]


def _few(found: list[Diagnostic], ruleset: Ruleset) -> list[Diagnostic]:
    """As many findings as anybody reads, errors before all others, in their order; and how many there are besides."""
    most = limits.FINDINGS
    if len(found) <= most:
        return found
    errors = sum(d.is_error for d in found)
    room = max(0, most - errors)
    kept: list[Diagnostic] = []
    for d in found:
        if d.is_error and len(kept) < most:
            kept.append(d)
        elif not d.is_error and room:
            kept.append(d)
            room -= 1
    message = f"and {len(found) - len(kept):,} more findings; only {most:,} of a ruleset are reported"
    severity = Severity.ERROR if errors > most else Severity.WARNING
    return [*kept, Diagnostic("LIM003", message, Span(ruleset.path), severity)]


def _failed(found: list[Diagnostic]) -> bool:
    return any(d.is_error for d in found)


def _compile(
    source: Sources,
    titles: tuple[str, ...],
    games: list[linter.Configuration],
    budget: Budget,
    counts: Sequence[int] | None = None,
) -> list[Diagnostic]:
    """Make the games of all player counts, or of some; what is wrong with them."""
    counts = player_counts(source.rules) if counts is None else counts
    if not counts or any(title not in source.variants for title in titles):
        return compile_program(source, variants=titles)[1]
    wrong: list[Diagnostic] = []
    for count in counts:
        many = "1 player" if count == 1 else f"{count} players"
        name = " ".join([many, *(f"with {title}" for title in titles)])
        where = source.variants[titles[-1]].span if titles else source.rules.decls["players"].span
        if not budget.allows(name, where):
            continue
        scope().look()
        compiler, program, found = compiled(source, count, titles, {})
        budget.spend(program)
        wrong += once(found)
        if compiler is not None and program is not None:
            games.append(linter.Configuration(program.players, titles, compiler, program))
    return wrong


def _scenarios(source: Sources, scenarios: Iterable[ast.Scenario]) -> list[Diagnostic]:
    """Findings about some scenarios; each combination of variants and options is a game of its own."""
    budget = Budget(source, limits.SCENARIOS_EFFORT, "scenarios")
    found: list[Diagnostic] = []
    for scenario in scenarios:
        if not budget.allows(scenario.title, scenario.span):
            continue
        scope().look()
        before = len(source.compiled)
        program, wrong = check_scenario(source, scenario)
        if len(source.compiled) > before:
            budget.spend(program)
        found += wrong
    forget_scenarios(source)
    return [*found, *budget.diagnostics_so_far()]


def _inside(found: list[Diagnostic], clauses: Sequence[ast.Clause]) -> list[Diagnostic]:
    """The findings that are about something in some clauses."""
    lines = [max([clause.span.end_line, *(n.span.end_line for n in walk(clause))]) for clause in clauses]
    ends = [(clause.span.file, clause.span.line, last) for clause, last in zip(clauses, lines, strict=True)]
    return [d for d in found if any(d.span.file == file and low <= d.span.line <= high for file, low, high in ends)]


def _because_of(variants: Sequence[ast.Variant], found: list[Diagnostic], known: set[Diagnostic]) -> list[Diagnostic]:
    """Findings of a game with variants: those about other rules, which are right without, say which variants it has."""
    own = set(_inside(found, variants))
    titles = " and ".join(f'"{variant.title}"' for variant in variants)
    note = f"with the variant{'s' if len(variants) > 1 else ''} {titles}"
    return [d if d in own else replace(d, notes=(*d.notes, note)) for d in found if d not in known]


def _citations(ruleset: Ruleset, files: Container[str] | None = None) -> list[Diagnostic]:
    """Findings about citations, perhaps in some files alone."""
    if ruleset.rulebook is None:
        return []
    known = [s.id for s in ruleset.rulebook.statements]
    at: Ruleset | None = ruleset.base
    while at is not None:
        known += [s.id for s in at.rulebook.statements] if at.rulebook is not None else []
        at = at.base
    held = set(known)
    unknown = [(cite, clause) for cite, clause in cited(ruleset) if cite not in held]
    unknown = [(cite, clause) for cite, clause in unknown if files is None or clause.span.file in files]
    return [
        Diagnostic(
            "DOC501",
            f"the rulebook has no statement `{cite}`",
            clause.span,
            hint=did_you_mean(cite, known) if number < limits.GAME_FINDINGS else "",
        )
        for number, (cite, clause) in enumerate(unknown)
    ]


def _with_cites(found: dict[Diagnostic, None], ruleset: Ruleset) -> list[Diagnostic]:
    """Findings in order, each with the statements its line transcribes."""
    by_line: dict[tuple[str, int], tuple[str, ...]] = {}
    for _, clause in cited(ruleset):
        by_line.setdefault((clause.span.file, clause.span.line), clause.trivia.cites)
    made = []
    for d in found:
        if not d.cites and (cites := by_line.get((d.span.file, d.span.line))):
            d = Diagnostic(d.code, d.message, d.span, d.severity, d.hint, d.notes, cites, d.path, d.fix)
        made.append(d)
    return sorted(made, key=_order)


def _order(d: Diagnostic) -> tuple[object, ...]:
    severity = (Severity.ERROR, Severity.WARNING, Severity.INFO).index(d.severity)
    return d.span.file, d.span.line, d.span.column, severity, d.code, d.message
