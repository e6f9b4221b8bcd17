"""Strategies of Hypothesis: games of a ruleset, states that are come to by playing, answers that are possible there.

A failing example is shrunk to fewer players, default options and no variant, to fewer answers, and in each decision to
the first option. Each answer is a draw of its own beside the draw that goes on with the game, so that Hypothesis can
take out any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import note, reject
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

import rulewright as rw
from rulewright.compiler import OptionValue, sources
from rulewright.data import Ruleset, opened
from rulewright.diagnostics import RulesetError
from rulewright.engine import Dice, Option, State
from rulewright.play import Game, load
from rulewright.reporting import to_text

Draw = Callable[[st.SearchStrategy[Any]], Any]
"""The first argument of a composite strategy."""

SEEDS = st.integers(0, 2**32 - 1)
"""Seeds of games."""

ANSWERS = 50
"""Answers at most before a state, unless others are wanted."""


def games(
    ruleset: str | Path | Ruleset,
    *,
    players: int | Iterable[int] | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, OptionValue | st.SearchStrategy[OptionValue]] | None = None,
    everything: bool = False,
) -> st.SearchStrategy[Game]:
    """Games of a ruleset: the name of a shipped one, a path, or one already opened.

    `players` is a number or several; without it every number of players of the rules is drawn. `variants` are titles or
    files, laid over each other in this order. `options` sets parameters, each to a value or to one that a strategy
    draws. With `everything` variants and declared values of parameters are drawn as well, for each number of players as
    `rulewright fuzz --variant all` plays them. Shrinks to the fewest players without a variant and to default options.
    """
    counts = (players,) if players is None or isinstance(players, int) else tuple(players)
    if not counts:
        raise InvalidArgument(f"players={players!r}: at least one number of players is needed")
    given = dict(options or {})
    chosen = {name: value for name, value in given.items() if not isinstance(value, st.SearchStrategy)}
    drawn = {name: value for name, value in given.items() if isinstance(value, st.SearchStrategy)}
    read: list[tuple[Ruleset, list[list[rw.fuzzing.Setting]]]] = []
    loaded: dict[rw.fuzzing.Setting, Game | None] = {}

    def opened_once() -> tuple[Ruleset, list[list[rw.fuzzing.Setting]]]:
        """The ruleset, and what is played of it for each number of players: first that without anything drawn."""
        if not read:
            found, titles = opened(ruleset, variants)
            source = sources(found.without_scenarios)
            plain = [one for n in counts for one in rw.fuzzing.settings(source, n, titles, chosen, everything=False)]
            read.append(
                (found, [rw.fuzzing.settings(source, one.players, titles, chosen, everything) for one in plain])
            )
        return read[0]

    @st.composite
    def draw_game(draw: Draw) -> Game:
        __tracebackhide__ = True
        with errors_for_people():
            found, offered = opened_once()
            if not offered:
                return load(found)  # the rules give no number of players: the error is theirs
            few = draw(st.sampled_from(offered))
            number = draw(st.integers(0, len(few) - 1))
            setting = few[number]
            values: dict[str, OptionValue] = {name: draw(value) for name, value in sorted(drawn.items())}
            if values:
                return load(found, setting.players, setting.variants, dict(setting.options) | values)
            if setting not in loaded:
                make = _loaded if number == 0 else rw.fuzzing.playable
                loaded[setting] = make(sources(found), setting)
        game = loaded[setting]
        return reject() if game is None else game

    return draw_game()


def _loaded(source: Any, setting: rw.fuzzing.Setting) -> Game:
    """The game of a setting; RulesetError if it cannot be played."""
    return load(source.ruleset, setting.players, setting.variants, dict(setting.options))


LONGEST = 10_000
"""A game that is to be over is given up after so many answers."""

GamesOf = str | Path | Ruleset | Game | st.SearchStrategy[Game]
"""Games are those of a ruleset, one that is loaded, or drawn by :func:`games`."""


def states(
    of: GamesOf,
    *,
    min_answers: int = 0,
    max_answers: int | None = None,
    over: bool | None = None,
    seed: int | st.SearchStrategy[int] = SEEDS,
    ask_chance: bool = False,
) -> st.SearchStrategy[State]:
    """States that are come to by playing from the start: so many answers at least and at most, as far as the game goes.

    With `over` False only states with a decision, with True only games that are over: without `max_answers` the rest of
    a long one is played at random. Chance follows from the `seed`,
    or is a decision like the others with `ask_chance`, which shrinks to its first outcomes. An error of the rules on
    the way is a :class:`rulewright.RulesetError`, with the answers that lead to it. Shrinks to short games.
    """
    most = max(ANSWERS, min_answers) if max_answers is None else max_answers
    if not 0 <= min_answers <= most:
        raise InvalidArgument(f"{min_answers=} and {max_answers=}: the first is at least 0, and not above the second")
    drawn_games = of if isinstance(of, st.SearchStrategy) else st.just(of) if isinstance(of, Game) else games(of)
    seeds = seed if isinstance(seed, st.SearchStrategy) else st.just(seed)

    @st.composite
    def draw_state(draw: Draw) -> State:
        __tracebackhide__ = True
        game: Game = draw(drawn_games)
        number: int = draw(seeds)
        with errors_for_people():
            state = game.start(number, ask_chance)
        state, given = _walk(draw, state, min_answers, most, over, LONGEST if over and max_answers is None else most)
        note(f"{described(game, number)}: {', '.join(option.key for option in given) or 'no answer'}")
        return state

    return draw_state()


def answers(state: State) -> st.SearchStrategy[Option]:
    """Answers that are possible in a state, to be given to its `choose`. Shrinks to the first option."""
    return st.sampled_from(_options(state))


def answer_sequences(state: State, *, min_size: int = 0, max_size: int = ANSWERS) -> st.SearchStrategy[list[Option]]:
    """Lists of answers, each possible after those before it, the first in this state; as many at least and at most,
    as far as the game goes. Shrinks to fewer answers and to first options."""
    if not 0 <= min_size <= max_size:
        raise InvalidArgument(f"{min_size=} and {max_size=}: the first is at least 0, and not above the second")

    @st.composite
    def draw_answers(draw: Draw) -> list[Option]:
        __tracebackhide__ = True
        return _walk(draw, state, min_size, max_size)[1]

    return draw_answers()


def described(game: Game, seed: int) -> str:
    """A game in words: ``Pig with 2 players, goal = 50, seed 3``."""
    values = [f"{name} = {value}" for name, value in game.parameters.items()]
    return ", ".join((f"{game.title} with {game.players} players", *game.variants, *values, f"seed {seed}"))


@contextmanager
def errors_for_people() -> Iterator[None]:
    """Add to an error of a ruleset its text with place and excerpt, as the commands print it; how the library came to
    it is left out."""
    __tracebackhide__ = True
    try:
        yield
    except RulesetError as error:
        error.add_note(to_text(error.diagnostics).rstrip("\n"))
        raise error.with_traceback(None) from None


def _options(state: State) -> tuple[Option, ...]:
    decision = state.decision
    if decision is None:
        raise InvalidArgument("the game is over: there is no answer; draw the state with `states(..., over=False)`")
    return decision.options


@st.composite
def _answer(draw: Draw, options: tuple[Option, ...], going_on: st.SearchStrategy[int] | None) -> Option | None:
    """An answer, or none if the game is not gone on with: one example of Hypothesis, which takes it out as a whole."""
    if going_on is not None and not draw(going_on):
        return None
    found: Option = draw(st.sampled_from(options))
    return found


def _walk(
    draw: Draw, state: State, least: int, most: int, over: bool | None = None, longest: int = 0
) -> tuple[State, list[Option]]:
    """A state after so many answers, and these; no more than that is drawn if the game is over before. Answers after
    the `most` that are drawn are any, until there are `longest`."""
    __tracebackhide__ = True
    given: list[Option] = []
    going_on = st.integers(0, max(1, (most - least) // 2))
    dice = Dice(draw(SEEDS), "the rest of a game") if longest > most else None
    while (decision := state.decision) is not None and len(given) < max(most, longest):
        if dice is not None and len(given) >= most:
            option: Option | None = decision.options[dice.below(len(decision.options))]
        else:
            may_stop = len(given) >= least and over is not True
            option = draw(_answer(decision.options, going_on if may_stop else None))
        if option is None:
            break
        with errors_for_people(), _after(given, option):
            after = state.choose(option)
        if over is False and after.decision is None:
            break
        state = after
        given.append(option)
    if len(given) < least or (over is not None and over is not (state.decision is None)):
        reject()
    return state, given


@contextmanager
def _after(given: list[Option], option: Option) -> Iterator[None]:
    """Add to an error of the rules the answers after which it comes."""
    __tracebackhide__ = True
    try:
        yield
    except RulesetError as error:
        error.add_note("after the answers " + ", ".join(one.key for one in (*given, option)))
        raise
