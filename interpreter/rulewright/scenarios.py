"""Runs scenarios: lays out the position, gives the answers, and compares what must hold with what does.

Chance in a scenario comes from its ``chance`` lines. The game stands still at a throw that nobody has written down:
what must hold then may still be looked at, but no player can answer until the outcome is given. Only a whole game
without a single ``chance`` line takes its chance from a fixed seed.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulewright.diagnostics import NOWHERE, RulesetError, Span
from rulewright.engine import Checks, Decision, Engine, Option, Position, State, engine_of, leaks, readable, unkept
from rulewright.program import model as m
from rulewright.program.model import NONE
from rulewright.program.scenario import (
    Fate,
    Given,
    Line,
    Merged,
    Offered,
    Put,
    Refused,
    Reply,
    ScenarioPlan,
    Start,
    Step,
    Then,
    When,
    Wins,
)

WORLDS = 4
"""So many other worlds are dealt at each decision to see whether it betrays what is hidden."""

SEED = 1
"""Of whole games in scenarios that say nothing of chance."""

WORDS = frozenset({"done", "pass", "stop", "again"})
"""Options that are offered beside what is chosen from."""

_KEPT = 12


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a scenario failed, and where."""

    message: str
    span: Span = NOWHERE
    text: str = ""
    """The line of the scenario, as it stands in the file."""
    expected: str = ""
    found: str = ""
    rule: str = ""
    """The rule at which the game stood."""
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """What came of a scenario."""

    title: str
    cites: tuple[str, ...]
    span: Span
    failure: Failure | None

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return self.failure is None


def run_scenario(plan: ScenarioPlan) -> ScenarioResult:
    """Run a scenario to its end or to the first line that does not hold."""
    runner = _Runner(plan)
    failure: Failure | None = None
    line: Line = Line(plan.span)
    try:
        for line in plan.steps:
            runner.run(line)
        runner.nothing_left()
    except _Over:
        pass
    except _Failed as failed:
        failure = runner.failure(line, failed)
    except RulesetError as error:
        first = error.diagnostics[0]
        failure = runner.failure(line, _Failed(f"[{first.code}] {first.message}"))
    return ScenarioResult(plan.title, plan.cites, plan.span, failure)


def betrayed(state: State) -> str:
    """How the decision of a state betrays what is hidden from the one who is asked; empty if it does not."""
    decision = state.decision
    if decision is None or decision.seat is None:
        return ""
    found = (told for world in range(WORLDS) for told in leaks(state, decision.seat, world))
    return next(found, "")


class _Over(Exception):
    """The game has gone another way than a scenario with ``may`` tells: nothing is left to be looked at."""


class _Failed(Exception):
    def __init__(self, message: str, expected: str = "", found: str = "") -> None:
        super().__init__(message)
        self.message, self.expected, self.found = message, expected, found


_programs: OrderedDict[object, m.Program] = OrderedDict()


def _program(plan: ScenarioPlan) -> m.Program:
    """The program of a plan; plans of one game and with equal seats share one, for making an engine takes a while."""
    program = plan.program
    key = (program.digest, program.players, program.variants, program.options, plan.seats)
    known = _programs.get(key)
    if known is None or known.functions is not program.functions:
        known = _programs[key] = program
        if len(_programs) > _KEPT:
            _programs.popitem(last=False)
    return known


class _Runner:
    """A scenario on its way."""

    def __init__(self, plan: ScenarioPlan) -> None:
        program = _program(plan)
        self.engine: Engine = engine_of(program)
        self.layout = self.engine.layout
        whole = any(isinstance(step, Start) and step.function == program.main for step in plan.steps)
        written = any(isinstance(step, Fate) for step in plan.steps)
        self.position = Position(program, SEED, ask_chance=written or not whole)
        self.state: State | None = None
        """The game, once it has begun."""
        self.fates: dict[str, deque[str]] = {}
        self.shuffles: dict[str, Fate] = {}
        self.checks: Checks | None = None

    # ------------------------------------------------------------------------------------------------ lines

    def run(self, line: Step) -> None:
        """Do what one line says."""
        match line:
            case Put():
                self._before_start("put")
                self._put(line)
            case Given():
                self._before_start("given")
                assert line.value is not None
                index = self._keys(line.index)
                self.position.set_field(line.field, index, self.position.evaluate(line.value))
            case Merged():
                self._before_start("merge")
                assert line.left is not None
                assert line.right is not None
                left, right = self._keys((line.left, line.right))
                self.position.join(line.merged, left, right)
            case Start():
                self._start(line)
            case Fate():
                self.fates.setdefault(line.label, deque()).extend(line.keys)
                if line.order is not None:
                    self.shuffles[line.label] = line
                self._chance()
            case When():
                for reply in line.replies:
                    if line.may and not self._may(line.seat, reply):
                        raise _Over
                    self._answer(line.seat, reply)
            case Then():
                self._then(line)
            case Refused():
                self._refused(line)
            case Offered():
                self._offered(line)
            case Wins():
                self._wins(line)

    def nothing_left(self) -> None:
        """All outcomes that were written down must have come up."""
        for label, keys in self.fates.items():
            if keys:
                raise _Failed(f"chance was never asked for these outcomes of `{label}`: {', '.join(keys)}")

    def _before_start(self, word: str) -> None:
        if self.state is not None:
            raise _Failed(f"`{word}` must stand before `start`: the game runs already")

    def _here(self) -> State:
        """The state now: of the game, or of the position that is being laid out."""
        return self.position.state if self.state is None else self.state

    def _keys(self, index: Sequence[m.Expr]) -> tuple[int, ...]:
        keys = tuple(int(self.position.evaluate(part)) for part in index)
        if NONE in keys:
            raise _Failed("there is no such place: a key is none")
        return keys

    def _put(self, line: Put) -> None:
        keys = self._keys(line.index)
        pieces = self.position.take(line.kinds, line.amount, line.zone, keys)
        if pieces is None:
            raise _Failed(f'there are not {line.amount} more "{line.key}" where they begin')
        self.position.put(pieces, line.zone, keys, face=line.face, bottom=line.bottom)
        if line.side is not None:
            self.position.turn(pieces, line.side)

    def _start(self, line: Start) -> None:
        if self.state is not None:
            raise _Failed("the game runs already: a scenario starts once")
        args = [self.position.evaluate(argument) for argument in line.args]
        # What the position itself does not keep cannot be asked of what follows from it.
        self.checks = Checks(self.engine, unkept(self.position.state))
        self.position.mode = replace(self.position.mode, watch=self.checks.watch)
        self._goes_on(self.position.enter(line.function, args))
        self._chance()

    def _goes_on(self, state: State) -> None:
        """The game rests again: invariants and properties must hold."""
        assert self.checks is not None
        _ = state.decision  # may be an error of the rules: then the game stands where it was
        self.state = state
        self.checks.look(state)
        if self.checks.broken:
            name = self.checks.broken[0][0]
            word = next(a.word for a in self.engine.program.assertions if a.name == name)
            raise _Failed(f"the {word} `{name}` does not hold", "", f"{self.checks.names[0]} is broken")
        told = betrayed(state)
        if told:
            raise _Failed("this decision betrays what is hidden from the player", "", told)

    # ---------------------------------------------------------------------------------------------- chance

    def _chance(self) -> None:
        """Let chance decide as long as its outcomes are written down."""
        while self.state is not None and (decision := self.state.decision) is not None and decision.who == "chance":
            waiting = self.fates.get(decision.label)
            if not waiting:
                return
            shuffle = self.shuffles.get(decision.label)
            key = self._swapped(shuffle, waiting, len(decision.options)) if shuffle else waiting.popleft()
            option = next((option for option in decision.options if option.key == key), None)
            if option is None:
                raise _Failed(f"chance cannot give `{key}` for `{decision.label}`", key, _listed(decision.options))
            self._goes_on(self.state.choose(option))

    def _swapped(self, shuffle: Fate, waiting: deque[str], places: int) -> str:
        """The position whose member a shuffle puts last of the first `places`, so that the scripted order comes out."""
        assert self.state is not None
        assert shuffle.order is not None
        members = list(self.state.evaluate(shuffle.order))[:places]
        if len(waiting) < places:
            raise _Failed(f"the order of `{shuffle.label}` has {len(shuffle.keys)} members", str(len(members)))
        wanted = waiting[places - 1]
        keys = [self.layout.key(shuffle.universe, member) for member in members]
        if wanted not in keys:
            raise _Failed(f"`{wanted}` cannot stand there after `{shuffle.label}`", wanted, ", ".join(keys))
        if places == 2:
            waiting.clear()
        return str(keys.index(wanted))

    # --------------------------------------------------------------------------------------------- answers

    def _asked(self, seat: int, label: str) -> Decision:
        """The decision now, which must be this seat's and this choice."""
        self._chance()
        wanted = f"{self._seat(seat)} is asked" + (f" for `{label}`" if label else "")
        if self.state is None:
            raise _Failed("nobody is asked anything before `start`", wanted, "the game does not run")
        decision = self.state.decision
        if decision is None:
            raise _Failed("nobody is asked anything here", wanted, self._standing())
        if decision.who == "chance":
            raise _Failed(
                f"chance decides `{decision.label}`, and no `chance` line says what it gives", wanted, self._standing()
            )
        if decision.seat != seat or (label and decision.label != label):
            raise _Failed("another question is asked here", wanted, self._standing())
        return decision

    def _answer(self, seat: int, reply: Reply) -> None:
        decision = self._asked(seat, reply.label)
        if reply.key is not None:
            self._take(decision, self._by_key(decision, reply.key))
            return
        members = self._members(reply)
        several = reply.ty is not None and reply.ty.kind in ("set", "list")
        for member in members:
            decision = self._asked(seat, reply.label)
            self._take(decision, self._by_member(decision, member))
        if several and reply.ty is not None and reply.ty.kind == "set":
            self._done(decision)

    def _may(self, seat: int, reply: Reply) -> bool:
        """Whether this is asked here, and all that the answer names at first is offered."""
        try:
            decision = self._asked(seat, reply.label)
        except _Failed:
            return False
        return all(offered for _, offered in self._candidates(decision, reply))

    def _done(self, asked: Decision) -> None:
        """A set says all that is chosen: if more could be, that is declined."""
        assert self.state is not None
        decision = self.state.decision
        if decision is not None and (decision.name, decision.seat) == (asked.name, asked.seat):
            done = next((option for option in decision.options if option.extra and option.key == "done"), None)
            if done is not None:
                self._take(decision, done)

    def _take(self, decision: Decision, option: Option | None) -> None:
        if option is None:
            raise _Failed(f"this is no option of `{decision.label}`", "", _listed(decision.options))
        assert self.state is not None
        self._goes_on(self.state.choose(option))
        self._chance()

    def _members(self, reply: Reply) -> list[int]:
        """What an answer's value names, as members of what is chosen from."""
        assert reply.value is not None
        assert reply.ty is not None
        raw = self._here().evaluate(reply.value)
        if reply.ty.kind == "set":
            return [member for member in range(raw.bit_length()) if raw >> member & 1]
        if reply.ty.kind == "list":
            return list(raw)
        if raw == NONE:
            raise _Failed(f"the answer for `{reply.label}` is none")
        return [int(raw)]

    def _by_key(self, decision: Decision, key: str) -> Option:
        option = next((option for option in decision.options if option.key == key), None)
        if option is None:
            raise _Failed(f"`{key}` is no option of `{decision.label}`", key, _listed(decision.options))
        return option

    def _by_member(self, decision: Decision, member: int) -> Option:
        for option in decision.options:
            if not option.extra and self._stands_for(option, member):
                return option
        key = self._member_key(member)
        raise _Failed(f"`{key}` is no option of `{decision.label}`", key, _listed(decision.options))

    def _stands_for(self, option: Option, member: int) -> bool:
        """Whether an option means a member: pieces that are alike and lie together are one option."""
        if option.value == member:
            return True
        assert self.state is not None
        if self._universe() != "Piece":
            return False
        alike = self.engine.alike[option.value]
        return bool(self.engine.together(self.state.cells, option.value, alike) >> member & 1)

    def _universe(self) -> str:
        question = self.state.question if self.state is not None else None
        return question.instr.universe if question is not None else ""

    def _member_key(self, member: int) -> str:
        return self.layout.key(self._universe(), member)

    # ---------------------------------------------------------------------------------------------- checks

    def _then(self, line: Then) -> None:
        self._chance()
        assert line.condition is not None
        state = self._here()
        if not state.evaluate(line.condition):
            found = ", ".join(
                f"{text} is {_words(readable(self.engine, ty, state.evaluate(part)))}" for text, part, ty in line.parts
            )
            raise _Failed("this does not hold", line.text.removeprefix("then "), found)

    def _refused(self, line: Refused) -> None:
        assert line.reply is not None
        decision = self._asked(line.seat, line.reply.label)
        assert self.state is not None
        for key, offered in self._candidates(decision, line.reply):
            if offered:
                raise _Failed("this is offered", f"`{key}` is refused", _listed(decision.options))
            if line.because is None:
                continue
            reasons = [reason.label for reason in self.state.why_not(key).reasons]
            if line.because not in reasons:
                raise _Failed(
                    "this is refused, but for another reason",
                    f"refused because {line.because}",
                    "refused because " + (" and ".join(reasons) or "of nothing"),
                )

    def _candidates(self, decision: Decision, reply: Reply) -> list[tuple[str, bool]]:
        """The keys an answer stands for, each with whether it is offered."""
        if reply.key is not None:
            return [(reply.key, any(option.key == reply.key for option in decision.options))]
        return [
            (
                self._member_key(member),
                any(not option.extra and self._stands_for(option, member) for option in decision.options),
            )
            for member in self._members(reply)
        ]

    def _offered(self, line: Offered) -> None:
        decision = self._asked(line.seat, line.label)
        if line.keys is not None:
            offered = {o.key for o in decision.options if o.key in line.keys or not (o.extra and o.key in WORDS)}
            wanted = set(line.keys)
            same = offered == wanted
            shown = ", ".join(sorted(wanted))
        else:
            assert line.value is not None
            members = self._members(Reply(line.label, None, line.value, line.ty))
            options = [option for option in decision.options if not option.extra]
            covered = [any(self._stands_for(option, member) for option in options) for member in members]
            needed = [any(self._stands_for(option, member) for member in members) for option in options]
            same = all(covered) and all(needed)
            shown = ", ".join(dict.fromkeys(self._member_key(member) for member in members))
        if not same:
            raise _Failed("other options are offered", shown or "nothing", _listed(decision.options))

    def _wins(self, line: Wins) -> None:
        self._chance()
        wanted = tuple(self._seat(seat) for seat in line.seats)
        expected = " and ".join(wanted) + " won"
        result = self._here().result
        if result is None:
            raise _Failed("the game is not over", expected, self._standing())
        if set(result.winners) != set(wanted):
            raise _Failed("others have won", expected, " and ".join(result.winners) + " won")

    # ---------------------------------------------------------------------------------------------- telling

    def _seat(self, seat: int) -> str:
        return self.layout.key("Player", seat)

    def _standing(self) -> str:
        """Where the game is, in a sentence."""
        state = self._here()
        decision = state.decision
        if decision is not None:
            return f"{decision.who} is asked for `{decision.label}`: {_listed(decision.options)}"
        if state.result is not None:
            return f"the game is over, {' and '.join(state.result.winners)} won"
        return "the game does not run" if self.state is None else "the rules that were started have come to their end"

    def failure(self, line: Line, failed: _Failed) -> Failure:
        """The report of a failure at a line."""
        state = self.state
        decision = state.decision if state is not None else None
        rule = decision.name if decision is not None else ""
        if state is not None and state.result is not None:
            rule = state.result.rule
        log = tuple(f"{entry.who}: {entry.name} = {entry.key}" for entry in state.log) if state is not None else ()
        return Failure(failed.message, line.span, line.text, failed.expected, failed.found, rule, log)


def _listed(options: Sequence[Option]) -> str:
    shown = [option.key for option in options[:24]]
    return ", ".join(shown) + (f" and {len(options) - 24} more" if len(options) > 24 else "")


def _words(value: object) -> str:
    """A readable value as the rules would write it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "{" + ", ".join(_words(part) for part in value) + "}"
    return str(value)
