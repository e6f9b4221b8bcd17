"""All that a seat is given in a position, for comparing it in positions that it cannot tell apart.

*Twins* are positions in which a seat has seen and heard the same. They are made in three ways: worlds that the seat
imagines, positions at the end of other games that may have been played just as well, and positions of many games at
random that happen to be twins. What is compared of two of them is listed in :meth:`Comparison.outputs`; each output
is a function of what the seat knows, so it must be equal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from own_answers import own_answers

import rulewright as rw
from rulewright.engine import ALL_PASSES, Choice, EngineName, Policy, backend_of, engine_of, judging, pick
from rulewright.engine import policy as policy_of
from rulewright.engine.hidden_information.answers.audience import has_secrets
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.observations.log_visibility import log_for
from rulewright.engine.hidden_information.visibility import contained, seen
from rulewright.engine.hidden_information.worlds.determinization import beginning_of_node, decided
from rulewright.engine.hidden_information.worlds.replay_sampling import OtherGames, needed
from rulewright.engine.policies.policy import needs_log
from rulewright.engine.runtime.query_calls import declared_queries
from rulewright.engine.runtime.records import Decision
from rulewright.engine.states.state import advance
from rulewright.ir.model import Program
from rulewright.search.position_analysis import Effort
from rulewright.search.rollouts import Rating
from rulewright_lab.agents.learnt_player import LearntAgent
from rulewright_lab.agents.search_agents import FLAT, MCTS, OUTCOMES, MonteCarloAgent
from rulewright_lab.evaluation.evaluation import LINEAR, Evaluation, Weight
from rulewright_lab.evaluation.features import features_of

KEYS = 12
"""Keys of the universe that is chosen from for which it is asked why they are refused."""
WORLDS = (0, 1)
"""The seeds with which positions are imagined."""
WRONG = "no such answer"


class Differs(AssertionError):
    """Raised where twins are told different things."""


@dataclass
class Tally:
    """The number of twins and outputs that were compared."""

    twins: int = 0
    outputs: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Take in what others have compared."""
        self.twins += other.twins
        self.outputs += other.outputs

    def __str__(self) -> str:
        each = ", ".join(f"{name} {count:,}" for name, count in sorted(self.outputs.items()))
        return f"{self.twins:,} twins, {sum(self.outputs.values()):,} outputs: {each}"


class Comparison:
    """Compares what twins of one game are told, with the policies of some engines."""

    def __init__(self, program: Program, name: str, engines: Sequence[EngineName] = ("python", "native")) -> None:
        self.program, self.name, self.engines = program, name, engines
        self.engine = engine_of(program)
        self.tally = Tally()
        self.policies = list(_policies(program))
        self.searchers = list(_searchers(self.policies, program))
        self._searches: dict[tuple[EngineName, MonteCarloAgent | LearntAgent], Choice] = {}

    @property
    def hides(self) -> bool:
        """True if anything is hidden from anybody."""
        return has_secrets(self.engine)

    def outputs(
        self, state: rw.State, seat: int, logged: bool, imagined: bool = True
    ) -> Iterator[tuple[str, Callable[[], Any]]]:
        """All that the seat is given, by name; `logged`: also of how the game has come here; `imagined`: also what
        follows from worlds that are imagined."""
        decision = state.decision
        yield "view", lambda: json.dumps(state.view(seat))
        yield "question", lambda: decision and _asked(decision, seat)
        yield "questions", lambda: [_asked(one, seat) for one in state.decisions]
        if logged:
            yield "log", lambda: log_for(state, seat)
            yield "history", lambda: json.dumps(state.history(seat))
        if decision is not None and decision.seat == seat:
            yield "options", lambda: [option.key for option in decision.options]
            for key in _keys(state):
                yield "why", partial(_why, state, key)
            yield "error", lambda: state.choose(WRONG)
            for number, how in enumerate(self.policies if imagined else ()):
                for engine in self.engines:
                    yield f"policy, {engine}", partial(self._picked, state, how, number, engine)
            for engine in self.engines if imagined and len(decision.options) > 1 else ():
                agents = [one for one in self.searchers if logged or not needs_log(one)]
                searcher = agents[self.tally.twins % len(agents)]  # the next twins, the next agent
                yield f"search, {engine}", partial(self._searched, state, engine, searcher)
        elif decision is not None:
            yield "why", lambda: state.why_not(WRONG, seat)
        for seed in WORLDS if imagined else ():
            yield "imagined", partial(self._world, state, seat, seed)

    def compare(self, one: rw.State, other: rw.State, seat: int, logged: bool) -> None:
        """Compare all outputs of two positions; :class:`Differs` if one is another."""
        self.tally.twins += 1
        imagined = _counts(one, seat) == _counts(other, seat)
        mine_, theirs_ = (self.outputs(state, seat, logged, imagined) for state in (one, other))
        for (name, mine), (_, theirs) in zip(mine_, theirs_, strict=True):
            here, there = _told(mine), _told(theirs)
            self.tally.outputs[name] += 1
            if here != there:
                where = f"{self.name}, {one.decision.name if one.decision else 'over'}, seat {seat}"
                raise Differs(f"{where}: {name}:\n{str(here)[:2000]}\n{str(there)[:2000]}")

    def _picked(self, state: rw.State, how: Policy, number: int, engine: EngineName) -> int:
        backend = backend_of(self.program, engine, 1, self.policies, False, ALL_PASSES)
        with judging(self.engine, backend) as judge:
            return pick(state, how, rw.playing.Dice(number, "twins"), judge)

    def _searched(self, state: rw.State, engine: EngineName, searcher: MonteCarloAgent | LearntAgent) -> int:
        key = engine, searcher
        if key not in self._searches:
            self._searches[key] = searcher.begin(self.program, engine, ALL_PASSES)
        return self._searches[key](state, rw.playing.Dice(6, "twins"))

    def _world(self, state: rw.State, seat: int, seed: int) -> tuple[str, str]:
        world = state.imagine(seat, seed)
        return world.to_bytes().hex(), json.dumps(world.view(None))

    # ---------------------------------------------------------------------------------------- making twins

    def with_imagined(self, state: rw.State, seeds: Iterable[int]) -> None:
        """Compare a position with worlds that each seat imagines; these have no log."""
        for seat in range(self.program.players):
            if needed(Hidden(state, seat)) or decided(state):
                continue  # a world without a log cannot be played again
            for seed in seeds:
                try:
                    world = state.imagine(seat, 100 + seed)
                except rw.RulesetError:
                    continue
                self._own_answers(state, world, seat)
                if _alike(state, world, seat):
                    self.compare(state, world, seat, False)

    def _own_answers(self, state: rw.State, world: rw.State, seat: int) -> None:
        for (function, pc, slot), (said, imagined) in own_answers(state, world, seat).items():
            self.tally.outputs["own answers"] += 1
            if said != imagined:
                where = f"{self.program.functions[function].name} at {pc}, slot {slot}"
                raise Differs(f"{self.name}, {where}: seat {seat} has answered {said} and imagines {imagined}")

    def with_other_games(self, state: rw.State, seeds: Sequence[int]) -> None:
        """Compare positions at the ends of other games that each seat may have taken for this one."""
        for seat in range(self.program.players):
            games = OtherGames(state, seat, advance)
            found = [games.another(rw.playing.Dice(seed, "other games")) for seed in seeds] if games.found else []
            ends = [end for end in found if isinstance(end, rw.State)]
            for other in ends[1:]:
                self.compare(ends[0], other, seat, True)

    def of_group(self, group: Sequence[rw.State], seat: int) -> None:
        """Compare positions in which a seat has seen and heard the same."""
        for other in group[1:]:
            self.compare(group[0], other, seat, True)


def _counts(state: rw.State, seat: int) -> list[int]:
    """The number of pieces in each zone that others can count, and the seat cannot: worlds have as many there, as the
    documentation of :meth:`rw.State.imagine` says, but for what is decided at once."""
    state = beginning_of_node(state, advance) or state
    layout, found = state.engine.layout, list[int]()
    for declared in state.engine.program.zones:
        first = layout.zones[declared.name].first
        rows = [seen(state, declared, player).rows for player in range(state.engine.program.players)]
        for row, facets in enumerate(rows[seat]):
            if not facets and any(own[row] for own in rows):
                found.append(contained(state.cells, layout.instances[first + row]).bit_count())
    return found


def _asked(decision: Decision, seat: int) -> tuple[object, ...]:
    """A question as a seat hears of it; what another one is asked is told by the view, as far as it is told."""
    if decision.seat != seat:
        return (decision.who,)
    return decision.who, decision.name, decision.label, decision.secret


def _why(state: rw.State, key: str) -> object:
    return key, state.why_not(key)


def _policies(program: Program) -> Iterator[Policy]:
    engine = engine_of(program)
    for name in islice(declared_queries(engine), 40):
        try:
            yield policy_of(engine, f"greedy:{name}", noise=0)
            yield policy_of(engine, f"lead:{name}", look=4, noise=0)
        except rw.RulesetError:
            continue
        return


def _searchers(policies: Sequence[Policy], program: Program) -> Iterator[MonteCarloAgent | LearntAgent]:
    """Agents of each kind that search: also with a query that rates positions, where there is any, and with weights
    of all features."""
    yield MonteCarloAgent(OUTCOMES, Effort(6))
    names = features_of(engine_of(program)).names
    weights = tuple(Weight(name, (7 * number % 11 - 5) / 10, 1.0) for number, name in enumerate(names))
    evaluation = Evaluation("some", LINEAR, 0.0, -100.0, 100.0, weights)
    yield LearntAgent(evaluation)
    for rating in (None, *(Rating(how.query, 4) for how in policies[:1]), Rating("learnt", 1, evaluation)):
        yield MonteCarloAgent(MCTS, Effort(6), rating)
        yield MonteCarloAgent(FLAT, Effort(6), rating)
    yield MonteCarloAgent(MCTS, Effort(6), mast=True)


def _keys(state: rw.State) -> list[str]:
    """Keys that may be refused: of what is chosen from, of other words, and none at all."""
    question = state.question
    assert question is not None
    universe = state.engine.layout.universes.get(question.instr.universe)
    named = list(universe.keys) if universe is not None else [str(number) for number in range(-1, 9)]
    step = max(1, len(named) // KEYS)
    return [
        *dict.fromkeys(named[::step]),
        *(f"{key}, place 1" for key in named[: 2 * step : step]),
        "pass",
        "done",
        WRONG,
    ]


def _alike(one: rw.State, other: rw.State, seat: int) -> bool:
    return other.decision is not None and json.dumps(one.view(seat)) == json.dumps(other.view(seat))


def _told(output: Callable[[], Any]) -> object:
    """An output, or the error in its place."""
    try:
        return output()
    except rw.RulesetError as error:
        return str(error)


def positions(state: rw.State, pick_: int, most: int) -> Iterator[rw.State]:
    """A random game, decision by decision."""
    for _ in range(most):
        if state.decision is None:
            return
        yield state
        pick_ = (pick_ * 1664525 + 1013904223) % 2**32
        state = state.choose((pick_ >> 8) % len(state.decision.options))


__all__ = ["Comparison", "Differs", "Tally", "positions"]
