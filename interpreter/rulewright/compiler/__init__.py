"""From a ruleset's syntax trees to the program of one game, and what is wrong on the way."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import field

from rulewright.compiler.declaration_diff import DeclarationDiff
from rulewright.compiler.driver import Compiler
from rulewright.compiler.incremental_linking import relink
from rulewright.compiler.lowering.sharing import UnitCache
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.overlays.layers import check_players, collect, for_game, player_counts, unfit
from rulewright.compiler.overlays.name_conflicts import find_name_conflicts
from rulewright.compiler.size_limits import too_large
from rulewright.compiler.tree_walk import nodes
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Enough, Report, RulesetError, Severity, Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation import limits
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.walk import AMPLE, deep_recursion
from rulewright.syntax import ast, names, parse_expression, print_expr

OptionValue = str | int | bool

__all__ = [
    "Compiled", "OptionValue", "Planned", "Sources", "compile_program", "count_for", "named_variants", "nodes", "once",
    "player_counts", "sources", "variants_titled",
]  # fmt: skip


Compiled = tuple[Compiler | None, m.Program | None, list[Diagnostic]]
"""The compiler of a game, the program, and what is wrong; neither of the two if the rules are nested too deeply."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A scenario that fits its game, and what it was planned with."""

    scenario: ast.Scenario
    compiler: Compiler
    answers: int
    """The changes of what scenarios can name that its game had gone through."""
    found: tuple[Diagnostic, ...]


@dataclass(slots=True)
class Sources:
    """All declarations of a ruleset (and of the one it extends), before player counts and variants are laid over."""

    ruleset: Ruleset
    rules: Rules
    findings: tuple[Diagnostic, ...]
    compiled: dict[Hashable, Compiled] = field(default_factory=dict)
    """Games that were requested, by players, variants and options."""
    earlier: dict[Hashable, Compiled] = field(default_factory=dict)
    """Compiled programs of the ruleset before an edit, which had no errors, by key."""
    diff: DeclarationDiff = field(default_factory=DeclarationDiff)
    """The declarations of that ruleset and of this one."""
    planned: dict[int, Planned] = field(default_factory=dict)
    """Scenarios in which nothing is wrong, by identity."""
    by_count: dict[int, Rules] = field(default_factory=dict)
    """The declarations for each number of players, without variants."""
    games: dict[tuple[int, tuple[str, ...]], Rules] = field(default_factory=dict)
    """The declarations for each number of players and chain of variants in which nothing is wrong."""
    units: UnitCache = field(default_factory=UnitCache)
    """Units that the games of a ruleset have in common."""
    unfit: dict[str, str] = field(default_factory=dict)
    """Variants of the ruleset it extends that cannot be laid over this one, and why."""

    @property
    def variants(self) -> dict[str, ast.Variant]:
        """Published variants by title."""
        return {v.title: v for v in self.rules.variants}


def sources(ruleset: Ruleset, before: Sources | None = None) -> Sources:
    """Collect a ruleset's declarations.

    `before` is the same ruleset with the same data files, but perhaps other rules; it must not be used any more.
    """
    made = _collected(ruleset)
    if before is not None:
        made.units, made.planned = before.units, before.planned
        made.earlier = before.earlier | {key: one for key, one in before.compiled.items() if not one[2]}
    return made


def _collected(ruleset: Ruleset) -> Sources:
    report = Report(most=limits.GAME_FINDINGS)
    chain: list[Ruleset] = []
    at: Ruleset | None = ruleset
    while at is not None:
        chain.insert(0, at)
        at = at.base
    beyond = too_large(chain)
    if beyond:
        return Sources(ruleset, Rules(report), tuple(beyond))
    rules = Rules(report)
    try:
        rules = collect(chain, report)
        check_players(rules, report)
        find_name_conflicts(rules, [r.name for r in chain], report)
    except Enough:
        report.found.append(_more(ruleset))
    dropped = _drop_unfit(rules, {file.path for file in ruleset.files}) if ruleset.base and not report.failed else {}
    return Sources(ruleset, rules, tuple(report.found), unfit=dropped)


def _drop_unfit(rules: Rules, own: set[str]) -> dict[str, str]:
    """Leave out variants of the ruleset beneath that do not fit any more; their titles, and why."""
    counts = player_counts(rules)
    found = {v.title: unfit(rules, counts, v) for v in rules.variants if v.span.file not in own}
    rules.variants = [v for v in rules.variants if not found.get(v.title)]
    return {title: why for title, why in found.items() if why}


def compile_program(
    source: Sources,
    players: int | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, OptionValue] | None = None,
) -> tuple[m.Program | None, list[Diagnostic]]:
    """The program for a number of players (default: the least), a chain of variants and some options.

    Findings come with it; there is no program if one of them is an error.
    """
    report = Report(most=limits.GAME_FINDINGS)
    count, chosen, given = choices(source, players, variants, options, report)
    if report.failed:
        return None, report.found
    compiler, program = compile_rules(source, count, chosen, given, report)
    if compiler is not None:
        for name in compiler.declarations.options:
            report.error("VAR405", f"there is no parameter `{name}`", hint=did_you_mean(name, compiler.world.params))
    return (None if report.failed else program), once(report.found)


def choices(
    source: Sources,
    players: int | None,
    variants: Iterable[str],
    options: Mapping[str, OptionValue] | None,
    report: Report,
) -> tuple[int, list[ast.Variant], dict[str, ast.Expr]]:
    """Look up what selects a game: the number of players, the variants and the values of options."""
    chosen = variants_titled(source, tuple(variants), report)
    count = count_for(source, players, report)
    written = {name: _option(name, value, report) for name, value in (options or {}).items()}
    return count, chosen, {n: e for n, e in written.items() if e is not None}


def compile_rules(
    source: Sources,
    count: int,
    variants: list[ast.Variant],
    options: dict[str, ast.Expr],
    report: Report,
    linked: bool = True,
) -> tuple[Compiler | None, m.Program | None]:
    """The compiler of a game and what it makes, without functions if it need not be `linked`; neither, if the rules are
    nested too deeply."""
    try:
        with deep_recursion(AMPLE):
            rules = _rules_of_game(source, count, variants, report)
            compiler = Compiler(source.ruleset, rules, count, options, report, source.units)
            return compiler, compiler.compile(tuple(v.title for v in variants), linked)
    except Enough:
        report.found.append(_more(source.ruleset))
        return None, None
    except RecursionError:
        report.error("SYN004", "these rules depend on each other in too long a chain", Span(source.ruleset.path))
        return None, None


def _rules_of_game(source: Sources, count: int, variants: list[ast.Variant], report: Report) -> Rules:
    """The declarations of a game; games that differ in options alone have the same."""
    key = count, tuple(variant.title for variant in variants)
    if key not in source.games:
        before = len(report.found)
        made = for_game(source.rules, count, variants, report, source.by_count)
        if len(report.found) > before:
            return made
        source.games[key] = made
    return source.games[key]


def relinked_rules(source: Sources, earlier: Compiled, count: int, variants: list[ast.Variant]) -> Compiled | None:
    """A game as it is now, from what it was before an edit; None if it has to be compiled anew.

    If something is wrong with it, `earlier` is still the game before the edit.
    """
    compiler, program, _ = earlier
    report = Report(most=limits.GAME_FINDINGS)
    if compiler is None or program is None:
        return None
    try:
        with deep_recursion(AMPLE):
            rules = _rules_of_game(source, count, variants, report)
            made = None if report.found else relink(compiler, program, source.ruleset, rules, source.diff)
    except (Enough, RecursionError):
        return None
    if made is None:
        return None
    now, found = made
    return (None if found else compiler), now, found


def _more(ruleset: Ruleset) -> Diagnostic:
    """The diagnostic that stands for all those that are not reported any more."""
    most = limits.GAME_FINDINGS
    return Diagnostic("LIM003", f"after {most} errors the rest is not checked", Span(ruleset.path))


def once(found: list[Diagnostic]) -> list[Diagnostic]:
    """Findings without those that say the same of the same line again."""
    kept: dict[tuple[object, ...], Diagnostic] = {}
    for d in found:
        where = (d.span.file, d.span.line) if d.span.line else (d.path,)
        kept.setdefault((d.code, d.message, where), d)
    return list(kept.values())


def count_for(source: Sources, players: int | None, report: Report) -> int:
    """The number of players of a game: the smallest, if none is given. One that cannot be is reported."""
    counts = player_counts(source.rules)
    if not counts:
        game = source.rules.decls.get("game")
        span = game.span if game is not None else Span(source.ruleset.path)
        report.error("CTL102", "the ruleset does not say how many players it is for", span, hint="add `players 2 to 4`")
        return 2
    count = counts[0] if players is None else players
    if count not in counts:
        count_text = f"{count}" if abs(count) < 1000 else "so many"
        many = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        report.error("VAR406", f"{source.ruleset.title} is played by {many} players, not by {count_text}")
    return count


def variants_titled(source: Sources, titles: Iterable[str], report: Report) -> list[ast.Variant]:
    """The variants of these titles. Those that do not exist are reported."""
    known = source.variants
    found = []
    for title in titles:
        if title not in known:
            hint = did_you_mean(title, known) or (f"there is {listing(known)}" if known else "it has none")
            if title in source.unfit:
                hint = f"it belongs to the extended ruleset, and does not fit here: {source.unfit[title]}"
            report.error("VAR407", f"there is no variant `{title}` of {source.ruleset.title}", hint=hint)
        else:
            found.append(known[title])
    return found


def named_variants(source: Sources, titles: Iterable[str]) -> list[ast.Variant]:
    """The variants of these titles; RulesetError if one of them does not exist."""
    report = Report()
    found = variants_titled(source, titles, report)
    report.stop_if_failed()
    return found


def _option(name: str, value: OptionValue, report: Report) -> ast.Expr | None:
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    try:
        return parse_expression(print_expr(names.value(text)), file="")  # what is wrong with it stands in no file
    except RulesetError as error:
        why = error.diagnostics[0].message
        report.found.append(
            Diagnostic("VAR405", f"`{text}` is not a value for `{name}`: {why}", severity=Severity.ERROR)
        )
        return None
