"""Positions laid beside those of random games, from which the rules come to what games do not come to: with a scenario.

A position in the middle of a rule cannot be written down. So what the solver has changed is laid out where the last
procedure began, the same answers are given again, and the engine evaluates whether the condition holds then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from rulewright.diagnostics import RulesetError
from rulewright.engine import Position, State
from rulewright.engine.random_numbers import RandomAnswers
from rulewright.findings.model_finding.laid import Laid, Unsolved
from rulewright.findings.model_finding.nearest_position import Change, ModelFinder, changed_cells
from rulewright.foundation.bit_sets import members_of
from rulewright.ir import model as m
from rulewright.ir.assertion_queries import compares, whole
from rulewright.ir.transform.rewriting import Rewriter, substituted, with_slots
from rulewright.play.game import Game
from rulewright.play.scenarios import Untold, record
from rulewright.play.scenarios.recording.replayed_game import Beginning, beginnings, matching, replayed_game
from rulewright.play.scenarios.recording.scenario_lines import AnswerWords
from rulewright.play.scenarios.recording.state_diff import differences, lay
from rulewright.syntax import ast, print_file

GAMES = 12
"""Random games in whose positions something is laid."""
DECISIONS = 400
"""Decisions of each of them at most."""
TRIED, BESIDE = 10, 5
"""Number of calls of the solver; and for a condition beside positions that are known."""
SPREAD = 3
"""Members that are tried where any would do, spread over all of them;"""
WITNESSES = 3
"""of several that go together so many in all."""
BEGINNINGS = 3
"""Procedures that had begun before a question, from which a scenario is tried."""
PLAYED = 40
"""Decisions that are played from a laid position until a rule is used;"""
SEEDS = 4
"""with so many seeds."""


class PositionSearch:
    """Lays positions beside those of random games of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        kept = (whole(one) for one in game.program.assertions if one.word == "invariant")
        self._finder = ModelFinder([one for one in kept if not compares(one)])

        self._left = TRIED

    def used(self, rule: str, wanted: m.Expr, until: Callable[[State], State | None] | None = None) -> Laid | Unsolved:
        """A position from which a rule is used soon: where `wanted` holds, a closed condition. `until` plays on until
        it is used; else games at random do."""
        why, self._left = Unsolved.NOT_ASKED, TRIED
        for state in self._states_of_question():
            change = self._change(state, wanted)
            if isinstance(change, Unsolved):
                why = change
                continue
            for again, _ in self._again(state, change):
                last = self._until(again, rule) or (until(again) if until is not None else None)
                found = self._scenario_of(last, state, change, rule) if last is not None else None
                if found is not None:
                    return found
        return why

    def beside(self, wanted: m.Expr, state: State, cells: Sequence[int], again: bool) -> list[int] | None:
        """The cells of the position from which a state has come, changed so that a condition would hold in the state;
        it may speak of its frame. The solver is called a number of times for one condition, if it is asked `again`."""
        self._left = self._left if again else BESIDE
        change = self._change(state, framed(state, wanted)) if self._left else None
        return changed_cells(list(cells), state.engine, change) if isinstance(change, Change) else None

    def _change(self, state: State, wanted: m.Expr) -> Change | Unsolved:
        """The change with which a condition holds; for a condition on any member, of some of them in turn."""
        found: Change | Unsolved = Unsolved.TOO_HARD
        for condition in islice(_witnessed(state, wanted), min(WITNESSES, self._left)):
            self._left -= 1
            change = self._finder.nearest(state, condition)
            if isinstance(change, Change):
                return change
            found = change
        return found

    # ------------------------------------------------------------------------------------------ positions that come

    def _states_of_question(self) -> Iterator[State]:
        """States of random games that rest at a question of a player, far from each other."""
        for seed in range(GAMES):
            pick, passed = RandomAnswers(seed), 0
            try:
                state = self._game.start(seed, ask_chance=True)
                for _ in range(DECISIONS):
                    decision = state.decision
                    if decision is None or not self._left:
                        break
                    here = decision.seat is not None
                    if here and passed & (passed - 1) == 0:  # the first, the second, the fourth …
                        yield state
                    passed += here
                    state = state.choose(decision.options[pick(len(decision.options))])
            except RulesetError:
                continue

    def _again(self, state: State, change: Change) -> Iterator[tuple[State, Beginning]]:
        """The state with the change, come to from a position that is laid where a procedure began, and this."""
        played, moments = replayed_game(state)
        for number, beginning in enumerate(beginnings(played, moments, len(played.answers))):
            if number == BEGINNINGS:
                return
            try:
                position = Position(state.engine.program, 0, ask_chance=True)
                if not beginning.laid or not lay(position, beginning.laid):
                    continue
                cells = changed_cells(position.cells, state.engine, change)
                laid = replace(beginning, laid=tuple(differences(state.engine, cells)))
                again = self._entered(laid)
                for given in played.answers[beginning.before :]:
                    decision = again.decision if again is not None else None
                    if again is None or decision is None or given.decision_key != (decision.who, decision.name):
                        again = None
                        break
                    option = matching(decision, given)
                    again = again.choose(option) if option is not None else None
            except RulesetError:
                continue
            if again is not None and again.decision is not None:
                yield again, laid

    def _entered(self, beginning: Beginning) -> State | None:
        """The state after a procedure was entered from a position, laid out as a scenario does it."""
        position = Position(self._game.program, 0, ask_chance=True)
        if not lay(position, beginning.laid):
            return None
        position.mode = replace(position.mode, fired=self._game.new_fired())
        return position.enter(beginning.function, beginning.args)

    def _until(self, state: State, rule: str) -> State | None:
        """The state before an answer with which a rule is used, in random games from here on."""
        names = self._game.rule_names
        if rule not in names:
            return None
        number, fired = names.index(rule), state.mode.fired
        assert fired is not None
        for seed in range(SEEDS):
            pick, here = RandomAnswers(seed), state
            try:
                for _ in range(PLAYED):
                    decision = here.decision
                    if decision is None:
                        break
                    before = fired[number]
                    here = here.choose(decision.options[pick(len(decision.options))])
                    if fired[number] > before:
                        return here
            except RulesetError:
                continue
        return None

    # ------------------------------------------------------------------------------------------ as a scenario

    def _scenario_of(self, state: State, before: State, change: Change, label: str) -> Laid | None:
        """A scenario that leads to a state from where it was laid."""
        try:
            recording = record(self._game.ruleset, state)
        except Untold:
            return None
        title = f"a laid position in which {label} is used"
        return Laid(state, tuple(self._lines(before, change)), recording.text(title, recording.proposed))

    def _lines(self, state: State, change: Change) -> Iterator[str]:
        """Lines of a scenario for what was changed."""
        words = AnswerWords(state.engine)
        was = set(differences(state.engine, state.cells))
        now = differences(state.engine, changed_cells(list(state.cells), state.engine, change))
        for line in words.lines([one for one in now if one not in was]):
            text = print_file(ast.File((ast.Scenario("line", (line,)),)))
            yield " ".join(text.partition("\n")[2].split())


def _witnessed(state: State, e: m.Expr) -> Iterator[m.Expr]:
    """A condition with members in the place of those of which any would do: then it speaks of few cells."""
    match e:
        case m.And((*items,)) if items:
            for last in _witnessed(state, items[-1]):
                yield m.And((*items[:-1], last))
        case m.Fold("some", (m.Bound(var, source), *rest), where):
            inner = m.Fold("some", tuple(rest), where, None) if rest else where or m.Const(1)
            try:
                members = [one for one in members_of(state.evaluate(source)) if one != m.NONE]
            except RulesetError:
                members = []
            if not members:
                yield e
            for member in members[:: max(1, len(members) // SPREAD)]:
                yield from _witnessed(state, substituted(Rewriter(), inner, {var: m.Const(member)}))
        case _:
            yield e


def framed(state: State, e: m.Expr) -> m.Expr:
    """A condition of the frame that rests, with the values of its slots in their place."""
    question = state.question
    if question is None:
        return e
    engine = state.engine
    number = engine.compiled.ctx.functions[question.function]
    slots, offsets = engine.program.functions[number].slots, engine.compiled.offsets[number]
    values: dict[int, m.Expr] = {}
    for slot, (declared, offset) in enumerate(zip(slots, offsets, strict=False)):
        at = state.base + offset
        if at >= len(state.stack):
            continue
        if declared.ty.kind == "list":
            values[slot] = m.ListConst(tuple(state.stack[at + 1 : at + 1 + state.stack[at]]))
        else:
            values[slot] = m.Const(state.stack[at])
    found: m.Expr = with_slots(e, values)
    return found
