"""A scenario as a game to be played on: the positions through which its answers lead, and where it stops."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.compiler import sources
from rulewright.compiler.overlays.layers import with_positions
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.engine import LogEntry, State
from rulewright.engine.runtime.records import CHANCE, RULES
from rulewright.host.api_arguments import invalid_argument, whole
from rulewright.host.api_arguments import text as as_text
from rulewright.ir.scenario_plan import Line, ScenarioPlan, Start
from rulewright.play.game import Game
from rulewright.play.scenarios.scenario_results import Failed, Failure, Over
from rulewright.play.scenarios.scenario_runner import Runner
from rulewright.play.scenarios.setup import SEED, starting_state
from rulewright.syntax import ast, parse


@dataclass(frozen=True, slots=True)
class ScenarioGame:
    """A scenario that was played to one of its lines."""

    game: Game
    title: str
    begins: str
    """The procedure of the rules that it starts; empty if that is the whole game."""
    options: dict[str, str]
    """The parameters that it sets."""
    positions: tuple[State, ...]
    """Positions with a decision, of chance too, and the last one. Chance is a decision in them, unless the
    scenario is a whole game that says nothing of chance."""
    failure: Failure | None
    """The reason why it goes no further; None if all lines up to there hold."""


def scenario_text(text: str, line: int) -> str:
    """The scenario of a file with rules in which a line stands, at the place where it stands: lines before it are
    empty. Nothing if no scenario is there."""
    lines = as_text("the rules", text).split("\n")
    whole("the line", line)
    decls = parse(text, "").file.decls
    number = next((n for n in reversed(range(len(decls))) if decls[n].span.line <= line), None)
    if number is None or not isinstance(decls[number], ast.Scenario):
        return ""
    first = decls[number].span.line - 1
    last = decls[number + 1].span.line - 1 if number + 1 < len(decls) else len(lines)
    kept = lines[first:last]
    while kept and (not kept[-1].strip() or kept[-1].startswith("#")):  # a comment there is about the next one
        kept.pop()
    return "\n" * first + "\n".join(kept) + "\n" if line <= first + len(kept) else ""


def scenario_game(ruleset: Ruleset, text: str, until: int | None = None) -> ScenarioGame:
    """The game of a scenario of some rules, whose text is given, played to a line of it, or to the first that does not
    hold.

    RulesetError if the text is no scenario of these rules, or if its position cannot be laid out.
    """
    if until is not None:
        whole("the line", until)
    plan, set_in = _planned(ruleset, as_text("the scenario", text))
    runner, failure = _run(plan, until)
    state = runner.stage.state
    try:
        first = starting_state(plan, SEED, runner.stage.position.mode.ask_chance)
    except Failed as failed:
        raise invalid_argument("the scenario", plan.title, str(failed)) from None
    entries = state.log if state is not None else ()
    begun = next((step.function for step in plan.steps if isinstance(step, Start)), "")
    game = Game(plan.program, ruleset)
    options = {name: game.parameters[name] for name in set_in if name in game.parameters}
    begins = "" if begun == plan.program.main else begun
    return ScenarioGame(game, plan.title, begins, options, tuple(played(first, entries)), failure)


def played(first: State, entries: Iterable[LogEntry]) -> list[State]:
    """The positions to which the entries of a log lead from a first one; of a log that does not fit, up to there."""
    found = [first]
    for entry in entries:
        here = found[-1]
        decision = here.decision
        drawn = entry.who == CHANCE and decision is not None and decision.seat is not None  # from the seed
        if entry.who == RULES or drawn:
            continue
        try:
            found.append(here.choose(entry.key, by=None if entry.who == CHANCE else entry.who))
        except RulesetError:
            break
    return found


def _planned(ruleset: Ruleset, text: str) -> tuple[ScenarioPlan, list[str]]:
    """The plan of a scenario, and the names of the parameters that it sets."""
    source = sources(ruleset)
    read = parse(text, "scenario")
    errors = [d for d in (*ruleset.play_errors, *source.findings, *read.diagnostics) if d.is_error]
    if errors:
        raise RulesetError(errors)
    decls = read.file.decls
    if len(decls) != 1 or not isinstance(decls[0], ast.Scenario):
        raise invalid_argument("the scenario", text.strip()[:40], "it must be the text of one scenario")
    written = with_positions([decls[0]], source.rules.scenarios)[0]
    plan, wrongs = plan_scenario(source, written)
    if plan is None:
        raise RulesetError([d for d in wrongs if d.is_error])
    return plan, [str(line.path) for line in written.lines if isinstance(line, ast.SSet)]


def _run(plan: ScenarioPlan, until: int | None) -> tuple[Runner, Failure | None]:
    """A scenario run to a line, and the reason why it went no further."""
    runner, line = Runner(plan), Line(plan.span)
    try:
        for line in plan.steps:
            later = until is not None and line.span.file == plan.span.file and line.span.line > until
            if later and runner.stage.state is not None:
                return runner, None
            runner.run(line)
        runner.fates.nothing_left()
    except Over:
        pass
    except Failed as failed:
        return runner, runner.failure(line, failed)
    except RulesetError as error:
        first = error.diagnostics[0]
        message = "; ".join(part for part in (f"[{first.code}] {first.message}", first.hint) if part)
        return runner, runner.failure(line, Failed(message))
    return runner, None
