"""``rulewright explain-plan``: how the rules of a game are carried out, and what they cost."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, Format, plural, print_json, print_text
from rulewright_tools.error_boundary import guarded
from rulewright_tools.progress import working
from rulewright_tools.reports import plan_text
from rulewright_tools.vocabulary import named


@guarded
def explain_plan(
    ruleset: arg.Ruleset,
    rule: Annotated[
        str | None,
        typer.Argument(metavar="[RULE]", help="A procedure, effect, end, query or area; without it the whole game."),
    ] = None,
    games: arg.Games = 1000,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    variant: arg.Variants = None,
    option: arg.Options = None,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Explain how rules are carried out: what is read and written, what is looked for when, what it costs.

    The plan is that of the native engine, which plays whole games: after which statements it looks for ends and
    consequences, which answers and indexes it keeps, what each pass of its optimiser has done. The costs are the
    machine instructions that games at random have taken, by rule; they are the same on every machine. Lines that could
    do with less work are named with the cheaper form, as `check --select PERF` reports them.

    Examples:

      rulewright explain-plan connect-four
      rulewright explain-plan my-game points --games 100
      rulewright explain-plan breakthrough --games 50 --passes none
      rulewright explain-plan my-game --passes none --format json
    """
    game = arg.load(ruleset, players, variant, option)
    with working(f"{game.title}, {plural(len(game.seats), 'player')}"):
        plan = rw.plans.Plan(game, games, seed)
        found = plan.rule(rule) if rule is not None else None
    if format is Format.JSON:
        print_json(_report(plan, found, seed))
    else:
        print_text(plan_text.of_rule(plan, found) if found is not None else plan_text.of_game(plan))
    return Exit.FINE


def _report(plan: rw.plans.Plan, rule: rw.plans.RulePlan | None, seed: int) -> dict[str, object]:
    """The plan as plain data."""
    head: dict[str, object] = {
        "ruleset": plan.game.name,
        "players": len(plan.game.seats),
        "seed": seed,
        "games": plan.games,
        "failed": plan.failed,
        "instructions": plan.instructions,
    }
    if rule is not None:
        return head | {"rule": asdict(rule), "advice": [asdict(a) for a in plan.advice if a.rule == rule.name]}
    return head | {
        "passes": plan.passes,
        "costs": [asdict(one) for one in plan.costs],
        "advice": [asdict(one) for one in plan.advice],
        "wakes": [asdict(one) for one in plan.wakes],
        "indexes": [asdict(one) for one in plan.indexes],
        "kept": [asdict(one) for one in plan.kept],
    }
