"""The choices before a game begins (number of players, variants, parameters), and the openings that they give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.compiler import player_counts, sources
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError, Span
from rulewright.ir import model as m
from rulewright.play.game import Game
from rulewright.play.loading import load
from rulewright.play.scenarios import Failure, ScenarioResult
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr

_SEEDS = range(3)
"""Chance may end one game early, but not all of these."""


def failed_openings(ruleset: Ruleset, variants: Sequence[str] = ()) -> Iterator[ScenarioResult]:
    """For each number of players for whom no game comes to a question, what has happened, as a scenario that failed."""
    for players in player_counts(sources(ruleset).rules):
        try:
            game = load(ruleset, players, variants, engine="python", passes="none")
        except RulesetError:
            continue  # `check` reports it
        failure = _failure(game, ruleset)
        if failure is not None:
            title = f"a game of {players} {'player' if players == 1 else 'players'} begins"
            laid = f" with {', '.join(variants)}" if variants else ""
            yield ScenarioResult(title + laid, (), failure.span, failure)


def _failure(game: Game, ruleset: Ruleset) -> Failure | None:
    if not any(isinstance(i, m.Choose) for function in game.program.functions for i in function.code):
        return None  # there is no decision at all
    ended = ""
    for seed in _SEEDS:
        try:
            result = game.start(seed).result
        except RulesetError as stopped:
            first = stopped.diagnostics[0]
            return Failure(f"[{first.code}] {first.message}", first.span, _line(ruleset, first.span))
        if result is None:
            return None
        ended = result.rule
    rule = next((rule for rule in game.program.rules if rule.name == ended), None)
    span = Span(rule.file, rule.line, rule.column) if rule is not None else Span(ruleset.path)
    message = f"the game is over before anybody is asked: `{ended}` holds when play begins, or while it is set up; "
    return Failure(message + "let its condition say what must have happened before", span, _line(ruleset, span))


def _line(ruleset: Ruleset, span: Span) -> str:
    files = [file for file in ruleset.files if file.path == span.file]
    lines = files[0].text.split("\n") if files else []
    return lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class SetupParameter:
    """A parameter that a game may be given another value of."""

    name: str
    value: str
    """The default value, as the rules write it."""
    values: tuple[str, ...] = ()
    """All values that it may have; none: any that the rules can make use of, such as a number."""


@dataclass(frozen=True, slots=True)
class SetupChoices:
    """The choices that a ruleset leaves to those who begin a game."""

    players: tuple[int, ...]
    """The numbers of players; none if the rules do not say it in a way that can be read."""
    seats: dict[int, tuple[str, ...]]
    """For each number of players the names of the seats, as far as the manifest gives them."""
    variants: tuple[str, ...]
    """The titles of all variants, in the order in which they are laid over each other."""
    excludes: dict[str, tuple[str, ...]]
    """For each title the variants that cannot be played with it, if there are any."""
    parameters: tuple[SetupParameter, ...]


def setup_choices(ruleset: Ruleset) -> SetupChoices:
    """The choices of a ruleset that has been opened; as much as can be read, if there are errors in it."""
    rules = sources(ruleset.without_scenarios).rules
    counts = tuple(player_counts(rules))
    return SetupChoices(
        counts,
        {count: names for count in counts if (names := ruleset.manifest.seat_names(count))},
        tuple(variant.title for variant in rules.variants),
        _excluded(rules.variants),
        tuple(_parameter(decl) for decl in rules.all(ast.Parameter) if decl.key is None),
    )


def _excluded(variants: Sequence[ast.Variant]) -> dict[str, tuple[str, ...]]:
    pairs = [(one.title, other) for one in variants for other in one.excludes]
    both = [*pairs, *((other, one) for one, other in pairs)]
    titles = dict.fromkeys(one for one, _ in both)
    return {title: tuple(dict.fromkeys(other for one, other in both if one == title)) for title in titles}


def _parameter(decl: ast.Parameter) -> SetupParameter:
    values = decl.type.values if isinstance(decl.type, ast.ChoiceType) else ()
    return SetupParameter(decl.name, print_expr(decl.value), values)
