"""Runs scenarios, line by line."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import reduce
from operator import or_
from typing import assert_never

from rulewright.diagnostics import RulesetError
from rulewright.engine import Decision, knowledge, outcome, won
from rulewright.engine.runtime.query_calls import readable
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir.model import Choose, Ty
from rulewright.ir.scenario_plan import (
    Fate,
    Given,
    Line,
    Merged,
    Offered,
    OneMeant,
    Out,
    Payoff,
    Put,
    Refused,
    Reply,
    ScenarioPlan,
    Seen,
    Start,
    Step,
    Then,
    When,
    Wins,
)
from rulewright.play.scenarios.answer_matching import Answers
from rulewright.play.scenarios.scenario_results import Failed, Failure, Over, ScenarioResult, listed, words
from rulewright.play.scenarios.scripted_chance import Fates
from rulewright.play.scenarios.setup import Stage, game_of

AMBIGUOUS = "several pieces have this key, say which is meant"


class Checks:
    """Compares what must hold with what does."""

    def __init__(self, stage: Stage, fates: Fates, answers: Answers) -> None:
        self.stage, self.fates, self.answers = stage, fates, answers

    def then(self, line: Then) -> None:
        """A condition must hold."""
        self.fates.decide()
        assert line.condition is not None
        state = self.stage.here
        if not state.evaluate(line.condition):
            found = ", ".join(
                f"{text} is {words(readable(self.stage.engine, ty, state.evaluate(part)), _in_order(ty))}"
                for text, part, ty in line.parts
            )
            raise Failed(self._with_decision("this does not hold"), line.text.removeprefix("then "), found)

    def _or_chance(self, message: str) -> str:
        """The message, and what comes before it if the game stands still at chance."""
        waiting = self.fates.unscripted()
        return f"{message} yet: {waiting}" if waiting else message

    def _with_decision(self, message: str) -> str:
        """The message with the open decision, if the game waits for a player: perhaps an answer is missing."""
        decision = self.stage.here.decision
        if decision is None or decision.who == "chance":
            return self._or_chance(message)
        return f"{message} while {decision.who} is asked for `{decision.label}`"

    def one_meant(self, line: OneMeant) -> None:
        """Pieces of one key must lie in one zone: in different ones the key is ambiguous."""
        self.fates.decide()
        zones = self.stage.zones_of(line.pieces)
        if len(zones) > 1:
            raise Failed(AMBIGUOUS, f"`{line.key}` in one zone", f"it is in {' and in '.join(zones)}")

    def refused(self, line: Refused) -> None:
        """An answer must not be offered, and for this reason."""
        assert line.reply is not None
        decision = self.answers.decision_of(line.seat, line.reply.label)
        self._could_be_offered(decision, line.reply)
        for candidate in self.answers.candidates(decision, line.reply):
            if candidate.offered:
                self._one_is_meant(line)
                raise Failed("this is offered", f"`{candidate.key}` is refused", listed(decision.options))
            if line.because is None:
                continue
            self._one_is_meant(line)
            reasons = [reason.label for reason in candidate.why_not().reasons]
            if line.because not in reasons:
                raise Failed(
                    "this is refused, but for another reason",
                    f"refused because {line.because}",
                    "refused because " + (" and ".join(reasons) or "of nothing"),
                )

    def _could_be_offered(self, decision: Decision, reply: Reply) -> None:
        """Fail where this question cannot offer it at all, whatever the rules say: an option of another question, and
        nothing, unless it means that one may not leave off."""
        state = self.stage.state
        question = state.question if state is not None else None
        if question is None or not isinstance(question.instr, Choose):
            return
        words = [extra.key for extra in question.instr.extras]
        if reply.key is not None and not reply.label and reply.key not in words:
            wanted = f"{decision.who} is asked a question with `{reply.key}`"
            raise Failed("another question is asked here", wanted, self.stage.standing())
        if reply.key is None and not reply.several and not self.answers.members(reply):
            raise Failed("nothing is refused here, so this cannot fail", "something that could be offered", "nothing")

    def _one_is_meant(self, line: Refused) -> None:
        """The plain key of several pieces that are not alike here is ambiguous."""
        assert line.reply is not None
        keys = self.answers.keys_meant(line.reply)
        if len(keys) > 1:
            raise Failed(AMBIGUOUS, f"one of {', '.join(keys)}", line.reply.key or "")

    def offered(self, line: Offered) -> None:
        """Just these options must be offered."""
        decision = self.answers.decision_of(line.seat, line.label)
        question = self.stage.state.question.instr if self.stage.state and self.stage.state.question else None
        beside = line.keys is None and question is not None and question.source is not None
        declared = question.declared if isinstance(question, Choose) and not beside else ()
        counted = [o for o in decision.options if not o.extra or o.key in declared or o.key in (line.keys or ())]
        if line.keys is not None:
            wanted = set(line.keys)
            called = [wanted.intersection(self.stage.called(option)) for option in counted]
            same = all(called) and wanted == set().union(*called)
            shown = ", ".join(sorted(wanted))
        else:
            assert line.value is not None
            members = self.answers.members(Reply(line.label, None, line.value, line.ty))
            covered = [any(self.answers.stands_for(option, member) for option in counted) for member in members]
            needed = [any(self.answers.stands_for(option, member) for member in members) for option in counted]
            same = all(covered) and all(needed)
            shown = ", ".join(dict.fromkeys(self.answers.member_key(member) for member in members))
        if not same:
            raise Failed("other options are offered", shown or "nothing", listed(decision.options))

    def wins(self, line: Wins) -> None:
        """The game must be over, and just these have won: perhaps none."""
        self.fates.decide()
        wanted = self._who(line)
        expected = won(wanted)
        result = self.stage.here.result
        if result is None:
            raise Failed(self._or_chance("the game is not over"), expected, self.stage.standing())
        if set(wanted) != {*result.winners, *result.parties}:
            no_winner = not result.winners and not result.parties
            message = "nobody has won" if no_winner else "others have won" if wanted else "somebody has won"
            raise Failed(message, expected, outcome(result))

    def payoff(self, line: Payoff) -> None:
        """The game must be worth so much to each of these, or, if its rules pay on the way, they got so much so far."""
        self.fates.decide()
        assert line.players is not None
        assert line.value is not None
        state = self.stage.here
        payoffs = state.payoffs
        if not payoffs:
            raise Failed(self._or_chance("the game is not over"), line.text, self.stage.standing())
        parts = state.evaluate(line.parts) if line.parts is not None else 1
        wanted = state.evaluate(line.value)
        seats = bits_of(state.evaluate(line.players))
        if not seats:
            raise Failed("nobody has this payoff: nobody plays this", line.text, "no players")
        keys = self.stage.layout.universes["Player"].keys
        if any(payoffs[seat] * parts != wanted for seat in seats):
            found = ", ".join(f"{keys[seat]}: {payoffs[seat]}" for seat in seats)
            raise Failed("the payoff is another", line.text, f"payoff {found}")

    def _who(self, line: Wins) -> tuple[str, ...]:
        """The seats that are to have won, and the parties without players."""
        state, universes = self.stage.here, self.stage.layout.universes
        seats = reduce(or_, (state.evaluate(players) for players in line.players), 0)
        found = [universes["Player"].keys[seat] for seat in bits_of(seats)]
        for universe, expr in line.parties:
            parties_without_players = {
                member for name, member in self.stage.layout.parties_without_players if name == universe
            }
            found += [
                universes[universe].keys[p] for p in bits_of(state.evaluate(expr)) if p in parties_without_players
            ]
        return tuple(dict.fromkeys(found))

    def seen(self, line: Seen) -> None:
        """A player must know a value, or must not."""
        self.fates.decide()
        assert line.value is not None
        assert line.ty is not None
        who = self.stage.seat(line.seat)
        found = knowledge(self.stage.here, line.seat, line.value, line.ty)
        wanted = f"{who} {'does not know' if line.hidden else 'knows'} `{line.source_text}`"
        values = [words(value, _in_order(line.ty)) for value in found.values]
        if found.known is None:
            found_text = "too few other games fit this question; ask for a zone or field itself"
            raise Failed(f"cannot determine whether {who} knows this", wanted, found_text)
        if found.known and line.hidden:
            raise Failed(f"{who} knows this", wanted, f"{who} knows it: {values[0]}")
        if not found.known and not line.hidden:
            found_text = f"{who} cannot tell {values[0]}"
            found_text += f" from {values[1]}" if values[1:] else ": it is not shown to them"
            raise Failed(f"{who} does not know this", wanted, found_text)


def _in_order(ty: Ty) -> bool:
    """True if several values are shown as a list."""
    return ty.kind == "list" and not ty.keys


def run_scenario(plan: ScenarioPlan) -> ScenarioResult:
    """Run a scenario to its end or to the first line that does not hold."""
    runner = Runner(plan)
    failure: Failure | None = None
    line: Line = Line(plan.span)
    try:
        for line in plan.steps:
            runner.run(line)
        runner.fates.nothing_left()
    except Over:
        pass
    except Failed as failed:
        failure = runner.failure(line, failed)
    except RulesetError as error:
        first = error.diagnostics[0]
        message = "; ".join(part for part in (f"[{first.code}] {first.message}", first.hint) if part)
        failure = runner.failure(line, Failed(message))
    checks = runner.stage.checks
    return ScenarioResult(plan.title, plan.cites, plan.span, failure, checks.unchecked if checks is not None else ())


def run_scenarios(scenarios: Sequence[ScenarioPlan | ScenarioResult]) -> tuple[ScenarioResult, ...]:
    """Run scenarios, those of one game one after the other, so that its code is made once; results in their order.

    Those that have failed already, as they make no sense, are given back.
    """
    games: dict[Hashable, list[int]] = {}
    results: dict[int, ScenarioResult] = {}
    for number, one in enumerate(scenarios):
        if isinstance(one, ScenarioResult):
            results[number] = one
        else:
            games.setdefault(game_of(one), []).append(number)
    for number in (number for numbers in games.values() for number in numbers):
        plan = scenarios[number]
        assert isinstance(plan, ScenarioPlan)
        results[number] = run_scenario(plan)
    return tuple(results[number] for number in range(len(scenarios)))


class Runner:
    """A scenario on its way."""

    def __init__(self, plan: ScenarioPlan) -> None:
        self.stage = Stage(plan)
        self.fates = Fates(self.stage)
        self.answers = Answers(self.stage, self.fates)
        self.checks = Checks(self.stage, self.fates, self.answers)

    def run(self, line: Step) -> None:
        """Execute one line."""
        match line:
            case Put():
                self.stage.put(line)
            case OneMeant():
                self.checks.one_meant(line)
            case Given():
                self.stage.give(line)
            case Merged():
                self.stage.merge(line)
            case Out():
                self.stage.put_out(line)
            case Start():
                self.stage.start(line)
                self.fates.decide()
            case Fate():
                self.fates.add(line)
            case When():
                for reply in line.replies:
                    if line.may and not self.answers.may(line.seat, reply):
                        raise Over
                    self.answers.answer(line.seat, reply)
            case Then():
                self.checks.then(line)
            case Refused():
                self.checks.refused(line)
            case Offered():
                self.checks.offered(line)
            case Seen():
                self.checks.seen(line)
            case Wins():
                self.checks.wins(line)
            case Payoff():
                self.checks.payoff(line)
            case _:
                assert_never(line)

    def failure(self, line: Line, failed: Failed) -> Failure:
        """The report of a failure at a line."""
        state = self.stage.state
        decision = state.decision if state is not None else None
        rule = decision.name if decision is not None else ""
        if state is not None and state.result is not None:
            rule = state.result.rule
        log = tuple(f"{entry.who}: {entry.name} = {entry.key}" for entry in state.log) if state is not None else ()
        return Failure(failed.message, line.span, line.text, failed.expected, failed.found, rule, log, failed.assertion)
