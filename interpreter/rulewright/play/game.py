"""A game that can be played: a ruleset for a number of players, with variants and options folded in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright import engine
from rulewright.compiler import sources
from rulewright.data.opening import opened
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics.suggestions import did_you_mean, listing
from rulewright.engine import (
    Agent,
    Batch,
    Dice,
    EngineName,
    LogEntry,
    MeasuredGames,
    Passes,
    Played,
    Playouts,
    Policy,
    State,
    Stepper,
    Watch,
)
from rulewright.foundation.notebook_html import facts
from rulewright.host.api_arguments import invalid_argument, seat, truth, whole
from rulewright.host.api_arguments import text as as_text
from rulewright.host.budgets import Limits, limited
from rulewright.ir import model as m
from rulewright.ir.codec import packed, unpacked
from rulewright.play.game_facts import GameFacts
from rulewright.play.pictures import svg_if_possible
from rulewright.search.position_analysis import Search
from rulewright.search.rollouts import seat_to_move

if TYPE_CHECKING:
    from rulewright.engine.native.backend import Backend


class Game(GameFacts):
    """A program with its ruleset. Make it with :func:`load`; it never changes and may be shared."""

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[str, bytes, Ruleset, EngineName, Passes]]:
        """The program by its digest and bytes, the ruleset by its texts; it is compiled where it is first played."""
        return _game_from, (*packed(self.program), self.ruleset, self.backend, self.passes)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    @staticmethod
    def of_scenario(
        ruleset: str | Path | Ruleset, title: str, seed: int = 0, ask_chance: bool = False
    ) -> tuple[Game, State]:
        """The game of a scenario, and the state in which its rules begin: the position that it lays out. Its answers
        and its chance are left to those who play; with `ask_chance` chance is a decision, too."""
        from rulewright.play import scenarios

        as_text("the scenario", title)
        whole("the seed", seed)
        found_in, _ = opened(ruleset, ())
        plan = next(scenarios.planned(found_in, lambda one, _: one == title), None)
        if plan is None:
            titles = [scenario.title for scenario in sources(found_in).rules.scenarios]
            hint = did_you_mean(title, titles) or f"there is {listing(titles, 5)}"
            raise invalid_argument("the scenario", title, f"{found_in.title} has no scenario of this title", hint)
        if isinstance(plan, scenarios.ScenarioResult):
            assert plan.failure is not None
            raise invalid_argument("the scenario", title, plan.failure.message)
        try:
            return Game(plan.program, found_in), scenarios.starting_state(plan, seed, truth("ask_chance", ask_chance))
        except scenarios.Failed as failed:
            raise invalid_argument("the scenario", title, str(failed)) from None

    def start(
        self,
        seed: int = 0,
        ask_chance: bool = False,
        fired: list[int] | None = None,
        watch: Watch | None = None,
    ) -> State:
        """A new game at its first decision.

        `seed` (64 bits are used) decides everything that chance does, unless `ask_chance` makes chance a decision
        that you answer too. `fired` (from :meth:`new_fired`) counts the uses of rules in all states that follow;
        a `watch` (from :meth:`watch`) checks the properties of one game that is played forwards.
        """
        whole("the seed", seed)
        truth("ask_chance", ask_chance)
        self._counters(fired)
        if watch is not None and not (isinstance(watch, Watch) and self._is_played_by(watch.engine.program)):
            raise invalid_argument("the watch", watch, "make it with `game.watch()`")
        found = engine.start(self.program, seed, ask_chance, fired, watch, self.passes)
        engine.lay_picture(found.engine, partial(svg_if_possible, self))
        return found

    def __repr__(self) -> str:
        return f"<Game {', '.join((self.title, *self.variants))}: {self.players} players>"

    def _repr_svg_(self) -> str | None:
        return self.start()._repr_svg_()

    def _repr_html_(self) -> str:
        about = {
            "seats": self.seats,
            **({"variants": self.variants} if self.variants else {}),
            **{name: str(value) for name, value in self.parameters.items()},
        }
        return f"<div>{facts(about, self.title)}{self.start()._repr_html_()}</div>"

    def watch(self) -> Watch:
        """Finds broken properties while one game is played; see :meth:`start`."""
        return Watch(self.engine)

    def playout(
        self,
        seed: int = 0,
        keep: bool = False,
        fired: list[int] | None = None,
        most: int = 100_000,
        policies: Sequence[Agent] = (),
        check: bool = False,
        limits: Limits | None = None,
        answers_seed: int | None = None,
    ) -> Played:
        """A whole game, much faster than state by state. Chance and answers follow from the seed; with `answers_seed`
        random answers and the dice of agents follow from that instead.

        All answers are random, or the seats follow `policies` (from :meth:`policy`): one for all of them, or one for
        each in seat order. With `keep` the answers are kept, so that the game can be played again state by state; with
        `check` every invariant and property is looked at whenever the game rests, see :attr:`Played.broken`. A game
        that is not over after `most` decisions is stopped. `limits` are in force for this game only; for all requests
        to games and states see :func:`rulewright.limited`.
        """
        whole("the seed", seed)
        whole("the number of decisions", most, least=0)
        truth("check", check)
        truth("keep", keep)
        self._counters(fired)
        each = engine.each_seat(policies, self.players)
        if answers_seed is not None:
            whole("the seed of the answers", answers_seed)
        native = self._backend(1, each, check) if each or not keep else None
        with limited(Limits() if limits is None else limits):
            return engine.Playout(self.program, fired, each, check, native, self.backend, self.passes).play(
                seed, most, keep, answers_seed=answers_seed
            )

    def playouts(
        self,
        count: int,
        seed: int = 0,
        most: int = 100_000,
        limits: Limits | None = None,
        threads: int = 1,
        check: bool = False,
        policies: Sequence[Agent] = (),
    ) -> Playouts:
        """Whole games, of which only is kept how they ended; game number *i* has seed ``seed + i``.

        They are the games of :meth:`playout`, also with `policies`, natively played from the first if that can be,
        those at random by so many `threads`; the results are the same. With `check` every invariant and property is
        looked at, see :attr:`Playouts.broken`. `limits` are in force for all of them together.
        """
        whole("the number of threads", threads, least=1)
        whole("the number of games", count, least=0)
        whole("the seed", seed)
        whole("the number of decisions", most, least=0)
        truth("check", check)
        each = engine.each_seat(policies, self.players)
        native = self._backend(count, each, check)
        with nullcontext() if limits is None else limited(limits):
            return engine.play_many(
                self.program, count, seed, most, native, threads, check, each, self.backend, self.passes
            )

    def measured_games(self, queries: Sequence[str], games: int) -> MeasuredGames | None:
        """For the engine: the player of so many more games at random by machine code, who asks these queries at the end
        of each; None if that cannot be, or is not worth it. The games are those of :meth:`playout`."""
        return engine.measured_games(self.program, tuple(queries), games, self.backend, self.passes)

    def _backend(self, games: int, policies: Sequence[Agent], check: bool = False) -> Backend | None:
        return engine.backend_of(self.program, self.backend, games, policies, check, self.passes)

    def states(self, seed: int, at: Iterable[int], answers: Sequence[int] | None = None) -> Iterator[tuple[int, State]]:
        """The states after so many answers each, in their order, with these numbers; they have no log.

        They are those of the game of :meth:`playout` with this seed, or with other `answers`. It is played in place, so
        that states that are not looked at cost little.
        """
        whole("the seed", seed)
        if not isinstance(at, Iterable) or isinstance(at, str | bytes):
            raise invalid_argument("the numbers of answers", at, "they are a list of whole numbers")
        numbers = [whole("a number of answers", number, least=0) for number in at]
        if answers is not None:
            if not isinstance(answers, Sequence) or isinstance(answers, str | bytes):
                raise invalid_argument("the answers", answers, "they are a list of the numbers of options")
            answers = [whole("an answer", answer) for answer in answers]
        return engine.visited(self.program, seed, numbers, answers, self.backend, self.passes)

    def stepper(self, seed: int = 0) -> Stepper:
        """A game that is played forwards by the numbers of options, as searches do: see :class:`Stepper`."""
        whole("the seed", seed)
        made = engine.stepper_of(self.program, self.backend, self.passes)
        made.begin(seed)
        return made

    def batch(self, count: int, seed: int = 0) -> Batch:
        """Many games that are played together: see :class:`Batch`."""
        whole("the number of games", count, least=1)
        whole("the seed", seed)
        made = engine.batch_of(self.program, self.backend, count, self.passes)
        made.begin(seed)
        return made

    def policy(self, text: str, look: int = 8, noise: int = 10) -> Policy:
        """A policy for a seat, by its word: ``random``, ``greedy:score``, ``lead:score``.

        ``score`` stands for any query or value of the rules about one player whose answer is a number or a truth.
        Greedy tries up to `look` of their options, one answer ahead, and takes one after which it is highest for
        themselves; lead: highest above that of the best other player. In `noise` of a hundred decisions any option is
        taken. It knows no more than the player does: what is hidden from them is dealt anew before it looks ahead.
        RulesetError if there is no such policy or query. Agents that search further are those of :mod:`rulewright_lab`.
        """
        whole("look", look, least=0)
        whole("noise", noise, least=0)
        return engine.policy(self.engine, as_text("the policy", text), look, noise)

    def pick(self, state: State, policy: Agent, dice: Dice) -> int:
        """The number of the option that an agent takes in a state; RulesetError if no player is to move there."""
        if not engine.is_agent(policy):
            raise invalid_argument("the policy", policy, "make it with `game.policy`")
        if not isinstance(dice, Dice):
            raise invalid_argument("the dice", dice, "they must be Dice")
        own = self.own_state(state)
        seat_to_move(own)
        if not isinstance(policy, Policy):
            with engine.pooled_choice(policy, self.engine, self.backend, self.passes) as choice:
                return choice(own, dice) if len(own.answers()) > 1 else 0
        with engine.judging(self.engine, self._backend(0, (policy,)) if policy.query else None) as judge:
            return engine.pick(own, policy, dice, judge)

    def search(self, agent: Agent) -> Search:
        """The search of an agent in this game, which rates each answer of a position. One position at a time;
        RulesetError if the agent does not search."""
        begin = getattr(agent, "begin", None) if engine.is_agent(agent) else None
        found = begin(self.program, self.backend, self.passes) if begin is not None else None
        if found is None or not hasattr(found, "analyse"):
            raise invalid_argument(
                "the agent", agent, 'it must be one that searches, such as `rulewright_lab.agent(game, "mcts:1000")`'
            )
        search: Search = found
        return search

    def ends_move(self, at: State | Stepper) -> bool:
        """True if the move of the rules is over with whatever is answered now, as far as is known before."""
        if isinstance(at, Stepper):
            if not self._is_played_by(at.engine.program):
                raise invalid_argument("the stepper", at, "it plays another game")
            return at.question in self._last_questions
        question = self.own_state(at).question
        return question is not None and (question.function, question.pc) in self._last_questions

    def is_within(self, state: State, procedure: str) -> bool:
        """True if a procedure has begun in a state and is not over."""
        own = self.own_state(state)
        return engine.runs(self.engine, own.stack, as_text("the procedure", procedure))

    def new_fired(self) -> list[int]:
        """A counter for each of :attr:`rule_names`."""
        return self.engine.new_fired()

    def load(self, data: Mapping[str, Any]) -> State:
        """The state that :meth:`State.save` made, or to which a log (``schemas/log.schema.json``) leads; RulesetError
        if it is damaged or of another game."""
        if isinstance(data, Mapping) and data.get("format") == engine.LOG_FORMAT:
            return engine.replay_data(self.program, data)
        return engine.load(self.program, data, self.passes)

    def replay(self, log: Iterable[LogEntry], seed: int = 0, ask_chance: bool | None = None) -> State:
        """Play a log again from the start; RulesetError at the first entry that does not fit.

        `seed` is that of the game. Where chance was a decision, its entries decide: ``state.log`` knows that by
        itself, of any other series of entries `ask_chance` must say it.
        """
        return engine.replay(self.program, seed, log, ask_chance, self.passes)

    def leaks(self, state: State, player: int, seed: int) -> list[str]:
        """Differences by which a player (by number) could distinguish a state from another of which they know the same.

        One such state is dealt from the seed (as :meth:`State.imagine` does, but whatever it offers). If it offers the
        player something else, or refuses something for other reasons, a rule about their options reads what is hidden
        from them. Each difference is one sentence that names the choice; none if they are not to move. One seed tries
        one other state: call it with several. What is hidden is exchanged, never made up: a secret that only one player
        has, or that is the same for all, stays as it is, and a choice that reads it is not found.

        A difference, too: other decisions, or more of them, in the logs of others after another answer of the player,
        though nothing else that these others see is different then.
        """
        return engine.leaks(self.own_state(state), seat(self.seats, player), whole("the seed", seed))

    def broken_invariants(self, state: State) -> list[str]:
        """Invariants that do not hold in a state, each as ``name`` or ``name (member)``."""
        return [
            name if member is None else f"{name} ({member})" for name, member in engine.broken(self.own_state(state))
        ]

    def own_state(self, state: State) -> State:
        """The state itself, if it is one of this game; RulesetError otherwise."""
        if not isinstance(state, State):
            raise invalid_argument("the state", state, "it must be a state of this game")
        if not self._is_played_by(state.engine.program):
            other = state.engine.program
            wanted = f"it is one of {other.title} for {other.players}, and not of this game"
            raise invalid_argument("the state", state, wanted)
        return state

    def _is_played_by(self, program: m.Program) -> bool:
        """True if a program is that of this game."""
        return program is self.program or program == self.program

    def _counters(self, fired: list[int] | None) -> None:
        if fired is not None and (not isinstance(fired, list) or len(fired) != len(self.rule_names)):
            raise invalid_argument("fired", fired, "make it with `game.new_fired()`")


def _game_from(digest: str, data: bytes, ruleset: Ruleset, backend: EngineName, passes: Passes) -> Game:
    """A game out of a pickle."""
    return Game(unpacked(digest, data), ruleset, backend, passes)
