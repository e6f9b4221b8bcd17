"""Methods about the state, the rules in use, the statements of the rulebook, plans and cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rulewright as rw
from rulewright_tools.reports.trace_report import Row, Trace, trace_of
from rulewright_tools.studio.host.files.folder import Folder
from rulewright_tools.studio.host.game.methods import GameMethods
from rulewright_tools.studio.host.game.viewpoint import Viewpoint
from rulewright_tools.studio.host.messages import Answered, Deferred, ErrorCode, Method, Params, Refused

GAMES = 20
"""Games at random of which the cost is made: the plan is there as soon as machine code is."""

DEAREST = 25
"""The number of rules that are listed with their cost."""


def costs(plan: rw.plans.Plan, lines: RuleLines) -> dict[str, Any]:
    """The rules that cost most, of all that have a plan."""
    return {
        "counted": plan.counts,
        "games": plan.games,
        "instructions": plan.instructions,
        "rules": list(plan.rules),
        "costs": [_cost(one, lines) for one in plan.costs[:DEAREST]],
    }


def plan_of(plan: rw.plans.Plan, rule: str, lines: RuleLines) -> dict[str, Any]:
    """The plan of one rule: what it reads and writes, and what is looked for after its statements."""
    found = plan.rule(rule)
    return {
        "rule": found.name,
        "word": found.word,
        **lines.place(found.file, found.line),
        "reads": list(found.reads),
        "writes": list(found.writes),
        "asks": list(found.asks),
        "calls": list(found.calls),
        "wakes": [_waking(one) for one in found.wakes],
        "woken": [_waking(one) for one in found.woken],
        "kept": found.kept.answers if found.kept is not None else None,
        "passes": [{"name": one.name, "times": one.times} for one in found.passes],
        "costs": [_cost(one, lines) for one in found.costs],
    }


def _waking(one: rw.plans.Waking) -> dict[str, Any]:
    return {"rule": one.rule, "writes": list(one.writes), "asked": list(one.queries)}


def _cost(one: rw.plans.Cost, lines: RuleLines) -> dict[str, Any]:
    place = lines.place(one.file, one.line)
    return {"rule": one.rule, **place, "instructions": one.instructions, "times": one.times, "share": one.share}


@dataclass(frozen=True, slots=True)
class Usage:
    """The numbers of times that rules were used."""

    complete: bool
    """False if only the decisions in the viewer's log were counted."""
    times: Counter[str]
    latest: Counter[str]
    """The uses in the step that has led to the position."""


@dataclass(frozen=True, slots=True)
class ObservedPosition:
    """The position that is looked at, as it stays while others go on with the game."""

    game: rw.Game
    seed: int
    state: rw.State
    before: rw.State | None
    viewer: int | None
    may_count: bool
    """True if the uses of all rules may be known, and follow from the seed and the answers."""

    @classmethod
    def by(cls, viewpoint: Viewpoint) -> ObservedPosition:
        """The position as it is looked at now."""
        play, viewer = viewpoint.play, viewpoint.perspective().viewer
        may_count = viewpoint.is_open() and play.opened is None
        return cls(play.game, play.seed, viewpoint.state, viewpoint.before(), viewer, may_count)

    def usage(self) -> Usage:
        """The use of rules up to the position."""
        counted = self._counted() if self.may_count else None
        if counted is not None:
            return Usage(True, *counted)
        times = _visible_uses(self.game, self.state, self.viewer)
        earlier = Counter[str]() if self.before is None else _visible_uses(self.game, self.before, self.viewer)
        return Usage(False, times, times - earlier)

    def _counted(self) -> tuple[Counter[str], Counter[str]] | None:
        """The counts of the engine when the game is played again; None if its log does not lead to the position."""
        game, fired = self.game, self.game.new_fired()
        earlier = 0 if self.before is None else len(_answers(game, self.before))
        first = [0] * len(fired)
        try:
            state = game.start(self.seed, fired=fired)
            for number, entry in enumerate(_answers(game, self.state)):
                if number == earlier:
                    first = list(fired)
                state = state.choose(entry.key, by=entry.who)
        except rw.RulesetError:
            return None
        if state != self.state:
            return None
        if self.before is None:
            first = [0] * len(fired)
        times = Counter(dict(zip(game.rule_names, fired, strict=True)))
        return +times, times - Counter(dict(zip(game.rule_names, first, strict=True)))


def _answers(game: rw.Game, state: rw.State) -> list[rw.playing.LogEntry]:
    return [entry for entry in state.log if entry.who in game.seats]


def _visible_uses(game: rw.Game, state: rw.State, viewer: int | None) -> Counter[str]:
    """The number of decisions in a viewer's log, by the rules that ask them."""
    known = set(game.rule_names)
    rules = (entry.name.rpartition(".")[0] or entry.name for entry in state.log_for(viewer) if entry.who in game.seats)
    return Counter(rule for rule in rules if rule in known)


class Traced:
    """The trace of the rules of a game: headings of all statements, and section by section what stands for them."""

    def __init__(self, game: rw.Game, lines: RuleLines) -> None:
        self.game = game
        self._lines = lines
        self._trace = trace_of(game.ruleset, game.variants)
        self._counted = set(game.rule_names)

    def headings(self, usage: Usage) -> dict[str, Any]:
        """All but the texts of the statements and the rules that cite them: these are most of it."""
        trace = self._trace
        return {
            "title": trace.title,
            "percent": trace.percent,
            "covered": len(trace.having("covered")),
            "applicable": len(trace.having("covered")) + len(trace.having("missing")),
            "complete": usage.complete,
            "statements": [self._heading(row, usage) for row in trace.rows],
            "uncited": _uncited(trace, self._lines),
        }

    def statements(self, section: str, usage: Usage) -> list[dict[str, Any]]:
        """The statements of a section."""
        return [self._statement(row, usage) for row in self._trace.rows if named(row) == section]

    def _heading(self, row: Row, usage: Usage) -> dict[str, Any]:
        times = [usage.times[one.rule] for one in row.rules if one.rule in self._counted]
        uses = sum(times) if times else None
        return {"id": row.statement.id, "section": named(row), "status": row.status, "times": uses}

    def _statement(self, row: Row, usage: Usage) -> dict[str, Any]:
        lines = self._lines
        return {
            "id": row.statement.id,
            "section": named(row),
            "text": row.statement.statement,
            "status": row.status,
            "note": row.reason,
            "rules": [
                {
                    "rule": one.rule,
                    **lines.place(one.file, one.line),
                    "times": usage.times[one.rule] if one.rule in self._counted else None,
                }
                for one in row.rules
            ],
            "scenarios": [{"rule": one.rule, **lines.place(one.file, one.line)} for one in row.examples],
        }


MOST = 200
"""Letters of the name of a section, of which the others are left out."""


def named(row: Row) -> str:
    """The section of a statement, as pages know it."""
    return row.statement.section[:MOST]


def _uncited(trace: Trace, lines: RuleLines) -> list[dict[str, Any]]:
    return [{"rule": one.rule, "word": one.word, **lines.place(one.file, one.line)} for one in trace.uncited]


class RuleLines:
    """The lines of the rules of one game."""

    def __init__(self, folder: Folder, game: rw.Game) -> None:
        self._folder = folder
        self._game = game
        index = rw.citations.citation_index(game.ruleset, game.variants)
        self._places: dict[str, tuple[str, int]] = {}
        self._cites: dict[str, dict[str, None]] = {}
        for one in sorted(one for one in index.citations if not one.example):
            self._places.setdefault(one.rule, (one.file, one.line))
            self._cites.setdefault(one.rule, {})[one.statement] = None
        for bare in index.uncited:
            self._places.setdefault(bare.rule, (bare.file, bare.line))

    def rule_data(self, rule: str) -> dict[str, Any]:
        """The name of a rule, its line and what it cites; a branch of a rule has those of the whole."""
        name = rule if rule in self._places else rule.partition(".")[0]
        file, line = self._places.get(name, ("", 0))
        return {"rule": rule, **self.place(file, line), "cites": list(self._cites.get(name, ()))}

    def place(self, file: str, line: int) -> dict[str, Any]:
        """A line; the file is null if pages may not read it."""
        return {"file": self._folder.name_of(Path(file)) if file else None, "line": line}

    def statements(self, rules: list[dict[str, Any]]) -> dict[str, str]:
        """The statements that rules cite, by their ids."""
        known = self._game.ruleset.statements
        return {cite: known[cite].statement for one in rules for cite in one["cites"] if cite in known}


OWN, ALL = "own", "all"


class InspectMethods:
    """The methods that look under the game of one page."""

    def __init__(self, folder: Folder, game: GameMethods) -> None:
        self._folder = folder
        self._game = game
        self._planned: rw.plans.Plan | None = None
        self._traced: Traced | None = None

    @property
    def methods(self) -> dict[str, Method]:
        """Methods by their names."""
        return {
            "inspect/state": self._state,
            "inspect/plan": self._plan,
            "inspect/trace": self._trace,
            "inspect/statements": self._statements,
        }

    def _state(self, params: Params) -> Deferred:
        scope = params.text_or("scope", OWN)
        params.done()
        if scope not in (OWN, ALL):
            raise Refused(ErrorCode.PARAMS, f"`{scope[:40]}` cannot be seen: there are {OWN} and {ALL}")
        viewpoint = self._game.now
        if scope == ALL and not viewpoint.may_see_all():
            raise Refused(ErrorCode.NOT_NOW, "several people play here: what is hidden from some of them stays hidden")
        game, perspective = viewpoint.play.game, viewpoint.perspective()
        if scope == ALL and not viewpoint.is_open():
            viewpoint.game.table.has_seen = True
        view = viewpoint.state.view(None) if scope == ALL else viewpoint.view()
        seen = viewpoint.view()["decision"]
        lines = RuleLines(self._folder, game)
        current_rule = (
            [lines.rule_data(seen["name"].rpartition(".")[0] or seen["name"])] if seen and seen.get("name") else []
        )
        found = {
            "at": viewpoint.at,
            "scope": scope,
            "seat": game.seats[perspective.seat] if perspective.seat is not None else None,
            "hides": not viewpoint.is_open(),
            "may_see_all": viewpoint.may_see_all(),
            "state": view,
            "asking": current_rule[0] if current_rule else None,
        }

        def then(usage: Usage) -> Answered:
            used = _used(usage, lines)
            statements = lines.statements(used + current_rule)
            return {**found, "complete": usage.complete, "used": used, "statements": statements}

        return Deferred(ObservedPosition.by(viewpoint).usage, then)

    def _plan(self, params: Params) -> Deferred:
        rule, counts = params.text_or("rule"), params.truth_or("costs")
        params.done()
        game, known = self._game.now.play.game, self._planned

        def work() -> rw.plans.Plan:
            if known is not None and known.game is game and (known.counts or not counts):
                return known
            return rw.plans.Plan(game, GAMES, counts=counts)

        def then(plan: rw.plans.Plan) -> Answered:
            self._planned, lines = plan, RuleLines(self._folder, game)
            return {**costs(plan, lines), "rule": plan_of(plan, rule, lines) if rule else None}

        return Deferred(work, then)

    def _trace(self, params: Params) -> Deferred:
        params.done()
        return self._traced_with(Traced.headings)

    def _statements(self, params: Params) -> Deferred:
        section = params.content("section", MOST)
        params.done()

        def statements(traced: Traced, usage: Usage) -> Answered:
            found = traced.statements(section, usage)
            if not found:
                raise Refused(ErrorCode.PARAMS, f"the rulebook has no section `{section[:40]}`")
            return {"statements": found}

        return self._traced_with(statements)

    def _traced_with(self, result: Callable[[Traced, Usage], Answered]) -> Deferred:
        """The result for the rulebook beside the rules of the game, and the rules that were used."""
        seen, known = ObservedPosition.by(self._game.now), self._traced

        def work() -> tuple[Traced, Usage]:
            traced = known if known is not None and known.game is seen.game else None
            return traced or Traced(seen.game, RuleLines(self._folder, seen.game)), seen.usage()

        def then(found: tuple[Traced, Usage]) -> Answered:
            self._traced = found[0]
            return result(*found)

        return Deferred(work, then)


def _used(usage: Usage, lines: RuleLines) -> list[dict[str, Any]]:
    """The rules in use, those of the last step first, then by how often."""
    order = sorted(usage.times, key=lambda rule: (-usage.latest[rule], -usage.times[rule], rule))
    return [{**lines.rule_data(rule), "times": usage.times[rule], "latest": usage.latest[rule]} for rule in order]
