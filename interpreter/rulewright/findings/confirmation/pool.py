"""The episodes among which moments are chosen: those of some games, short and early ones first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from rulewright.engine import Dice
from rulewright.findings.confirmation.census import Census
from rulewright.findings.confirmation.episodes import Episode, begun_elsewhere, episodes, games_answers
from rulewright.findings.fuzzing.aim.aimed_search import AimedSearch
from rulewright.findings.fuzzing.aim.targets import Target
from rulewright.findings.fuzzing.deadlines import Limits
from rulewright.findings.fuzzing.failures import Setting
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.findings.fuzzing.search.players import (
    Pick,
    Player,
    aims,
    first_ones,
    gathered,
    indifferent,
    last_ones,
    striving,
)
from rulewright.ir import model as m
from rulewright.play.game import Game
from rulewright.play.scenarios.recording.replayed_game import Moment

LONGEST_GAME, FIRST_GAME = 400, 100
"""Decisions of a game that are played, and of the very first one: a moment is to be shown soon."""

OF_EACH = 12
"""Episodes that begin with one procedure in the first game; in later ones there are fewer."""


def pool(
    game: Game, numbers: Iterable[int], seed: int, over: Callable[[], bool], census: Census
) -> tuple[list[Episode], int]:
    """The episodes of the games of some numbers, and how many of these were played before it was `over`.

    In the `census` the uses of rules are counted.
    """
    found: list[Episode] = []
    count = 0
    for number in numbers:
        if number and over():
            break
        found += _of_game(game, number, seed, census)
        count += 1
    return ordered(found), count


def reaching(
    game: Game, known: Sequence[Episode], rules: Sequence[str], seed: int, over: Callable[[], bool]
) -> list[Episode]:
    """Episodes in which rules are used that are used in few of the known ones: games are led there."""
    few = [one for one in rules if sum(one in episode.used for episode in known) < ENOUGH]
    if not few:
        return []
    targets = [Target(one) for one in few]
    search = AimedSearch(game, Setting(game.players, game.program.variants), targets, seed, Limits())
    found: list[Episode] = []
    for number in range(FLIGHTS):
        for target in targets:
            if over():
                return found
            if sum(target.name in episode.used for episode in found) >= ENOUGH:
                continue
            for hit in search.fly(target, [target]):
                found += _of_way(game, hit.numbers, Dice(seed, f"{target.name} {number}"))
    return found


def reaching_condition(game: Game, condition: m.Expr, dice: Dice) -> list[Episode]:
    """Episodes at whose beginning games have been led to a position in which a condition holds, soon before and after
    it."""
    never = m.Assertion("apart", "invariant", None, None, None, m.Not(condition))
    aimed, target = Game(replace(game.program, assertions=(never,)), game.ruleset), Target(never.name, never.word)
    search = AimedSearch(aimed, Setting(game.players, game.program.variants), [target], dice.below(1 << 30), Limits())
    for _ in range(FLIGHTS):
        for hit in search.fly(target, [target]):
            return list(_of_way(game, hit.numbers, dice, FAR_BEHIND))
    return []


def elsewhere(game: Game, known: Sequence[Episode], rules: Sequence[str], seed: int) -> list[Episode]:
    """Episodes of procedures that begin in few of the known ones, such as the whole game: they begin in positions to
    which games have come later. What is done before the first answer alone, such as a setup, begins nowhere else."""
    found: list[Episode] = []
    begins = defaultdict[str, list[Episode]](list)
    for episode in known:
        begins[episode.opening.function].append(episode)
    late = sorted(known, key=lambda one: -one.before)
    late = late[:: max(1, len(late) // ELSEWHERE)]
    for name in rules:
        openings = begins.get(name, [])
        at_first = name != game.program.main and not any(one.before for one in openings)
        if not at_first and 0 < len({one.opening.laid for one in openings}) < ENOUGH:
            dice = Dice(seed, f"{name} elsewhere")
            for other in late:
                opening = replace(openings[0].opening, laid=other.opening.laid)
                one = begun_elsewhere(game, opening, other.before, dice)
                found += [one] if one is not None else []
    return found


ELSEWHERE = 16
"""So many late positions are tried."""


def to_the_end(game: Game, seed: int) -> list[Episode]:
    """Whole games, if they are short: what decides at their end comes in no other episode."""
    found: list[Episode] = []
    for number in range(WHOLE_GAMES):
        pick, player = _players(game, number, Dice(seed, f"whole game {number}"))
        course = Drive(game, moments=True, checked=False).play(pick, WHOLE + 1, player=player)
        if not course.moments or len(course.numbers) > WHOLE:
            break
        found += episodes(game, course, course.moments[:1], WHOLE)
    return found


WHOLE_GAMES, WHOLE = 24, 60
"""So many games, of so many answers at most."""


def _of_way(game: Game, numbers: Sequence[int], dice: Dice, behind: int = 0) -> Iterator[Episode]:
    """The episodes at the end of a way that leads to a rule, and somewhat behind it; or those that begin then, `behind`
    answers long."""
    given = iter(numbers)

    def pick(size: int) -> int:
        number = next(given, None)
        return dice.below(size) if number is None else min(number, size - 1)

    course = Drive(game, moments=True, checked=False).play(pick, len(numbers) + (behind or BEHIND))
    begun = [one.before <= len(numbers) for one in course.moments]
    before = [one for one, early in zip(course.moments, begun, strict=True) if early]
    later = [one for one, early in zip(course.moments, begun, strict=True) if not early]
    return episodes(game, course, later[:FAR_BEHIND] if behind else before[-NEAR:])


FAR_BEHIND = 24
"""So many answers are given behind a position in which a condition holds, and so many episodes begin there at most."""

ENOUGH, FLIGHTS, NEAR, BEHIND = 4, 4, 4, 6
"""A rule is used in enough episodes; so many flights there are to each rule, and so many episodes before it is used are
taken of a game, which goes on for so many decisions."""


def ordered(found: Iterable[Episode]) -> list[Episode]:
    """Plain episodes first, then those that come early in a game."""
    return sorted(found, key=lambda one: (one.plainness, one.before))


def _of_game(game: Game, number: int, seed: int, census: Census) -> Iterator[Episode]:
    dice = Dice(seed, f"moments of game {number}")
    pick, player = _players(game, number, dice)
    course = Drive(game, moments=True, checked=False).play(pick, LONGEST_GAME if number else FIRST_GAME, player=player)
    census.add(course.reached.rules, games_answers(game, course.numbers))
    by_function = defaultdict[str, list[Moment]](list)
    for moment in course.moments:
        by_function[moment.function].append(moment)
    wanted = []
    for several in by_function.values():
        step = max(1, len(several) // max(2, OF_EACH // (1 + number)))
        wanted += several[::step]
    return episodes(game, course, wanted)


def _players(game: Game, number: int, dice: Dice) -> tuple[Pick, Player | None]:
    """The ways in which games are played in turn: at random, in one part of the options, to gain something."""
    kinds: tuple[Callable[[], tuple[Pick, Player | None]], ...] = (
        lambda: (dice.below, None),
        lambda: (gathered(dice.below), None),
        lambda: (dice.below, striving(aims(game), game.players, indifferent(dice.below), dice)),
        lambda: (last_ones(dice.below), None),
        lambda: (first_ones(dice.below), None),
    )
    return kinds[number % len(kinds)]()
