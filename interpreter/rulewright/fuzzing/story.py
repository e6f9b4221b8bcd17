"""From a game that went wrong to a short story that can be told again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulewright.analysis import Sources
from rulewright.analysis.checking import plan_scenario
from rulewright.engine import Broken, Position, unkept
from rulewright.fuzzing.drive import Drive
from rulewright.fuzzing.listening import Moment
from rulewright.fuzzing.looping import loop_of
from rulewright.fuzzing.retelling import Answer, Beginning, Teller, Told
from rulewright.fuzzing.shrinking import shrink
from rulewright.fuzzing.telling import Untold, differences
from rulewright.fuzzing.troubles import Found, Setting, Trouble
from rulewright.fuzzing.wording import scenario
from rulewright.game import Game
from rulewright.scenarios import run_scenario
from rulewright.syntax import ast, parse_file

SHORT = 12
"""A story with at most so many decisions is short."""

TRIED = 80
"""Moments from which a story is tried to be told."""


@dataclass(frozen=True, slots=True)
class Story:
    """What went wrong, and how to see it again."""

    trouble: Trouble
    setting: Setting
    numbers: tuple[int, ...]
    """The whole game, as numbers of options."""
    scenario: str = ""
    """A scenario that fails until the rules are mended; empty if none can tell it."""
    why_not: str = ""
    """Why there is no scenario."""
    decisions: int = 0
    """Answers in the story (or in the game, if there is none), chance included."""
    log: tuple[str, ...] = field(default=())
    """What happens in the story, in words."""
    cites: tuple[str, ...] = ()
    """Statements of the rulebook that the broken assertion and the rules of the story transcribe."""
    rules: tuple[str, ...] = ()
    """The rules that were used in it."""


def story_of(game: Game, sources: Sources, found: Found) -> Story:
    """The shortest story that a found game leads to."""
    trouble, setting = found.trouble, found.setting
    plain = Story(trouble, setting, found.numbers, decisions=len(found.numbers), cites=trouble.cites)
    if trouble.kind == "endless":
        return _looping(game, plain)
    if trouble.kind == "copy":
        return _without(game, plain, "this is no mistake of the rules")
    why = "it shows only in the whole game"
    best: tuple[Told, str] | None = None
    for told, teller in _beginnings(game, found):
        short = shrink(teller, told)
        title = _title(short)
        cites = short.trouble.cites or (short.answers[-1].decision.cites if short.answers else ())
        try:
            text = scenario(game, setting, short, title, cites)
        except Untold as untold:
            why = str(untold)
            continue
        problem = fails(sources, text, short.trouble)
        if problem:
            why = problem
            continue
        if best is None or len(short.answers) < len(best[0].answers):
            best = short, text
        if len(short.answers) <= SHORT:
            break
    if best is None:
        return _without(game, plain, why)
    short, text = best
    log = tuple(f"{a.decision.who}: {a.decision.name} = {a.option.key}" for a in short.answers)
    return Story(
        short.trouble, setting, found.numbers, text, "", len(short.answers), log, _cites(game, short), short.fired
    )


def _looping(game: Game, plain: Story) -> Story:
    """A game that does not end; if a position comes again, that is told instead of thousands of decisions."""
    why = "no scenario can say that a game must end"
    loop = loop_of(game, plain.numbers)
    if loop is None:
        return _without(game, plain, why)
    before, after = len(loop.numbers) - loop.length, "decision" if loop.length == 1 else "decisions"
    where = "the first position" if not before else f"the position after decision {before}"
    told = f"{plain.trouble.told}: {where} comes again {loop.length} {after} later"
    trouble = replace(plain.trouble, told=told)
    return _without(game, replace(plain, trouble=trouble, numbers=loop.numbers, decisions=len(loop.numbers)), why)


def _without(game: Game, plain: Story, why: str) -> Story:
    course = Drive(game).again(plain.numbers)
    entries = course.state.log if course.state is not None else ()
    log = tuple(f"{e.who}: {e.name} = {e.key}" for e in entries[-SHORT:])
    return replace(plain, why_not=why, log=log)


def _beginnings(game: Game, found: Found) -> Iterator[tuple[Told, Teller]]:
    """Stories that end in the same trouble, each from a procedure that began in the game: the best first."""
    drive = Drive(game, moments=True)
    course = drive.again(found.numbers)
    answers = _answers(game, found.numbers)
    program = game.program
    turn = drive.turn if program.move else ""

    def rank(moment: Moment) -> tuple[int, int]:
        return (0 if moment.function == turn else 1 if moment.args else 2), -moment.before

    # A position that is bad before anybody has answered says little of the rules: only if there is nothing else.
    moments = sorted(course.moments, key=rank)[:TRIED]
    for moment, least in [(moment, 1 if moment.before else 0) for moment in moments] + [(one, 0) for one in moments]:
        laid = differences(game.engine, moment.cells)
        teller = Teller(game, found.trouble, _unheld(game, moment.cells), least)
        told = teller.repeat(Beginning(moment.function, moment.args, tuple(laid)), answers[moment.before :])
        if told is not None:
            yield told, teller


def _answers(game: Game, numbers: Sequence[int]) -> list[Answer]:
    """The answers of a game."""
    found: list[Answer] = []
    state = game.start(0, ask_chance=True)
    for number in numbers:
        decision = state.decision
        assert decision is not None
        option = decision.options[min(number, len(decision.options) - 1)]
        found.append(Answer(state, decision, option))
        if len(found) < len(numbers):
            state = state.choose(option)
    return found


def _unheld(game: Game, cells: list[int]) -> list[Broken]:
    position = Position(game.program)
    position.cells = cells
    return unkept(position.state)


def fails(sources: Sources, text: str, trouble: Trouble) -> str:
    """Whether a scenario fails with a trouble when it is read and run: what is in the way, or nothing."""
    decl = parse_file(text).decls[0]
    assert isinstance(decl, ast.Scenario)
    plan, wrong = plan_scenario(sources, decl)
    if plan is None:
        return f"its scenario cannot be read: {wrong[0].message}"
    failure = run_scenario(plan).failure
    if failure is None:
        return "its scenario holds"
    wanted = trouble.name.split()[0] if trouble.kind == "error" else f"`{trouble.name}`"
    return "" if wanted in failure.message + failure.found else f"its scenario fails otherwise: {failure.message}"


def _title(told: Told) -> str:
    trouble = told.trouble
    words = {"invariant": "breaks", "property": "breaks", "leak": "betrays something at", "error": "stops with"}
    last = told.answers[-1] if told.answers else None
    what = f"{last.decision.name} = {last.option.key}" if last is not None else told.beginning.function
    return f"{what} {words[trouble.kind]} {trouble.name}".replace('"', "'")


def _cites(game: Game, told: Told) -> tuple[str, ...]:
    """What the assertion cites, and the rules that were used."""
    rules = {info.name: info.cites for info in game.program.rules}
    used = [cite for name in told.fired for cite in rules.get(name, ())]
    asked = [cite for answer in told.answers[-1:] for cite in answer.decision.cites]
    return tuple(dict.fromkeys((*told.trouble.cites, *asked, *used)))
