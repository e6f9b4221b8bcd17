"""Calls, reads and changes of the rules, and what can be run at all.

Reads and changes are represented by words: the name of a field or zone, ``local x`` of a name that a rule gives,
``players`` (who is in the game), ``regions`` (what has merged), ``where`` (any piece moved) and ``side`` (any piece
turned). Both may be too many, never too few.

Facts about a game are found from the summaries of its declarations alone, by one :class:`FlowAnalysis` for all games,
and all edits, in which these are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from rulewright.compiler.symbols.symbols import MAIN
from rulewright.findings.text.analyses.mentions import Mentions, mentions
from rulewright.findings.text.analyses.rule_summaries import Sort, Summary, summary_of
from rulewright.findings.text.analyses.terminators import holds
from rulewright.findings.text.subject import Configuration
from rulewright.foundation.memo import memoized_by_node
from rulewright.syntax import ast

KEPT = 32
"""The number of games of which the flow is kept."""

MOST = 1 << 14
"""So many answers of one sort are kept of a game."""

_WHERE = ("place", "holder", "on_board", "in_game", "slot")

Words = frozenset[str]


class Symbols(NamedTuple):
    """The words that stand for something else than rules."""

    fields: tuple[tuple[str, str | None], ...]
    """With the blocks as long as which they last."""
    zones: tuple[str, ...]
    merged: tuple[str, ...]
    areas: tuple[str, ...]
    begins: tuple[str, ...]
    """Words that stand where a game may begin: its move, and what scenarios start."""


class FlowAnalysis:
    """The flow of the games that have these declarations."""

    def __init__(self, summaries: dict[str, Summary], symbols: Symbols) -> None:
        self._summaries, self._symbols = summaries, symbols
        self.calls = self._all("call")
        self._queries, self._limits = self._all("query"), self._all("limits")
        self._reacting = [s for sort in ("consequence", "end", "reaction") for s in self._all(sort).values()]
        self._fields, self._zones = dict(symbols.fields), frozenset(symbols.zones)
        self._merged = frozenset(symbols.merged)
        self._areas = {name.lower(): name for name in reversed((*symbols.areas, *symbols.merged))}
        self._named: dict[str, list[str]] = {}
        self._words: dict[str, Words] = {}
        self._read_by: dict[str, Words] = {}
        self._read: dict[Mentions, Words] = {}
        self._written: dict[Mentions, Words] = {}
        self._writes: dict[str, Words] = {}
        self._finishing: dict[str, bool] = {}

    def _all(self, sort: Sort) -> dict[str, Summary]:
        return {name: summary for name, summary in self._summaries.items() if summary.sort == sort}

    # ------------------------------------------------------------------------------------------- calls

    def named(self, spoken: Mentions) -> list[str]:
        """Effects and procedures that are named, also to ask whether they are possible."""
        return [w for w in spoken.names if w in self.calls]

    def named_by(self, name: str) -> list[str]:
        """The words that an effect or procedure names."""
        if name not in self._named:
            self._named[name] = self.named(self.calls[name].spoken)
        return self._named[name]

    @cached_property
    def callers(self) -> dict[str, tuple[str, ...]]:
        """By which other effects and procedures each is named."""
        found: dict[str, list[str]] = {name: [] for name in self.calls}
        for name in self.calls:
            for called in self.named_by(name):
                if called != name:
                    found[called].append(name)
        return {name: tuple(held) for name, held in found.items()}

    def reached(self, names: Iterable[str]) -> dict[str, None]:
        """These effects and procedures with all that they call."""
        found: dict[str, None] = {}
        todo = list(names)
        while todo:
            name = todo.pop()
            if name not in found and name in self.calls:
                found[name] = None
                todo.extend(self.named_by(name))
        return found

    @cached_property
    def spoken(self) -> Words:
        """All bare words of the game."""
        return frozenset().union(*(summary.spoken.names for summary in self._summaries.values()))

    @cached_property
    def run(self) -> dict[str, None]:
        """All that can be run in a game."""
        roots = [MAIN, *self._symbols.begins]
        for summary in self._summaries.values():
            if summary.sort == "reaction":
                # That it waits for something does not do it.
                roots += self.named(summary.condition) + self.named(summary.body)
            elif summary.sort != "call":
                roots += self.named(summary.spoken)
        return self.reached(roots)

    @cached_property
    def opened(self) -> Words:
        """Procedures that are called before the first decision, where it is already known whether they can be."""
        found: set[str] = set()
        todo = [word for summary in self._summaries.values() for word in summary.opened]
        while todo:
            name = todo.pop()
            if name in self.calls and name not in found:
                found.add(name)
                todo.extend(self.calls[name].begins_with)
        return frozenset(found)

    # ------------------------------------------------------------------------------- reads and changes

    def reads(self, spoken: Mentions) -> Words:
        """The words on which these words depend, queries, limits and areas that they ask included."""
        if spoken not in self._read:
            _limited(self._read)
            self._read[spoken] = self._besides(spoken).union(*(self._word(name) for name in spoken.names))
        return self._read[spoken]

    def _besides(self, spoken: Mentions) -> Words:
        """The reads besides the words."""
        return spoken.reads if self._merged.isdisjoint(spoken.types) else spoken.reads | {"regions"}

    def _word(self, name: str) -> Words:
        if name not in self._words:
            self._words[name] = self._plain(name) if self._stands_for(name) is None else self._read_through(name)
        return self._words[name]

    def _plain(self, name: str) -> Words:
        """The words that a word reads which stands for no rule."""
        if name in self._fields or name in self._zones:
            return frozenset({name, "regions"})
        if name in _WHERE:
            return frozenset({"where", "regions"})
        if name in ("region", "places", "ahead"):
            return frozenset({"regions"})
        return frozenset({name if name in ("players", "side") else f"local {name}"})

    def _stands_for(self, name: str) -> tuple[str, Mentions] | None:
        """The query, limits, area, effect or procedure that a word stands for, and what is to be read there."""
        if name in self._fields or name in self._zones:
            return None
        if name in _WHERE or name in ("region", "places", "ahead", "players", "side"):
            return None
        area = self._areas.get(name)
        if area is not None and area not in self._merged:
            return f"area {area}", self._summaries[area].condition
        for held in (self._queries, self._limits, self.calls):
            if name in held:
                return name, held[name].spoken
        return None

    def _read_through(self, name: str) -> Words:
        """The reads by the rule that a word stands for, and by all that it asks; names inside rules do not count."""
        first = self._stands_for(name)
        assert first is not None
        if first[0] not in self._read_by:
            found: set[str] = set()
            bodies = dict([first])
            todo = [first]
            while todo:
                _, spoken = todo.pop()
                found |= self._besides(spoken)
                for word in spoken.names:
                    rule = self._stands_for(word)
                    if rule is None:
                        found |= self._plain(word)
                    elif rule[0] in self._read_by:
                        found |= self._read_by[rule[0]]
                    elif rule[0] not in bodies:
                        bodies[rule[0]] = rule[1]
                        todo.append(rule)
            self._read_by[first[0]] = frozenset(t for t in found if not t.startswith("local "))
        return self._read_by[first[0]]

    def read_through(self, word: str) -> Words:
        """The words that a query or limits reads; none, if a word stands for neither."""
        held = self._queries.get(word) or self._limits.get(word)
        return self.reads(held.spoken) if held is not None else frozenset()

    def writes(self, spoken: Mentions) -> Words:
        """The changes that may be made by statements, calls included."""
        if spoken not in self._written:
            _limited(self._written)
            found = self._changed(spoken)
            for name in spoken.names:
                if name in self.calls and name != "eliminate":
                    found |= self._written_by(name)
            self._written[spoken] = frozenset(found)
        return self._written[spoken]

    def _written_by(self, name: str) -> Words:
        """The changes that an effect or procedure may make."""
        if name not in self._writes:
            self._writes[name] = self._written_by_all((name,))
        return self._writes[name]

    def _written_by_all(self, names: Iterable[str]) -> Words:
        """The changes that may be made by several effects and procedures."""
        found: set[str] = set()
        for name in self.reached(names):
            found |= self._changed(self.calls[name].spoken)
            found |= self._forgotten(name)
        return frozenset(w for w in found if not w.startswith("local "))

    def _changed(self, spoken: Mentions) -> set[str]:
        """The changes where these words stand, without what is called there."""
        found = set(spoken.writes)
        if spoken.turns:
            found.update(self._zones)
        for label in spoken.steps:
            found |= self._forgotten(label)
        return found

    def _forgotten(self, block: str) -> Words:
        return self._lasting.get(block, frozenset())

    @cached_property
    def _lasting(self) -> dict[str, Words]:
        """The fields that last as long as each block."""
        found: dict[str, set[str]] = {}
        for name, block in self._symbols.fields:
            if block is not None:
                found.setdefault(block, set()).add(name)
        return {block: frozenset(names) for block, names in found.items()}

    @cached_property
    def follows(self) -> Words:
        """The words that consequences may change."""
        bodies = [summary.body for summary in self._reacting]
        called = [name for body in bodies for name in body.names if name != "eliminate"]
        return self._written_by_all(called).union(*(self._changed(body) for body in bodies))

    @cached_property
    def ever_written(self) -> Words:
        """The words that any rule may change."""
        return self.follows | self._written_by_all(self.calls)

    @cached_property
    def written_when_run(self) -> Words:
        """The changes that may be made by the rules that can be run."""
        return self.follows | self._written_by_all(self.run)

    @cached_property
    def due(self) -> Words:
        """The reads to know whether a consequence follows or the game ends."""
        return frozenset().union(*(self.reads(s.condition) for s in self._reacting if s.sort != "reaction"))

    @cached_property
    def due_at_once(self) -> Words:
        """The words that ends and consequences read, without ends that are looked for only when a procedure is over."""
        found = (s for s in self._reacting if s.sort != "reaction" and not s.later)
        return frozenset().union(*(self.reads(s.condition) for s in found))

    @cached_property
    def ends(self) -> tuple[Words, ...]:
        """For each end of the game the reads to know whether it has come."""
        return tuple(self.reads(s.condition) for s in self._all("end").values())

    @cached_property
    def watched(self) -> Words:
        """The reads at any time, by consequences, ends and the like."""
        called = ("call", "field", "query")
        return frozenset().union(*(self.reads(s.spoken) for s in self._summaries.values() if s.sort not in called))

    # ------------------------------------------------------------------------------------------- ways

    def finishes(self, spoken: Mentions) -> bool:
        """True if the game may end where these words stand, or in something that is called there."""
        return spoken.finishes or any(map(self._call_finishes, self.named(spoken)))

    def _call_finishes(self, name: str) -> bool:
        if name not in self._finishing:
            self._finishing[name] = any(self.calls[called].spoken.finishes for called in self.reached((name,)))
        return self._finishing[name]

    @cached_property
    def has_ending(self) -> bool:
        """True if any rule that is ever run ends the game with a result."""
        if any(self.calls[name].spoken.finishes for name in self.run):
            return True
        return any(self.finishes(summary.body) for summary in self._reacting)

    @cached_property
    def going(self) -> Words:
        """The effects and procedures that never come back; in circles those of which that is certain."""
        found = {name for name, summary in self.calls.items() if holds(summary.way_out, lambda name: False)}
        todo = sorted(found)
        while todo:
            for name in self.callers[todo.pop()]:
                if name not in found and holds(self.calls[name].way_out, found.__contains__):
                    found.add(name)
                    todo.append(name)
        return frozenset(found)

    def rolls(self, spoken: Mentions) -> bool:
        """True if dice may be rolled where these words stand, or in something that is called there."""
        return spoken.rolls or any(self.calls[name].spoken.rolls for name in self.reached(self.named(spoken)))

    @cached_property
    def rolls_when_run(self) -> bool:
        """True if any rule that is ever run rolls dice."""
        return any(self.calls[name].spoken.rolls for name in self.run) or any(s.body.rolls for s in self._reacting)


def _limited(answers: dict[Mentions, Words]) -> None:
    """Forget all answers if there are very many: a flow may live for long."""
    if len(answers) >= MOST:
        answers.clear()


# ------------------------------------------------------------------------------------------- which flow it is


def flow_of(game: Configuration) -> FlowAnalysis:
    """The flow of a game: one for all games of which the summaries and symbols are the same."""
    decls, world = game.rules.decls, game.compiler.world
    symbols = Symbols(
        tuple((name, field.lasting) for name, field in world.fields.items()),
        tuple(world.zones),
        tuple(world.merged),
        tuple(world.areas),
        game.ask(_begins),
    )
    return _flow(tuple(decls), tuple(map(summary_of, decls.values())), symbols)


@lru_cache(KEPT)
def _flow(names: tuple[str, ...], summaries: tuple[Summary, ...], symbols: Symbols) -> FlowAnalysis:
    return FlowAnalysis(dict(zip(names, summaries, strict=True)), symbols)


def _begins(game: Configuration) -> tuple[str, ...]:
    """Words that stand where a game may begin: its move, and what scenarios start."""
    started = dict.fromkeys([word for scenario in game.rules.scenarios for word in _starts(scenario)])
    return (game.compiler.ruleset.manifest.move, *started)


def share_scenarios(games: Sequence[Configuration], unread: Iterable[str] = ()) -> None:
    """Have what scenarios start found out once for games that have the same; `unread` are started by others."""
    for game in games:
        if unread:
            game.known[_begins] = (*_begins(game), *unread)
        elif game.rules.scenarios == games[0].rules.scenarios:
            game.known[_begins] = games[0].ask(_begins)


@memoized_by_node
def _starts(scenario: ast.Scenario) -> tuple[str, ...]:
    """The words in what a scenario starts."""
    return mentions(tuple(line.call for line in scenario.lines if isinstance(line, ast.SStart))).names
