"""The layers of rules: a ruleset upon the one it extends, then player counts, then variants.

An extending ruleset sees the finished declarations of the one beneath it. Its changes (``set``, ``remove``,
``replace``, ``before``, ``after``, ``unchanged``) aim at these, its own declarations are added, then its ``in`` blocks
are laid over both. Where its rulebook marks a statement as the same as one of the other rulebook, what cites the one
cites the other from here on: refusals quote the rulebook of the edition that is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import takewhile
from typing import Any, TypeVar, cast

from rulewright.compiler.overlays.declaration_set import Rules, name_of
from rulewright.compiler.overlays.overlay_operations import Overlay, with_edits
from rulewright.compiler.tree_walk import nodes
from rulewright.data.rulebook import Rulebook
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Report, Span
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.foundation import limits
from rulewright.foundation.memo import made_once, memoized_by_node
from rulewright.syntax import ast


def player_counts(rules: Rules) -> range:
    """The numbers of players of a game; empty if it does not say. Of those that are too many only the lowest counts, so
    that no list of millions is made before the report."""
    players = rules.decls.get("players")
    if not isinstance(players, ast.Players):
        return range(0)
    return range(players.low, min(players.high, max(players.low, limits.PLAYERS)) + 1)


def check_players(rules: Rules, report: Report) -> None:
    """Report numbers of players that cannot be, and teams that do not come out even."""
    players = rules.decls.get("players")
    if not isinstance(players, ast.Players):
        return
    _never(rules, players, report)
    low, high, size, count = players.low, players.high, players.team_size, players.in_teams
    if not 1 <= low <= high <= limits.PLAYERS:
        bounds = f"{low} to {high}" if low != high else str(low)
        report.error(
            "CTL103",
            f"a game cannot be for {bounds} players",
            players.span,
            hint=f"1 to {limits.PLAYERS}, the smaller number first",
        )
    elif size is not None:
        if count is None:
            written = f"`teams of {size} with {high} players`"
            report.error("CTL103", "it is not said with how many players there are teams", players.span, hint=written)
        elif not low <= count <= high:
            report.error(
                "CTL103", f"teams are for {count} players, but the game is never played with {count}", players.span
            )
        elif size < 1 or count % size:
            report.error("CTL103", f"{count} players cannot form teams of {size}", players.span)


def _never(rules: Rules, players: ast.Players, report: Report) -> None:
    """Warn of settings for numbers of players that the game does not have."""
    for decl in (*rules.decls.values(), *rules.by_count, *rules.variants):
        for counts, span in _counts(decl):
            for count in counts:
                if not players.low <= count <= players.high:
                    report.warn("VAR403", f"this game is never played with {count} players", span)


@memoized_by_node
def _counts(decl: ast.Clause) -> tuple[tuple[tuple[int, ...], Span], ...]:
    """The numbers of players that a declaration speaks of, and where."""
    found = (n for n in nodes(decl) if isinstance(n, (ast.WithPlayers, ast.ByCount, ast.Member)))
    return tuple((tuple(n.counts), n.span) for n in found)


_LAYOUT = (
    *(ast.SPlayers, ast.SVariant, ast.SSet, ast.SPut, ast.SGiven, ast.SDraw, ast.SOut, ast.Merge, ast.Let),
    *(ast.SThen, ast.SSeen),
)
"""The lines before a start."""
_LOOKS = (ast.SThen, ast.SSeen)
"""The lines of scenarios that only look at what has been laid out."""


def with_positions(scenarios: list[ast.Scenario], beneath: list[ast.Scenario]) -> list[ast.Scenario]:
    """The scenarios, each with the lines of those from which it begins, here or in the ruleset beneath.

    One that begins from none that there is, or from itself, stays as it is written: the planner reports errors.
    """
    by_title = {scenario.title: scenario for scenario in (*beneath, *scenarios)}
    return [_whole(scenario, by_title) for scenario in scenarios]


def _whole(scenario: ast.Scenario, by_title: Mapping[str, ast.Scenario]) -> ast.Scenario:
    chain = [scenario]
    while (line := _begins(chain[-1])) is not None:
        before = by_title.get(line.title)
        if before is None or any(before is one for one in chain):
            return scenario
        chain.append(before)
    return scenario if len(chain) == 1 else made_once(partial(_put_together, tuple(chain)), *chain)


def _begins(scenario: ast.Scenario) -> ast.SFrom | None:
    first = scenario.lines[0]
    return first if isinstance(first, ast.SFrom) else None


def _put_together(chain: tuple[ast.Scenario, ...]) -> ast.Scenario:
    scenario, *others = chain
    lines = list(_own_lines(scenario))
    for other in others:
        laid_out = takewhile(lambda line: isinstance(line, _LAYOUT), _own_lines(other))
        lines[:0] = [line for line in laid_out if not isinstance(line, _LOOKS)]
    return replace(scenario, lines=tuple(lines))


def _own_lines(scenario: ast.Scenario) -> tuple[ast.ScenarioLine, ...]:
    return scenario.lines if _begins(scenario) is None else scenario.lines[1:]


N = TypeVar("N")


def collect(chain: Sequence[Ruleset], report: Report) -> Rules:
    """All declarations of a ruleset; `chain` has it last, after those that it extends."""
    rules = Rules(report)
    for number, ruleset in enumerate(chain):
        beneath = list(rules.scenarios)
        if number:
            _take_over(rules, ruleset)
        _add(rules, ruleset, number > 0)
        rules.scenarios = with_positions(rules.scenarios, beneath)
    return rules


def for_game(
    base: Rules,
    count: int,
    variants: Iterable[ast.Variant],
    report: Report,
    by_count: dict[int, Rules] | None = None,
) -> Rules:
    """The rules with what holds for this number of players and these variants; `base` is left as it is.

    `by_count` keeps the rules for each number of players, so that games share the declarations that are changed there.
    """
    known = by_count.get(count) if by_count is not None else None
    if known is None:
        before = len(report.found)
        known = _for_count(base, count, report)
        if by_count is not None and len(report.found) == before:
            by_count[count] = known
    rules = _copied(known, report)
    written: dict[str, str] = {}
    variants = tuple(variants)
    titles = [one.title for one in base.variants]
    for number, variant in enumerate(variants):
        for missing in (title for title in variant.excludes if title not in titles):
            hint = did_you_mean(missing, titles) or f"there is {listing(titles)}"
            report.error("VAR407", f"there is no variant `{missing}` to exclude", variant.span, hint=hint)
        for other in variants[:number]:
            if variant.title in other.excludes or other.title in variant.excludes:
                at = variant if other.title in variant.excludes else other
                report.error("VAR416", f"`{other.title}` and `{variant.title}` exclude each other", at.span)
        overlay = Overlay(rules, variant.title, written, beneath=base.decls)
        for op in variant.ops:
            overlay.apply(op)
    return rules


def _copied(rules: Rules, report: Report) -> Rules:
    """A copy of rules, which can be changed by itself."""
    return Rules(
        report,
        dict(rules.decls),
        list(rules.precedence),
        list(rules.variants),
        list(rules.scenarios),
        list(rules.by_count),
        dict(rules.first_values),
        list(rules.games),
        list(rules.changes),
        list(rules.seams),
    )


def _for_count(base: Rules, count: int, report: Report) -> Rules:
    """The rules with what holds for this number of players."""
    rules = _copied(base, report)
    overlay = Overlay(rules, f"with {count} players", beneath=base.decls)
    for number, block in enumerate(base.by_count):
        if number in base.seams:
            overlay = Overlay(rules, f"with {count} players", beneath=base.decls)
        if count in block.counts:
            for op in block.ops:
                overlay.apply(op)
    return rules


def unfit(rules: Rules, counts: Iterable[int], variant: ast.Variant) -> str:
    """The reason why a variant of the ruleset beneath cannot be laid over these rules; empty if it can."""
    for count in counts:
        with_count, with_variant = Report(), Report()
        for_game(rules, count, (), with_count)
        for_game(rules, count, (variant,), with_variant)
        if with_variant.failed and not with_count.failed:
            return with_variant.found[0].message
    return ""


# ---------------------------------------------------------------------------------------------- one ruleset


def _take_over(rules: Rules, ruleset: Ruleset) -> None:
    """Leave out what does not hold for a ruleset that extends these rules, and let the rest cite its rulebook."""
    held = {file.path for file in ruleset.held_scenarios}
    rules.scenarios = [s for s in rules.scenarios if s.span.file in held]
    rules.seams.append(len(rules.by_count))
    book = ruleset.rulebook if ruleset.manifest.rulebook else None
    if book is not None and book.stands_for:
        rules.decls = {name: _recited(decl, book) for name, decl in rules.decls.items()}
        rules.precedence = [_recited(clause, book) for clause in rules.precedence]
        rules.variants = [_recited(clause, book) for clause in rules.variants]
        rules.scenarios = [_recited(clause, book) for clause in rules.scenarios]
        rules.by_count = [_recited(clause, book) for clause in rules.by_count]
        rules.changes = [_recited(clause, book) for clause in rules.changes]


def _add(rules: Rules, ruleset: Ruleset, extending: bool) -> None:
    written = [decl for file in ruleset.files for decl in file.file.decls]
    rulebook = ruleset.rulebook if extending and ruleset.manifest.rulebook else None
    title = ruleset.title if extending else "the extension"
    overlay = Overlay(rules, title, rulebook=rulebook, beneath=dict(rules.decls))
    own = {name_of(decl) for decl in written if not isinstance(decl, ast.Change)}
    for op in written:
        if isinstance(op, ast.Change) and _aims_beneath(op, rules, ruleset, extending, own):
            overlay.apply(op)
            rules.changes.append(op)
    titles = {(type(decl), decl.title) for decl in written if isinstance(decl, ast.Variant | ast.Scenario)}
    rules.variants = [v for v in rules.variants if (ast.Variant, v.title) not in titles]
    rules.scenarios = [s for s in rules.scenarios if (ast.Scenario, s.title) not in titles]
    beneath = dict(rules.decls)
    for decl in written:
        if not isinstance(decl, ast.Change):
            _declare(rules, decl, beneath)
    for op in written:
        if isinstance(op, ast.ExtendOp | ast.CasesForOp):
            overlay.apply(op)
            rules.changes.append(op)


def _declare(rules: Rules, decl: ast.Decl, beneath: Mapping[str, ast.Decl]) -> None:
    """Add a declaration; what the game is called and how many play, each ruleset may say anew."""
    name = name_of(decl)
    if isinstance(decl, ast.Game):
        rules.games.append(decl.name)
    if name is not None and name in beneath and rules.decls.get(name) is beneath[name]:
        if isinstance(decl, ast.Game | ast.Players):
            del rules.decls[name]
        else:
            rules.twice(name, decl, "to change a declaration of the extended ruleset, write `replace` before it")
            return
    rules.add(with_edits(rules, decl))


def _aims_beneath(op: ast.Change, rules: Rules, ruleset: Ruleset, extending: bool, own: set[str | None]) -> bool:
    """True if a change at top level aims at the ruleset beneath, as it must."""
    if not extending and ruleset.manifest.extends:
        return False  # it could not be read, which is reported
    if not extending:
        message = f"this changes another ruleset, but {ruleset.title} extends none"
        hint = "change the rule itself, or write this in a variant"
        rules.report.error("VAR408", message, op.span, hint=hint)
        return False
    target = _changed(op)
    if target in own and target not in rules.decls:
        rules.report.error("VAR408", f"`{target}` is declared in this ruleset", op.span, hint="change it there")
        return False
    return True


def _changed(op: ast.Change) -> str | None:
    match op:
        case ast.ReplaceDeclOp(decl):
            return name_of(decl)
        case ast.AddRowOp(kind):
            return kind
        case ast.SetRowsOp(rows) | ast.RemoveRowsOp(rows):
            return rows.kind
        case _:
            return op.path.parts[0]


# ---------------------------------------------------------------------------------------------- citations


def _recited(node: N, rulebook: Rulebook) -> N:
    """A tree in which the statements of a rulebook are cited that say the same as those that it cites now."""
    return made_once(lambda: cast(N, _copy(node, rulebook.stands_for)), node, rulebook)


def _copy(node: object, stands_for: Mapping[str, tuple[str, ...]]) -> object:
    if isinstance(node, (tuple, list)):
        made = [_copy(part, stands_for) for part in node]
        return node if all(a is b for a, b in zip(made, node, strict=True)) else type(node)(made)
    if isinstance(node, ast.Trivia):
        cites = tuple(id for cite in node.cites for id in stands_for.get(cite, (cite,)))
        inner = cast(tuple[tuple[str, ast.Trivia], ...], _copy(node.inner, stands_for))
        same = cites == node.cites and inner is node.inner
        return node if same else replace(node, cites=cites, inner=inner)
    if not isinstance(node, ast.Node):
        return node
    changed: dict[str, Any] = {}
    for part in fields(node):
        held = getattr(node, part.name)
        if part.name != "span" and (new := _copy(held, stands_for)) is not held:
            changed[part.name] = new
    return replace(node, **changed) if changed else node
