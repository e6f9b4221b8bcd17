"""Methods about the state, the rules in use, the statements of the rulebook, plans and cost."""

from __future__ import annotations

from typing import Any

import rulewright as rw
from rulewright_tools.studio.host.files.folder import Folder
from rulewright_tools.studio.host.game.methods import GameMethods
from rulewright_tools.studio.host.inspecting.planned import GAMES, costs, plan_of
from rulewright_tools.studio.host.inspecting.rule_lines import RuleLines
from rulewright_tools.studio.host.inspecting.traced import MOST, Traced
from rulewright_tools.studio.host.inspecting.usage import Usage, usage_of
from rulewright_tools.studio.host.messages import Answered, ErrorCode, Method, Params, Refused

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

    def _state(self, params: Params) -> Answered:
        scope = params.text_or("scope", OWN)
        params.done()
        if scope not in (OWN, ALL):
            raise Refused(ErrorCode.PARAMS, f"`{scope[:40]}` cannot be seen: there are {OWN} and {ALL}")
        table = self._game.now
        if scope == ALL and not table.may_see_all():
            raise Refused(ErrorCode.NOT_NOW, "several people play here: what is hidden from some of them stays hidden")
        game, sight = table.play.game, table.onlooker.sight()
        view = table.play.state.view(None) if scope == ALL else table.view()
        seen = table.view()["decision"]
        lines = RuleLines(self._folder, game)
        current_rule = (
            [lines.rule_data(seen["name"].rpartition(".")[0] or seen["name"])] if seen and seen.get("name") else []
        )
        usage = usage_of(table)
        used = _used(usage, lines)
        return {
            "at": table.at,
            "scope": scope,
            "seat": game.seats[sight.seat] if sight.seat is not None else None,
            "hides": not table.is_open(),
            "may_see_all": table.may_see_all(),
            "state": view,
            "asking": current_rule[0] if current_rule else None,
            "complete": usage.complete,
            "used": used,
            "statements": lines.statements(used + current_rule),
        }

    def _plan(self, params: Params) -> Answered:
        rule, counts = params.text_or("rule"), params.truth_or("costs")
        params.done()
        game = self._game.now.play.game
        if self._planned is None or self._planned.game is not game or (counts and not self._planned.counts):
            self._planned = rw.plans.Plan(game, GAMES, counts=counts)
        lines = RuleLines(self._folder, game)
        plan = plan_of(self._planned, rule, lines) if rule else None
        return {**costs(self._planned, lines), "rule": plan}

    def _trace(self, params: Params) -> Answered:
        params.done()
        return self._trace_of_game().headings(usage_of(self._game.now))

    def _statements(self, params: Params) -> Answered:
        section = params.content("section", MOST)
        params.done()
        found = self._trace_of_game().statements(section, usage_of(self._game.now))
        if not found:
            raise Refused(ErrorCode.PARAMS, f"the rulebook has no section `{section[:40]}`")
        return {"statements": found}

    def _trace_of_game(self) -> Traced:
        game = self._game.now.play.game
        if self._traced is None or self._traced.game is not game:
            self._traced = Traced(game, RuleLines(self._folder, game))
        return self._traced


def _used(usage: Usage, lines: RuleLines) -> list[dict[str, Any]]:
    """The rules in use, those of the last step first, then by how often."""
    order = sorted(usage.times, key=lambda rule: (-usage.latest[rule], -usage.times[rule], rule))
    return [{**lines.rule_data(rule), "times": usage.times[rule], "latest": usage.latest[rule]} for rule in order]
