"""Episodes of games: a procedure that begins in a position, the answers given in it, and what is seen at each rest.

An episode is laid out as a scenario would lay it out, so that whatever it shows can be kept as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulewright.diagnostics import RulesetError
from rulewright.engine import Dice, Option, Position, State
from rulewright.findings.fuzzing.search.driver import Course
from rulewright.host.budgets import Limits, limited
from rulewright.play.game import Game
from rulewright.play.scenarios.recording.replayed_game import Moment, matching
from rulewright.play.scenarios.recording.scenario_lines import Answer
from rulewright.play.scenarios.recording.state_diff import Laid, differences, lay

STEPS = 200_000
"""Steps that rules have for an answer: neighbours loop without end in many episodes, rules in some laid positions."""

LONGEST = 10
"""An episode has at most so many answers, those of chance included."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A procedure with its arguments, and the position in which it begins."""

    function: str
    args: tuple[int | tuple[int, ...], ...]
    laid: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class Episode:
    """Answers that were given from an opening on."""

    opening: Opening
    cells: Sequence[int]
    """The position as it is laid out; not to be changed."""
    answers: tuple[Answer, ...]
    states: tuple[State, ...]
    """The states before each answer, and the last one."""
    before: int
    """The number of answers that were given in the game before."""
    used: frozenset[str]
    """The rules that were used in it: functions, and labels."""

    @property
    def plainness(self) -> tuple[int, int]:
        """The order of episodes: short ones first, then those in which little lies about."""
        return len(self.answers), len(self.opening.laid)


def episodes(game: Game, course: Course, wanted: Iterable[Moment], longest: int = LONGEST) -> Iterator[Episode]:
    """The episodes that begin where procedures of a game began; without those that cannot be laid out.

    Where chance decides in one, there is another in which its outcomes are the first ones, and one with the last ones.
    """
    answers = games_answers(game, course.numbers)
    for moment in wanted:
        opening = Opening(moment.function, moment.args, tuple(differences(game.engine, moment.cells)))
        given = answers[moment.before : moment.before + longest]
        found = _episode(game, opening, given, moment.before)
        if found is None:
            continue
        yield found
        if any(one.decision.seat is None for one in found.answers):
            for extreme in (0, -1):
                other = _episode(game, opening, given, moment.before, extreme)
                if other is not None:
                    yield other


def begun_elsewhere(
    game: Game, opening: Opening, before: int, dice: Dice, given: Sequence[Answer] = ()
) -> Episode | None:
    """An episode from a position to which no game need come: with some answers, then others at random; None if the
    rules stop, or it cannot be laid out."""
    cells = laid_out(game, opening.laid)
    if cells is None:
        return None
    answers = list(given)
    try:
        with limited(Limits(steps=STEPS)):
            state = entered(game, cells, opening)
            for answer in given:
                option = same_option(state, answer)
                if option is None:
                    return None
                state = state.choose(option)
            while state.decision is not None and len(answers) < len(given) + 2 * LONGEST:
                option = state.decision.options[dice.below(len(state.decision.options))]
                answers.append(Answer(state, state.decision, option))
                state = state.choose(option)
    except RulesetError:
        return None
    return _episode(game, opening, answers, before)


def laid_out(game: Game, laid: Iterable[Laid]) -> list[int] | None:
    """The cells of a position that is laid out; None if it cannot be."""
    position = Position(game.program, 0, ask_chance=True)
    try:
        return position.cells if lay(position, laid) else None
    except RulesetError:
        return None


def entered(game: Game, cells: Sequence[int], opening: Opening, fired: list[int] | None = None) -> State:
    """The first state of an episode, which counts the uses of rules; RulesetError if the rules stop before it."""
    position = Position(game.program, 0, ask_chance=True)
    position.cells = list(cells)
    position.mode = replace(position.mode, fired=fired)
    return position.enter(opening.function, opening.args)


def _episode(
    game: Game, opening: Opening, given: Sequence[Answer], before: int, extreme: int | None = None
) -> Episode | None:
    """The episode of some answers as far as they fit; chance gives the outcome of the number `extreme`, if that is
    given."""
    cells = laid_out(game, opening.laid)
    if cells is None:
        return None
    fired = game.new_fired()
    try:
        with limited(Limits(steps=STEPS)):
            states = [entered(game, cells, opening, fired)]
            answers: list[Answer] = []
            for answer in given:
                option, decision = same_option(states[-1], answer), states[-1].decision
                if extreme is not None and decision is not None and decision.seat is None:
                    option = decision.options[extreme]
                if option is None or decision is None:
                    break
                answers.append(Answer(states[-1], decision, option))
                states.append(states[-1].choose(option))
    except RulesetError:
        return None
    used = frozenset(name for name, times in zip(game.rule_names, fired, strict=True) if times)
    return Episode(opening, cells, tuple(answers), tuple(states), before, used)


def games_answers(game: Game, numbers: Sequence[int]) -> list[Answer]:
    """The answers of a game that was played by the numbers of options, chance included."""
    found: list[Answer] = []
    state = game.start(0, ask_chance=True)
    for number in numbers:
        decision = state.decision
        assert decision is not None
        found.append(Answer(state, decision, decision.options[number]))
        if len(found) < len(numbers):
            state = state.choose(number)
    return found


def played_again(game: Game, episode: Episode, laid: tuple[Laid, ...], answers: int) -> Episode | None:
    """An episode with the same answers, so many of them, in another position; None if that cannot be."""
    return _episode(game, replace(episode.opening, laid=laid), episode.answers[:answers], episode.before)


def same_option(state: State, answer: Answer) -> Option | None:
    """The option of the same question that an answer given elsewhere means here."""
    decision = state.decision
    if decision is None or answer.decision_key != (decision.who, decision.name):
        return None
    return matching(decision, answer)
