"""Universal properties: those that every ruleset must keep, declared or not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from copy import copy

from rulewright.compiler.lowering.function_builder import SETTLE
from rulewright.compiler.reactions.consequence_checks import consequences
from rulewright.diagnostics import RulesetError
from rulewright.engine import Broken, Dice, Mode, State, broken
from rulewright.engine.runtime.canonical_form import runs
from rulewright.findings.fuzzing.deadlines import UNLIMITED, Limits
from rulewright.findings.fuzzing.failures import Violation, of_error
from rulewright.ir.model import NONE
from rulewright.play.game import Game

OPTIONS = 12
"""So many options of a decision are tried when a state is looked at closely."""

WORLDS = 3
"""So many other worlds are dealt to see whether options reveal what is hidden."""


def of_broken(game: Game, one: Broken, sides: str = "") -> Violation:
    """The trouble of an invariant or property that does not hold; both sides of its comparison, if they are known."""
    name, member = one
    assertion = next(a for a in game.program.assertions if a.name == name)
    about = f" for {member}" if member is not None else ""
    message = f"the {assertion.word} `{name}` does not hold{about}" + (f": not {sides}" if sides else "")
    return Violation("property" if assertion.word == "property" else "invariant", name, message, assertion.cites)


def endless(game: Game, most: int) -> Violation:
    """The trouble of a game that is not over after so many decisions."""
    return Violation("endless", game.program.main, f"the game is not over after {most} decisions")


def resumed(state: State, mode: Mode) -> State:
    """A state to be played on in another mode."""
    again = copy(state)
    again.mode = mode
    return again


def look_closely(
    game: Game, state: State, dice: Dice, limits: Limits = UNLIMITED, looks: Counter[str] | None = None
) -> Iterator[tuple[Violation, tuple[int, ...]]]:
    """Violations in a state with a question, and the answers after which they occur; `looks` counts what was looked at.

    Looks whether a save gives the same state, whether every option can be taken and leaves the state as it was,
    whether all has followed that is due, whether each refusal has a reason, and whether options reveal what is hidden.
    """
    looks = Counter() if looks is None else looks
    decision = state.decision
    assert decision is not None
    before = list(state.cells), list(state.stack)
    quiet = resumed(state, Mode(ask_chance=True))
    saved = game.load(json.loads(json.dumps(state.save())))
    looks["saves"] += 1
    if saved != state:
        yield _copy(f"save {decision.name}", f"a save at `{decision.name}` does not give the same state"), ()
    for option in sorted(dice.some(len(decision.options), OPTIONS)):
        limits.spend()
        looks["options"] += 1
        try:
            after = quiet.choose(option)
            fallen = broken(after)
        except RulesetError as error:
            yield of_error(error.diagnostics[0]), (option,)
            continue
        for one in fallen:
            yield of_broken(game, one), (option,)
        if saved.choose(option) != after:
            message = f"a saved game goes on differently after `{decision.name}`"
            yield _copy(f"saved {decision.name}", message), (option,)
    if (state.cells, state.stack) != before:
        message = f"answers to `{decision.name}` change the state they are given in"
        yield _copy(f"changed {decision.name}", message), ()
    wrong = (
        overdue(quiet, looks) or refused_without_reason(quiet, dice, looks) or leaking(game, quiet, dice, limits, looks)
    )
    if wrong is not None:
        yield wrong, ()


def overdue(state: State, looks: Counter[str]) -> Violation | None:
    """The violation if a consequence or immediate end is due where a player decides: it should have followed before."""
    if state.decision is None or state.decision.seat is None or runs(state.engine, state.stack, SETTLE):
        return None
    for name, match in consequences(state.engine.program):
        looks["consequences"] += 1
        if state.evaluate(match) != NONE:
            return _copy(f"due {name}", f"`{name}` is due where `{state.decision.name}` is decided")
    return None


def refused_without_reason(state: State, dice: Dice, looks: Counter[str]) -> Violation | None:
    """The violation if an answer is refused that is offered, or one that is not offered is refused without a
    reason."""
    decision, question = state.decision, state.question
    if decision is None or question is None or decision.seat is None:
        return None
    offered = {option.key for option in decision.options}
    universe = state.engine.layout.universes.get(question.instr.universe)
    others = [key for key in universe.keys if key not in offered] if universe is not None else []
    refusals = [state.why_not(others[number]) for number in sorted(dice.some(len(others), OPTIONS))]
    for refusal in (*refusals, *state.refused_answers(most=OPTIONS)):
        looks["refusals"] += 1
        if refusal.allowed or refusal.key in offered:
            return _copy(
                f"refused {decision.name}", f"`{refusal.key}` is refused at `{decision.name}` without a reason"
            )
    return None


def leaking(game: Game, state: State, dice: Dice, limits: Limits, looks: Counter[str]) -> Violation | None:
    """The violation if the question reveals what is hidden from the player who decides."""
    decision = state.decision
    if decision is None or decision.seat is None:
        return None
    for _ in range(WORLDS):
        limits.spend()
        looks["worlds"] += 1
        found = game.leaks(state, decision.seat, dice.below(1 << 32))
        if found:
            return Violation("leak", decision.name, found[0], decision.cites)
    return None


def steady(game: Game, seed: int, most: int, limits: Limits = UNLIMITED) -> Violation | None:
    """The violation if a game comes out differently when it is replayed from its seed, its answers or its log."""
    try:
        first = game.playout(seed, keep=True, most=most)
        limits.spend()
        again = game.playout(seed, most=most)
        state = game.start(seed)
        for answer in first.answers:
            limits.spend()
            state = state.choose(answer)
        message = game.replay(state.log, seed)
    except RulesetError:
        return None  # the search finds it by itself
    if first.state.to_bytes() != again.state.to_bytes():
        return _copy("seed", f"seed {seed} does not give the same game twice")
    if state.to_bytes() != first.state.to_bytes() or message.to_bytes() != state.to_bytes():
        return _copy("replay", f"the game of seed {seed} comes out differently when it is played again")
    return None


def _copy(name: str, message: str) -> Violation:
    return Violation("copy", name, f"{message}; this is a bug in Rulewright, please report it")
