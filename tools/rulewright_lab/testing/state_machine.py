"""State machines of Hypothesis that play a ruleset: they answer, take back, save and resume.

After each step the invariants and properties of the ruleset must hold, and those of the one who subclasses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, cast

from hypothesis import strategies as st
from hypothesis.errors import InvalidDefinition
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import rulewright as rw
from rulewright.compiler import OptionValue
from rulewright.data import Ruleset
from rulewright.engine import Checks, Option, State
from rulewright.play import Game
from rulewright_lab.testing.declarations import assertion_of
from rulewright_lab.testing.strategies import SEEDS, answers, described, errors_for_people, games


class RulesetStateMachine(RuleBasedStateMachine):
    """A game of a ruleset, played by Hypothesis: subclass it and name the `ruleset`, or use :func:`machine_for`.

        class PigMachine(RulesetStateMachine):
            ruleset = "pig"
            players = 2

            @invariant()
            def points_are_few(self):
                assert self.state.ask("points", "player_1") < 200

        TestPig = PigMachine.TestCase

    Each step answers a decision, takes an answer back (the rest is played again from the start and must come to the
    state that was there), or saves the game and goes on with what is loaded. In every state that is settled the
    invariants and properties that the ruleset declares must hold. Rules and invariants of Hypothesis may be added; they
    find the `game` and its `state`.
    """

    ruleset: ClassVar[str | Path | Ruleset]
    """The name of a shipped ruleset, a path, or a ruleset that is opened."""
    players: ClassVar[int | Iterable[int] | None] = None
    """The number of players, or several; None: every number of the rules."""
    variants: ClassVar[Iterable[str]] = ()
    options: ClassVar[Mapping[str, OptionValue | st.SearchStrategy[OptionValue]] | None] = None
    everything: ClassVar[bool] = False
    """True to draw variants and values of parameters, too; see :func:`rulewright_lab.testing.games`."""
    ask_chance: ClassVar[bool] = False
    """True if chance is a decision like the others."""

    game: Game
    seed: int
    state: State

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Begin a game."""
        __tracebackhide__ = True
        self.game = data.draw(_games_of(type(self)), label="game")
        self.seed = data.draw(SEEDS, label="seed")
        self._start()

    @precondition(lambda self: self.state.decision is not None)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        """Answer the decision."""
        __tracebackhide__ = True
        decision = self.state.decision
        assert decision is not None
        self._take(data.draw(answers(self.state), label=f"{decision.who}: {decision.name}"))

    @precondition(lambda self: len(self._past) > 1)
    @rule()
    def undo(self) -> None:
        """Take the last answer back."""
        __tracebackhide__ = True
        *given, _ = self._given
        *_, before, _ = self._past
        self._start()
        for option in given:
            self._take(option)
        if self.state != before:
            raise AssertionError(self._story("the game comes out differently when its answers are given again"))

    @rule()
    def save_and_resume(self) -> None:
        """Save the game, load it, and go on with what was loaded."""
        __tracebackhide__ = True
        loaded = self.game.load(json.loads(json.dumps(self.state.save())))
        if loaded != self.state:
            raise AssertionError(self._story("a save does not give the same state"))
        self.state = rw.fuzzing.resumed(loaded, self.state.mode)

    @invariant()
    def declared_assertions_hold(self) -> None:
        """Invariants and properties of the ruleset hold."""
        __tracebackhide__ = True
        if self._checks.broken:
            raise AssertionError("\n\n".join(self._broken(name, member) for name, member in self._checks.broken))

    def _start(self) -> None:
        __tracebackhide__ = True
        self._checks = Checks(self.game.engine)
        self._given: list[Option] = []
        self._past: list[State] = []
        with errors_for_people():
            self._come_to(self.game.start(self.seed, self.ask_chance, watch=self._checks.watch))

    def _take(self, option: Option) -> None:
        __tracebackhide__ = True
        with errors_for_people():
            after = self.state.choose(option)
        self._given.append(option)
        self._come_to(after)

    def _come_to(self, state: State) -> None:
        self.state = state
        self._past.append(state)
        self._checks.look(state)

    def _broken(self, name: str, member: str | None) -> str:
        """The report of an invariant or property that does not hold: what is compared, where it stands, the answers."""
        one = name, member
        found = rw.fuzzing.of_broken(self.game, one, self._checks.sides(one))
        declared = assertion_of(self.game.ruleset, name)
        return self._story(found.told, declared.place if declared is not None else "", found.cites)

    def _story(self, message: str, line: str = "", cites: tuple[str, ...] = ()) -> str:
        """A message with the game and its answers, laid out as `rulewright test` does."""
        parts = (
            ("about", " ".join(f"@{cite}" for cite in cites)),
            ("line", line),
            ("game", described(self.game, self.seed)),
        )
        log = [f"    {entry.who}: {entry.name} = {entry.key}" for entry in self.state.log]
        found = [f"  {word:<9} {text}" for word, text in parts if text]
        return "\n".join([message, *found, *(["  log", *log] if log else [])])


@cache
def _games_of(kind: type[RulesetStateMachine]) -> st.SearchStrategy[Game]:
    """The games that a machine plays; made once, so that each is loaded once."""
    if not hasattr(kind, "ruleset"):
        raise InvalidDefinition(f'{kind.__name__} names no ruleset: write `ruleset = "pig"`, or the path of yours')
    return games(
        kind.ruleset,
        players=kind.players,
        variants=kind.variants,
        options=kind.options,
        everything=kind.everything,
    )


def machine_for(
    ruleset: str | Path | Ruleset,
    *,
    players: int | Iterable[int] | None = None,
    variants: Iterable[str] = (),
    options: Mapping[str, OptionValue | st.SearchStrategy[OptionValue]] | None = None,
    everything: bool = False,
    ask_chance: bool = False,
) -> type[RulesetStateMachine]:
    """A state machine for a ruleset, of which ``machine_for("pig").TestCase`` is the test; the arguments are those of
    :func:`rulewright_lab.testing.games`."""
    name = ruleset.name if isinstance(ruleset, Ruleset) else Path(ruleset).name
    body: dict[str, Any] = {
        "__module__": __name__,
        "ruleset": ruleset,
        "players": players if players is None or isinstance(players, int) else tuple(players),
        "variants": tuple(variants),
        "options": options,
        "everything": everything,
        "ask_chance": ask_chance,
    }
    title = "".join(word.capitalize() for word in name.replace("_", "-").split("-") if word.isidentifier())
    return cast("type[RulesetStateMachine]", type(f"{title}Machine", (RulesetStateMachine,), body))
