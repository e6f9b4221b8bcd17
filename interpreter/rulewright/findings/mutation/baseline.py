"""The ruleset as it is: what mutants are compared with, each thing found out once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rulewright.compiler import Sources, player_counts, sources
from rulewright.compiler.scenarios.compile_cache import compiled, plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, RulesetError, Severity
from rulewright.engine import Played
from rulewright.findings.check import check
from rulewright.findings.mutation.mutants import Mutant, mutants
from rulewright.ir import model as m
from rulewright.ir.walk import queries_asked
from rulewright.play.game import Game
from rulewright.play.scenarios import run_scenario
from rulewright.syntax import ast

Setting = tuple[int, tuple[str, ...]]
"""A number of players, and titles of variants."""

LONGER = 8
"""A game that takes so many times as many decisions as any of the original's does not end."""


@dataclass(frozen=True, slots=True)
class Round:
    """One game of each kind that is played: its seed, and how the seats decide."""

    seed: int
    policy: str = ""
    """Empty: at random."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a game: equal courses, equal games, as far as can be seen from outside."""

    answers: tuple[int, ...]
    sizes: tuple[int, ...]
    """The number of options each time."""
    places: tuple[int, ...]
    rule: str
    views: str


def rounds(seed: int, games: int, policies: tuple[str, ...]) -> Iterator[Round]:
    """The games that are played of each setting: at random, and one more with each policy."""
    for number in range(games):
        yield Round(seed + number)
    for policy in policies if games else ():
        yield Round(seed, policy)


def policies_of(game: Game) -> tuple[str, ...]:
    """Policies by which seats may decide, besides the random one: the query `score`, if the rules have one for a
    player.
    """
    try:
        game.policy("lead:score")
    except RulesetError:
        return ()
    return ("lead:score",)


def course(game: Game, one: Round, most: int) -> tuple[Course, Played]:
    """Play one game, and look whenever it rests whether all holds that must hold."""
    policies = (game.policy(one.policy, look=2),) if one.policy else ()
    played = game.playout(one.seed, keep=True, most=most, policies=policies, check=True)
    seats = (None, *range(game.players))
    views = json.dumps([played.state.view(seat) for seat in seats], sort_keys=True)
    return Course(played.answers, played.sizes, played.places, played.rule, views), played


@dataclass(frozen=True, slots=True)
class Key:
    """The key that makes a finding the same one in a mutant."""

    code: str
    file: str
    line: int
    message: str


def told_by(found: Sequence[Diagnostic]) -> dict[Key, Diagnostic]:
    """Errors and warnings; remarks do not count."""
    some = [d for d in found if d.severity in (Severity.ERROR, Severity.WARNING)]
    return {Key(d.code, d.span.file, d.span.line, d.message): d for d in some}


class Original:
    """A ruleset that is in order: it has no errors, and its scenarios hold."""

    def __init__(self, ruleset: Ruleset, titles: tuple[str, ...] = ()) -> None:
        self.ruleset = ruleset
        self.titles = titles
        """The variants with which alone it is played, laid over each other; without them as printed and with each."""
        self.source: Sources = sources(ruleset)
        self._courses: dict[tuple[Setting, Round], tuple[Course, tuple[str, ...]]] = {}
        self._longest: dict[Setting, int] = {}

    @cached_property
    def findings(self) -> frozenset[Key]:
        """Findings that it has anyway; RulesetError if it cannot be played."""
        found = check(self.ruleset, self.source, self.titles)
        if wrong := [d for d in found if d.is_error]:
            raise RulesetError(wrong)
        return frozenset(told_by(found))

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every number of players, as printed and with each variant, or with those that were named."""
        counts = player_counts(self.source.rules)
        overlays = (self.titles,) if self.titles else ((), *((title,) for title in self.source.variants))
        return tuple((count, titles) for titles in overlays for count in counts)

    @cached_property
    def games(self) -> dict[Setting, Game]:
        """The game of each setting."""
        found = {}
        for setting in self.settings:
            _, program, wrong = compiled(self.source, *setting, {})
            if program is None:
                raise RulesetError([d for d in wrong if d.is_error])
            found[setting] = Game(program, self.ruleset)
        return found

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """All small changes."""
        programs = [game.program for game in self.games.values()]
        return tuple(mutants(self.ruleset, programs, self.titles or None))

    @cached_property
    def policies(self) -> tuple[str, ...]:
        """Policies by which seats may decide, besides the random one."""
        return policies_of(next(iter(self.games.values())))

    def prove(self) -> None:
        """RulesetError if it has errors, or a scenario does not hold: then mutants cannot be judged."""
        _ = self.findings
        for scenario in self.source.rules.scenarios:
            plan, wrong = plan_scenario(self.source, scenario)
            if plan is None:
                raise RulesetError([d for d in wrong if d.is_error])
            failure = run_scenario(plan).failure
            if failure is not None:
                raise RulesetError(
                    Diagnostic(
                        "MUT001",
                        f'the scenario "{scenario.title}" fails without any change: {failure.message}',
                        failure.span,
                        hint="fix it first: `rulewright test` shows more",
                    )
                )

    def course(self, setting: Setting, one: Round) -> tuple[Course, tuple[str, ...]]:
        """A game of the original, and what is broken in it anyway."""
        known = self._courses.get((setting, one))
        if known is None:
            found, game = course(self.games[setting], one, 100_000)
            known = self._courses[setting, one] = found, game.broken
            self._longest[setting] = max(self._longest.get(setting, 0), game.decisions)
        return known

    def most(self, setting: Setting, one: Round) -> int:
        """A game with more decisions than this does not end."""
        return LONGER * len(self.course(setting, one)[0].answers) + 200

    @cached_property
    def scenarios(self) -> tuple[ast.Scenario, ...]:
        """The scenarios of the ruleset."""
        return tuple(self.source.rules.scenarios)


def same_game(a: m.Program, b: m.Program) -> bool:
    """True if two programs are played alike; what only their tests ask does not count."""
    rest = [replace(p, queries=(), assertions=(), rules=()) for p in (a, b)]
    return rest[0] == rest[1] and (a.queries == b.queries or _queries_used(a) == _queries_used(b))


def _queries_used(program: m.Program) -> dict[str, m.QueryDef]:
    """The queries that play asks for."""
    queries = {query.name: query for query in program.queries}
    return queries_asked(queries, (program.functions, program.areas, program.zones, program.fields))
