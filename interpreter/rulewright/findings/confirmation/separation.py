"""The first rest of an episode at which other rules lead to another state, another question or another view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.findings.confirmation.episodes import STEPS, Episode, entered, laid_out, same_option
from rulewright.host.budgets import Limits, limited
from rulewright.ir import model as m
from rulewright.ir.walk import queries_asked
from rulewright.play.game import Game
from rulewright.play.scenarios.recording.state_diff import Giving, Laid


@dataclass(frozen=True, slots=True)
class Separation:
    """The rest of an episode at which other rules part from it."""

    step: int
    """The number of answers that were given before."""
    state: State | None
    """The state of the other rules there; None if they stop with an error."""


class Separator:
    """Plays episodes of a game by other rules."""

    def __init__(self, game: Game, other: Game) -> None:
        self.game, self.other = game, other
        one, two = game.engine.layout, other.engine.layout
        self.same_cells = _laid_out(game) == _laid_out(other)
        ours, theirs = one.universes, two.universes
        self.same_members = all(name in theirs and theirs[name].keys == own.keys for name, own in ours.items())
        """False if a position, or an argument, may mean something else by the numbers of its members."""
        self.same_start = one.initial == two.initial
        declared = _declared(game), _declared(other)
        self.alike = {name for name, part in declared[0].items() if declared[1].get(name) == part}
        open_to = [{name: part.audiences for name, part in held.items()} for held in declared]
        self.seen_alike = not self.same_cells or open_to[0] == open_to[1]
        """True if the same is open to the same players, as far as both games have it."""
        changed = changed_functions(game.program, other.program)
        self.changed = changed if changed is not None and changed <= {*game.rule_names} else None
        """The functions that do something else; None if that may show in any episode."""
        self.measures = changed_measures(game.program, other.program)
        """The measures that count something else, and what else differs if `state_numbers` is called."""

    def state_numbers(self) -> bool:
        """Let numbers of the rules themselves count as measures from now on; False if all are the same."""
        ours, theirs = _numbers(self.game.program), _numbers(self.other.program)
        found = frozenset(name for name, value in ours.items() if theirs.get(name, value) != value)
        self.measures |= found
        return bool(found)

    def first_difference(self, episode: Episode) -> Separation | None:
        """The first rest at which the other rules differ; None if they never do, or cannot be in this position."""
        if self.changed is not None and self.changed.isdisjoint(episode.used) and not self.measures:
            return None
        opening = episode.opening
        if not self.same_members and (opening.laid or opening.args):
            return None
        cells: Sequence[int] | None = episode.cells
        if not self.same_cells or not (opening.laid or self.same_start):
            cells = laid_out(self.other, [one for one in opening.laid if self._is_known(one)])
        if cells is None or opening.function not in self.other.engine.compiled.ctx.functions:
            return None
        with limited(Limits(steps=STEPS)):
            return self._first_difference(episode, cells)

    def _first_difference(self, episode: Episode, cells: Sequence[int]) -> Separation | None:
        try:
            state = entered(self.other, cells, episode.opening)
        except RulesetError:
            return Separation(0, None)
        for step, here in enumerate(episode.states):
            if self.differs(here, state):
                return Separation(step, state)
            if step < len(episode.answers):
                option = same_option(state, episode.answers[step])
                if option is None:
                    return Separation(step, state)
                try:
                    state = state.choose(option)
                except RulesetError:
                    return Separation(step + 1, None)
        return None

    def differs(self, one: State, two: State) -> bool:
        """True if two states can be seen not to be the same."""
        if _question(one) != _question(two) or one.result != two.result:
            return True
        if self.measures and self.counted(one) != self.counted(two):
            return True
        if not self.same_cells:
            return self._view(one) != self._view(two)
        if list(one.in_order.cells) != list(two.in_order.cells) or _entries(one) != _entries(two):
            return True
        return not self.seen_alike and any(_seen(one, seat) != _seen(two, seat) for seat in range(self.game.players))

    def counted(self, state: State) -> Counted:
        """The numbers that the other rules count otherwise."""
        return counted(state, self.measures)

    def _is_known(self, laid: Laid) -> bool:
        return not isinstance(laid, Giving) or laid.field in self.alike

    def _view(self, state: State) -> dict[str, object]:
        """The fields and zones that both games declare alike."""
        seen = state.view(None)
        return {name: held for part in ("fields", "zones") for name, held in seen[part].items() if name in self.alike}


def _laid_out(game: Game) -> list[object]:
    """All that decides which cells mean what."""
    layout = game.engine.layout
    members: list[object] = [(name, universe.keys) for name, universe in layout.universes.items()]
    fields = [(one.name, one.index, one.ty, layout.fields[one.name]) for one in game.program.fields]
    zones = [(one.name, one.index, one.order) for one in game.program.zones]
    return [*members, *fields, *zones, *((one.zone, one.at) for one in layout.instances), layout.known, layout.down]


def _declared(game: Game) -> dict[str, m.Field | m.Zone]:
    return {one.name: one for one in game.program.fields} | {one.name: one for one in game.program.zones}


def changed_functions(one: m.Program, two: m.Program) -> frozenset[str] | None:
    """The functions of a program that do something else in another one, or that call other queries; None if more than
    functions and queries differs."""
    rest = [replace(program, functions=(), queries=(), assertions=(), rules=()) for program in (one, two)]
    if rest[0] != rest[1]:
        return None
    old, new = ({query.name: query for query in program.queries} for program in (one, two))
    other = {name for name, query in old.items() if new.get(name) != query}
    functions = {function.name: function for function in two.functions}
    found = set[str]()
    for function in one.functions:
        if functions.get(function.name) != function or not other.isdisjoint(queries_asked(old, (function,))):
            found.add(function.name)
    return frozenset(found)


def changed_measures(one: m.Program, two: m.Program) -> frozenset[str]:
    """The measures of both programs that one of them counts otherwise, by themselves or by a query that they call."""
    old, new = ({query.name: query for query in program.queries} for program in (one, two))
    both = [name for name, query in old.items() if _counts(query) and name in new and _counts(new[name])]
    return frozenset(name for name in both if with_callees(old, name) != with_callees(new, name))


Counted = dict[tuple[str, int | None], int]
"""The numbers that queries give: of a member of the universe of their parameter, or of the whole game."""

FEW = 8
"""So many members are counted for."""


def counted(state: State, names: Iterable[str]) -> Counted:
    """The numbers that some queries give."""
    engine, found = state.engine, Counted()
    known = _numbers(engine.program)
    for name in sorted(names):
        if name in known:
            found[name, None] = known[name]
            continue
        function, query = engine.compiled.query(name), engine.compiled.ctx.queries[name]
        if not query.params:
            found[name, None] = int(engine.call(function, state.cells))
            continue
        for member in range(min(FEW, len(engine.layout.universes[query.params[0].ty.universe].keys))):
            found[name, member] = int(engine.call(function, state.cells, member))
    return found


def _numbers(program: m.Program) -> dict[str, int]:
    """The parameters of a program that are numbers, those by number of players included."""
    return {name: int(value) for name, value in program.options if value.lstrip("-").isdecimal()}


def _counts(query: m.QueryDef) -> bool:
    """True of a declared query that gives a number, of one thing or of the whole game."""
    params = [slot.ty.kind for slot in query.params]
    return query.name.isidentifier() and query.ty.kind == "int" and params in ([], ["entity"])


def with_callees(known: Mapping[str, m.QueryDef], name: str) -> dict[str, m.QueryDef]:
    """A query with all that it calls, by name; empty if it is not known."""
    return queries_asked(known, known[name]) | {name: known[name]} if name in known else {}


def _seen(state: State, seat: int) -> list[object]:
    """The pieces and values that a seat sees; that a zone is open to them shows once something lies in it."""
    view = state.view(seat)
    held = [*view["fields"].values(), *view["zones"].values()]
    return [one.get("values", one) if isinstance(one, dict) else one for one in held if one]


def _entries(state: State) -> list[tuple[object, ...]]:
    return [(one.who, one.name, one.key, one.seen_by) for one in state.log]


def _question(state: State) -> tuple[object, ...]:
    decision = state.decision
    if decision is None:
        return ()
    return (decision.who, decision.name, decision.label, tuple(option.key for option in decision.options))
