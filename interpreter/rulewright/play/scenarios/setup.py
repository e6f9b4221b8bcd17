"""Setup of a scenario: the position that is laid out, and the game that begins in it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from rulewright.engine import Checks, Engine, LeakSearch, Option, Position, State, engine_of, outcome
from rulewright.foundation.bit_sets import bits_of, members_of
from rulewright.ir import model as m
from rulewright.ir.model import NONE
from rulewright.ir.scenario_plan import Each, Fate, Given, Merged, Out, Put, ScenarioPlan, Start
from rulewright.play.scenarios.scenario_results import Failed, listed

WORLDS = 4
"""So many other worlds are dealt at each decision to see whether it reveals what is hidden."""

SEED = 1
"""Of whole games in scenarios that say nothing of chance."""

ROUNDS = 20_000
"""Rounds of one line with `for`: each lays pieces or sets a value, of which a state has not many more."""

_KEPT = 12


def betrayed(state: State) -> str:
    """The way in which a state's decision reveals what is hidden from the player to act; empty if it does not."""
    decision = state.decision
    if decision is None or decision.seat is None:
        return ""
    search = LeakSearch(state, decision, decision.seat)
    return next((reason for world in range(WORLDS) for reason in search.in_world(world)), "")


Bound = tuple[tuple[str, int], ...]
"""Values of binders, by their variables."""


def _with(bound: Bound, e: m.Expr) -> m.Expr:
    """An expression in which variables have these values."""
    for var, member in reversed(bound):
        e = m.LetIn(var, m.Const(member), e)
    return e


_programs: OrderedDict[object, m.Program] = OrderedDict()


def game_of(plan: ScenarioPlan) -> Hashable:
    """A key that identifies the game of a plan, and who plays it."""
    program = plan.program
    return program.digest, program.players, program.variants, program.options, plan.seats


def _program(plan: ScenarioPlan) -> m.Program:
    """The program of a plan; plans of one game and with equal seats share one, for making an engine takes a while."""
    program, key = plan.program, game_of(plan)
    known = _programs.get(key)
    if known is None or known.functions is not program.functions or known.queries is not program.queries:
        known = _programs[key] = program
        if len(_programs) > _KEPT:
            _programs.popitem(last=False)
    return known


class Stage:
    """The position of a scenario, and the state of its game."""

    def __init__(self, plan: ScenarioPlan) -> None:
        program = _program(plan)
        self.engine: Engine = engine_of(program)
        self.layout = self.engine.layout
        whole = any(isinstance(step, Start) and step.function == program.main for step in plan.steps)
        written = any(isinstance(step, Fate) for step in plan.steps)
        self.position = Position(program, SEED, ask_chance=written or not whole)
        self.state: State | None = None
        """The game, once it has begun."""
        self.checks: Checks | None = None

    @property
    def here(self) -> State:
        """The state now: of the game, or of the position that is being laid out."""
        return self.position.state if self.state is None else self.state

    # --------------------------------------------------------------------------------------------- position

    def put(self, line: Put) -> None:
        """Lay pieces."""
        self._before_start("put")
        for bound in self._rounds(line):
            keys = self._keys([_with(bound, part) for part in line.index])
            pieces = self.position.take(line.kinds, line.amount, line.zone, keys)
            if pieces is None:
                raise Failed(f'there are not {line.amount} more "{line.key}" where they begin')
            self.position.put(pieces, line.zone, keys, face=line.face, bottom=line.bottom)
            if line.side is not None:
                self.position.turn(pieces, line.side)

    def give(self, line: Given) -> None:
        """Set a field."""
        self._before_start("given")
        assert line.value is not None
        for bound in self._rounds(line):
            keys = self._keys([_with(bound, part) for part in line.index])
            self.position.set_field(line.field, keys, self.position.evaluate(_with(bound, line.value)))

    def _rounds(self, line: Put | Given) -> list[Bound]:
        """The values of its binders, all found before anything is done.

        Each round is counted before it is made, and the rounds of a line are no more than :data:`ROUNDS`.
        """
        found: list[Bound] = []
        for made, bound in enumerate(self._bound(line.each, ())):
            if made >= ROUNDS:
                raise Failed(f"the line has more than {ROUNDS} rounds: let `for` go through less")
            if line.where is None or self.position.evaluate(_with(bound, line.where)):
                found.append(bound)
        return found

    def _bound(self, each: Sequence[Each], bound: Bound) -> Iterator[Bound]:
        """The values of some binders, one after the other, within those that have one."""
        if not each:
            yield bound
            return
        for member in members_of(self.position.evaluate(_with(bound, each[0].source))):
            yield from self._bound(each[1:], (*bound, (each[0].var, member)))

    def merge(self, line: Merged) -> None:
        """Join regions."""
        self._before_start("merge")
        assert line.left is not None
        assert line.right is not None
        left, right = self._keys((line.left, line.right))
        self.position.join(line.merged, left, right)

    def put_out(self, line: Out) -> None:
        """Players leave the game before it begins."""
        self._before_start("out")
        for seat in line.seats:
            self.position.put_out(seat)

    def _before_start(self, word: str) -> None:
        if self.state is not None:
            raise Failed(f"`{word}` must come before `start`: the game is already running")

    def _keys(self, index: Sequence[m.Expr]) -> tuple[int, ...]:
        keys = tuple(int(self.position.evaluate(part)) for part in index)
        if NONE in keys:
            raise Failed("there is no such place: a key is none")
        return keys

    # ----------------------------------------------------------------------------------------------- the game

    def start(self, line: Start) -> None:
        """The rules run from here."""
        if self.state is not None:
            raise Failed("the game is already running: a scenario starts once")
        args = [self.position.evaluate(argument) for argument in line.args]
        # What the position itself does not keep cannot be checked in what follows from it.
        self.checks = Checks(self.engine, self.position.state)
        self.position.mode = replace(self.position.mode, watch=self.checks.watch)
        self.goes_on(self.position.enter(line.function, args))

    def goes_on(self, state: State) -> None:
        """The game rests again: invariants and properties must hold."""
        assert self.checks is not None
        _ = state.decision  # may be an error of the rules: then the game stands where it was
        self.state = state
        self.checks.look(state)
        if self.checks.broken:
            name = self.checks.broken[0][0]
            word = next(a.word for a in self.engine.program.assertions if a.name == name)
            sides = self.checks.sides(self.checks.broken[0])
            reason = f"{self.checks.names[0]} is broken" + (f": not {sides}" if sides else "")
            raise Failed(f"the {word} `{name}` does not hold", "", reason, name)
        reason = betrayed(state)
        if reason:
            raise Failed("this decision reveals what is hidden from the player", "", reason)

    # ---------------------------------------------------------------------------------------------- telling

    def seat(self, seat: int) -> str:
        """The name of a player."""
        return self.layout.key("Player", seat)

    def zones_of(self, pieces: int) -> tuple[str, ...]:
        """The zones in which the first of some pieces (a bit set) lies, and those that have left where they began.

        In a scenario the pieces in play are meant; those of the same key that were not moved are their supply.
        """
        layout, cells = self.layout, self.here.cells
        each = [layout.loc + piece for piece in bits_of(pieces)]
        away = [cells[at] for at in each if cells[at] != layout.initial[at]]
        numbers = dict.fromkeys([cells[each[0]], *away])
        return tuple("no zone" if n == m.NONE else layout.instances[n].name for n in numbers)

    @property
    def universe(self) -> str:
        """Of what is chosen now."""
        question = self.state.question if self.state is not None else None
        return question.instr.universe if question is not None else ""

    def called(self, option: Option) -> tuple[str, ...]:
        """The keys by which an option may be called: its own, and of a piece that without its number in its zone. Where
        pieces lie in different zones, the key must name the zone."""
        if option.extra or self.universe != "Piece":
            return (option.key,)
        plain = self.layout.key("Piece", self.here.member(option) if option.value < 0 else option.value)
        return (option.key,) if option.key.startswith(f"{plain} in ") else (option.key, plain)

    def standing(self) -> str:
        """The position of the game, in a sentence."""
        state = self.here
        decision = state.decision
        if decision is not None:
            return f"{decision.who} is asked for `{decision.label}`: {listed(decision.options)}"
        if state.result is not None:
            return f"the game is over, {outcome(state.result)}"
        return "the game is not running" if self.state is None else "the rules that were started have ended"


def starting_state(plan: ScenarioPlan, seed: int = 0, ask_chance: bool = False) -> State:
    """The state in which the rules of a scenario begin; chance is that of the seed, or a decision, whatever the
    scenario sets.

    `Failed` is raised if the position cannot be laid out.
    """
    stage = Stage(plan)
    stage.position = Position(stage.engine.program, seed, ask_chance)
    for line in plan.steps:
        match line:
            case Put():
                stage.put(line)
            case Given():
                stage.give(line)
            case Merged():
                stage.merge(line)
            case Out():
                stage.put_out(line)
            case Start():
                position = stage.position
                return position.enter(line.function, [position.evaluate(argument) for argument in line.args])
            case _:
                pass
    return stage.here
