"""A search for games that reach targets: runs from the nearest positions that are known, and again from the beginning.

It knows everything, answers for everybody, and rolls what it likes: it is no agent in a seat but a generator of tests.
Positions that came nearest are kept and left again, as in Go-Explore (A. Ecoffet et al., *First return, then explore*,
Nature 590, 2021), with branch distance in the place of cells; beside them those that covered something new, as in
directed fuzzing of machine code (M. Böhme et al., *Directed greybox fuzzing*, CCS 2017). Each position that is kept on
the way to one target is measured for all (A. Panichella et al., *Automated test case generation as a many-objective
optimisation problem with dynamic selection of the targets*, IEEE Transactions on Software Engineering 44(2), 2018).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rulewright.engine import Aim, Dice, Origin, State, Way, explorer, laid
from rulewright.findings.fuzzing.aim.targets import NOWHERE, Nearness, Target, levels
from rulewright.findings.fuzzing.deadlines import Limits
from rulewright.findings.fuzzing.failures import Setting
from rulewright.findings.fuzzing.search.coverage import turn_of
from rulewright.findings.fuzzing.search.exploration import Exploration, ExplorationResult, Explores, Wanted, explore
from rulewright.findings.fuzzing.search.positions import Positions
from rulewright.findings.fuzzing.search.python_runs import PythonRuns
from rulewright.findings.fuzzing.search.runs import game_of
from rulewright.findings.fuzzing.search.universal_properties import resumed
from rulewright.ir import model as m
from rulewright.play.game import Game

KEPT, ALIKE = 24, 3
"""So many positions are kept for a target, and so many that are equally near: the nearest ones may lead nowhere."""
NEAR = 4
"""From so many of them a flight begins, and from as many others."""
ANSWERS = 1 << 16
"""So many answers are given in a flight, about; fewer where they take longer."""
LENGTHS = (64, 6, 256, 24, 1024)
"""The most answers of runs from a position: they take turns."""
LONGEST = 3_000
"""The most answers of a run from the beginning."""
FROM_LAID, LAID_ANSWERS, LAID_SHARE = 3, 40, 4
"""So many flights begin in a position that a solver has laid, with runs of at most so many answers; all together they
have one part in so many of the answers of others."""


@dataclass(slots=True)
class Near:
    """A position that came near."""

    distance: int
    origin: Origin
    flights: int = 0
    """Flights that began here."""

    @property
    def order(self) -> tuple[int, int]:
        """The nearest one comes first, of equally near ones that which took the fewest answers."""
        return self.distance, sum(answers for _, answers in self.origin.seeded_runs)


@dataclass(frozen=True, slots=True)
class Hit:
    """A target was reached."""

    target: Target
    numbers: tuple[int, ...]
    message: str = ""
    """The sentence on what broke, of an assertion."""
    way: Way = ((), ())
    """The way there, of a rule."""


class _Archive:
    """The distances of one target, and the positions that came nearest."""

    def __init__(self, nears: Sequence[Nearness], first: int) -> None:
        self.nears, self._first, self._level = nears, first, 0
        self.kept: list[Near] = []

    @property
    def near(self) -> Nearness | None:
        """The distance that is measured; None if none can be."""
        return self.nears[self._level] if self._level < len(self.nears) else None

    @property
    def number(self) -> int | None:
        """The number of that distance in the game."""
        return self._first + self._level if self._level < len(self.nears) else None

    @property
    def worst(self) -> int:
        """The distance below which a position is kept."""
        return self.kept[-1].distance if len(self.kept) == KEPT else NOWHERE

    def keep(self, near: Near) -> None:
        """Keep a position if it is among the nearest, and of those that are as near to one that took few answers."""
        alike = [one for one in self.kept if one.distance == near.distance]
        if len(alike) == ALIKE and alike[-1].order > near.order:
            self.kept.remove(alike.pop())
        if len(alike) < ALIKE:
            insort(self.kept, near, key=lambda one: one.order)
            del self.kept[KEPT:]

    def coarsen(self, machine: Explores) -> None:
        """Measure less exactly from now on."""
        self._level += 1
        before, self.kept, number = self.kept, [], self.number
        for one in before if number is not None else ():
            assert number is not None
            distance = machine.distance(one.origin, number)
            if distance is not None:
                self.keep(replace(one, distance=distance))

    def move(self, machine: Explores) -> None:
        """Keep the positions as other machine code has them."""
        moved = [(one, machine.restored(one.origin, lambda _numbers: None)) for one in self.kept]
        self.kept = [replace(one, origin=origin) for one, origin in moved if origin is not None]


class AimedSearch:
    """The search for the targets of one game."""

    def __init__(self, game: Game, setting: Setting, targets: Iterable[Target], seed: int, limits: Limits) -> None:
        self.game, self.setting, self.limits = game, setting, limits
        self.decisions = 0
        self._dice = Dice(seed, f"aim {setting.told}")
        self._positions = Positions(self._dice)
        self._archives: dict[Target, _Archive] = {}
        self._measures: list[Nearness] = []
        for target in targets:
            nears = levels(game, target)
            self._archives[target] = _Archive(nears, len(self._measures))
            self._measures += nears
        self._broken = {target.name for target in self._archives if target.kind != "rule"}
        self._lengths = LENGTHS
        self.machine = self._made()

    def _made(self) -> Explores:
        program, game = self.game.program, self.game
        found = [m.QueryDef(f"distance {at}", (), m.INT, near.expression) for at, near in enumerate(self._measures)]
        held = tuple(one for one in program.assertions if one.name in self._broken)
        program = replace(program, queries=(*program.queries, *found), assertions=held)
        names = tuple(query.name for query in found)
        machine = explorer(program, turn_of(program), game.backend, game.passes, names)
        return machine if machine is not None else PythonRuns(game, self._broken, self._measures)

    def nearest(self, target: Target) -> tuple[Near, Nearness] | None:
        """The position that came nearest to a target, and by what it was measured."""
        archive = self._archives.get(target)
        return (archive.kept[0], archive.near) if archive is not None and archive.kept and archive.near else None

    def fly(self, target: Target, wanted: Iterable[Target]) -> list[Hit]:
        """One flight to a target; those that it has reached, of all that are wanted."""
        archive, still = self._archives[target], [one for one in wanted if one in self._archives]
        self._lengths = (*self._lengths[1:], self._lengths[0])
        while True:
            chosen = self._chosen(archive.kept)
            others = self._positions.choose()
            origins = (*(one.origin for one in chosen), *others)
            below = [min(one.distance, archive.worst) for one in chosen] + [archive.worst for _ in others]
            aims = () if (number := archive.number) is None else tuple(Aim(number, one) for one in below)
            portion = replace(self._portion(still), origins=origins, aims=aims, lengths=self._lengths)
            result = self._explored(portion)
            new = self._positions.take(result)
            near = [one for one in result.reached if one.distance is not None and not one.words]
            for found in (*new, *near):
                if found.origin.state or found.origin.rest:
                    self._keep(found.origin, still)
            if result.unmeasured:
                archive.coarsen(self.machine)
            if not result.unmeasured or result.uses or result.found is not None:
                return list(self._hits(result, still))

    def _chosen(self, kept: Sequence[Near]) -> list[Near]:
        """The positions near to the target in which a flight begins: of two that are kept the nearer one, unless many
        began there."""
        found: dict[int, Near] = {}
        for _ in range(NEAR if kept else 0):
            numbers = [self._dice.below(len(kept)) for _ in range(2)]
            number = min(numbers, key=lambda one: (NEAR + one) * (NEAR + kept[one].flights))
            found[number] = kept[number]
        for one in found.values():
            one.flights += 1
        return list(found.values())

    def _portion(self, wanted: Sequence[Target]) -> Exploration:
        rules = frozenset(one.name for one in wanted if one.kind == "rule")
        broken = frozenset((one.kind, one.name) for one in wanted if one.kind != "rule")
        return Exploration(
            self.setting,
            self._dice.below(1 << 62),
            ANSWERS,
            LONGEST,
            (),
            self._positions.known,
            failures=self._positions.failures,
            limits=self.limits,
            wanted=Wanted(rules, broken),
        )

    def _explored(self, portion: Exploration) -> ExplorationResult:
        result = explore(self.game, self.machine, portion)
        self.decisions += result.answers
        if result.interrupted:
            raise KeyboardInterrupt
        return result

    def _keep(self, origin: Origin, wanted: Iterable[Target]) -> None:
        """Keep a position for each target that it is near to."""
        for target in wanted:
            archive = self._archives[target]
            if archive.number is not None:
                distance = self.machine.distance(origin, archive.number)
                if distance is not None:
                    archive.keep(Near(distance, origin))

    def _hits(self, result: ExplorationResult, wanted: Sequence[Target]) -> Iterable[Hit]:
        for target in wanted:
            if target.kind == "rule" and target.name in result.uses:
                way = result.uses[target.name]
                numbers, state = self._used(target.name, way)
                if state is not None:
                    yield Hit(target, tuple(numbers), way=way)
            elif result.found is not None and result.found.trouble.key == (target.kind, target.name):
                self._leave_out(target.name)
                yield Hit(target, result.found.numbers, result.found.trouble.told)

    def _leave_out(self, name: str) -> None:
        """Let runs no longer end with an assertion that is known not to hold."""
        self._broken.discard(name)
        self.machine = self._made()
        for archive in self._archives.values():
            archive.move(self.machine)

    def _used(self, rule: str, way: Way, begin: State | None = None) -> tuple[list[int], State | None]:
        """The answers on a way until a rule is used, and the state then; None if it is not."""
        fired = self.game.new_fired() if begin is None else begin.mode.fired
        assert fired is not None
        numbers, state = game_of(self.game, way, begin=begin, fired=fired, rule=rule)
        return numbers, state if fired[self.game.rule_names.index(rule)] else None

    def used_from(self, state: State, target: Target) -> State | None:
        """The state in which a rule has just been used, in runs from a position that a solver has laid."""
        if state.decision is None or state.decision.seat is None:
            return None
        state = resumed(state, replace(state.mode, fired=self.game.new_fired()))
        number, origins = self._archives[target].number, [laid(state)]
        for _ in range(FROM_LAID):
            aims = () if number is None else tuple(Aim(number, NOWHERE) for _ in origins)
            portion = self._portion([target])
            answers = portion.answers // LAID_SHARE
            portion = replace(portion, answers=answers, origins=tuple(origins), aims=aims, lengths=(LAID_ANSWERS,))
            result = self._explored(replace(portion, limits=Limits()))
            for way in result.uses.values():
                return self._used(target.name, way, state)[1]
            near = sorted((one.distance, at) for at, one in enumerate(result.reached) if one.distance is not None)
            origins += [result.reached[at].origin for _, at in near[:NEAR]]
        return None
