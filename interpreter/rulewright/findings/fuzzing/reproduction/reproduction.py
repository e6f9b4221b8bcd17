"""Reproduction: from a game that went wrong to a short story that can be replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TypeVar, assert_never

from rulewright.compiler import Sources, sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.engine import Broken, Decision, Option, Position, unkept
from rulewright.findings.fuzzing.deadlines import Limits, OutOfTime
from rulewright.findings.fuzzing.failures import Found, Key, Setting, Violation
from rulewright.findings.fuzzing.reproduction.position_replay import Beginning, Replayed, Teller
from rulewright.findings.fuzzing.search.cycle_detection import loop_of
from rulewright.findings.fuzzing.search.driver import Drive
from rulewright.findings.fuzzing.search.players import Pick
from rulewright.findings.fuzzing.search.random_games import first_failing
from rulewright.play.game import Game
from rulewright.play.scenarios import Cause, Failure, causes, run_scenario
from rulewright.play.scenarios.recording.replayed_game import Moment
from rulewright.play.scenarios.recording.scenario_lines import SHUFFLE, Answer, AnswerWords
from rulewright.play.scenarios.recording.state_diff import differences
from rulewright.syntax import ast, names, parse_file, print_file

T = TypeVar("T")

ROUNDS = 4
"""Answers and position are made smaller in turns at most so often."""


Better = Callable[[Replayed], None]
"""A callback for each story that is better than the one before: time may be up at any moment."""


def shrink(teller: Teller, replayed: Replayed, better: Better) -> Replayed:
    """A story that is no longer, and of which nothing can be left out."""
    better(replayed)
    for _ in range(ROUNDS):
        before = _size(replayed)
        replayed = fewer_answers(teller, replayed, better)
        replayed = less_laid(teller, replayed, better)
        if _size(replayed) == before:
            break
    return replayed


def _size(replayed: Replayed) -> tuple[int, int]:
    return len(replayed.answers), len(replayed.beginning.laid)


def fewer_answers(teller: Teller, replayed: Replayed, better: Better) -> Replayed:
    """The shortest and plainest answers from the same beginning: Hypothesis looks for them, then each is left out."""
    from rulewright.findings.fuzzing.search.drawing import smallest

    if not replayed.answers:
        return replayed
    best = [replayed]

    def improved(found: Replayed) -> None:
        best[0] = found
        better(found)

    def fails(pick: Pick) -> bool:
        def choose(decision: Decision) -> Option:
            return decision.options[pick(len(decision.options))]

        found = teller.replay(replayed.beginning, choose, len(best[0].answers))
        if found is not None and _plainness(found.answers) < _plainness(best[0].answers):
            improved(found)
        return found is not None

    drawn = [answer.option.index for answer in replayed.answers if len(answer.decision.options) > 1]
    smallest(fails, drawn)

    def keep(answers: Sequence[Answer]) -> bool:
        found = teller.repeat(replayed.beginning, answers)
        if found is None or len(found.answers) >= len(best[0].answers):
            return False
        improved(found)
        return True

    leave_out(best[0].answers, keep)
    return best[0]


def _plainness(answers: Sequence[Answer]) -> tuple[int, tuple[int, ...]]:
    return len(answers), tuple(answer.option.index for answer in answers)


def less_laid(teller: Teller, replayed: Replayed, better: Better) -> Replayed:
    """As much as possible of the position as it is when a game begins.

    Where nothing is answered the position is all that there is of the story: it stays as it was.
    """
    best = [replayed]
    if not replayed.answers:
        return replayed

    def keep(laid: Sequence[object]) -> bool:
        beginning = replayed.beginning
        chosen = tuple(one for one in beginning.laid if one in laid)
        found = teller.repeat(Beginning(beginning.function, beginning.args, chosen), best[0].answers)
        if found is None:
            return False
        best[0] = found
        better(found)
        return True

    leave_out(replayed.beginning.laid, keep)
    return best[0]


def leave_out(items: Sequence[T], keeps: Callable[[Sequence[T]], bool]) -> list[T]:
    """As few of some items as possible: parts of them are left out as long as `keeps` allows it.

    Delta debugging (Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002): first halves,
    then ever smaller parts, at last one by one until nothing more can go.
    """
    left = list(items)
    size = max(1, len(left) // 2)
    while left:
        shorter = False
        at = 0
        while at < len(left):
            fewer = left[:at] + left[at + size :]
            if keeps(fewer):
                left, shorter = fewer, True
            else:
                at += size
        if size == 1 and not shorter:
            break
        size = max(1, size // 2)
    return left


def scenario(game: Game, setting: Setting, replayed: Replayed, title: str, cites: Sequence[str]) -> str:
    """The text of a scenario."""
    words, begin = AnswerWords(game.engine), replayed.beginning
    lines: list[ast.ScenarioLine] = [ast.SPlayers(words.seats)]
    lines += [ast.SVariant(variant) for variant in setting.variants]
    lines += [ast.SSet(ast.Path((name,)), names.value(value)) for name, value in setting.options]
    lines += words.lines(begin.laid)
    lines.append(ast.SStart(words.start(begin.function, begin.args)))
    lines += [line for _, line in words.answers(replayed.answers, may=True)]
    trivia = ast.Trivia(cites=tuple(cites))
    return print_file(ast.File((ast.Scenario(title, tuple(lines), trivia=trivia),)))


SHORT = 12
"""A story with at most this many decisions is short."""

TRIED = 80
"""Number of moments from which a story is tried."""

NEAR = 60
"""A story that begins at most this many decisions before the trouble is soon shrunk."""


@dataclass(frozen=True, slots=True)
class Story:
    """A violation, and the way to reproduce it."""

    trouble: Violation
    setting: Setting
    numbers: tuple[int, ...]
    """The whole game, as numbers of options."""
    scenario: str = ""
    """A scenario that fails until the rules are fixed; empty if none reproduces it."""
    why_not: str = ""
    """The reason why there is no scenario."""
    decisions: int = 0
    """Answers in the story (or in the game, if there is none), chance included."""
    log: tuple[str, ...] = field(default=())
    """The events of the story, in words."""
    cites: tuple[str, ...] = ()
    """Statements of the rulebook that the broken assertion and the rules of the story transcribe."""
    rules: tuple[str, ...] = ()
    """The rules that were used in it."""
    kept: Path | None = None
    """The file of the corpus with the game, if there is a corpus."""
    causes: tuple[Cause, ...] = ()
    """The changes of variants without which the scenario would not fail so, if rules without them do not."""


def story_of(game: Game, sources: Sources, found: Found, limits: Limits) -> Story:
    """The shortest story that a found game leads to; if time is up, the best so far."""
    plain = Story(
        found.trouble,
        found.setting,
        found.numbers,
        decisions=len(found.numbers),
        cites=found.trouble.cites,
        kept=found.kept,
    )
    match found.trouble.kind:
        case "endless":
            return _looping(game, plain, limits)
        case "copy":
            return _without(game, plain, "this is not a mistake in the rules")
        case "error" | "invariant" | "property" | "leak":
            return _Search(game, sources, plain, limits).run()
        case kind:
            assert_never(kind)


class _Search:
    """Looks for the best story of one game."""

    def __init__(self, game: Game, sources: Sources, plain: Story, limits: Limits) -> None:
        self.game, self.sources, self.plain, self.limits = game, sources, plain, limits
        self.best: Story | None = None
        self.begins = -1
        """The number of decisions answered before the best story."""
        self.draft: Replayed | None = None
        """A story that is just being shrunk."""
        self.why = "it shows only in the whole game"

    def run(self) -> Story:
        """The best story."""
        try:
            self.try_all()
        except (OutOfTime, KeyboardInterrupt) as stop:
            self.limits.interrupted = isinstance(stop, KeyboardInterrupt)
            self.why = "shrinking was cut off before one was found"
            if self.draft is not None:
                self.take(self.draft, self.begins)
        return self.best or _without(self.game, self.plain, self.why)

    def try_all(self) -> None:
        """Shrink one story after the other, the most promising first, until one is short."""
        for moment, replayed, teller in _beginnings(self.game, self.plain, self.limits, self.too_early):
            self.draft = replayed
            short = shrink(teller, replayed, self.better)
            self.draft = None
            if self.take(short, moment.before) and len(short.answers) <= SHORT:
                return

    def too_early(self, moment: Moment) -> bool:
        """True if a story that begins here can only be longer than the best."""
        return moment.before < self.begins

    def better(self, replayed: Replayed) -> None:
        """Shrinking has come so far."""
        self.draft = replayed

    def take(self, replayed: Replayed, begins: int) -> bool:
        """Write a story down; whether it is the best and can be read."""
        if self.best is not None and len(replayed.answers) >= self.best.decisions:
            return False
        cites = replayed.trouble.cites or (replayed.answers[-1].decision.cites if replayed.answers else ())
        text = scenario(self.game, self.plain.setting, replayed, _title(replayed), cites)
        self.why = fails(self.sources, text, replayed.trouble)
        if self.why:
            return False
        self.begins = begins
        self.best = replace(
            self.plain,
            trouble=replayed.trouble,
            scenario=text,
            decisions=len(replayed.answers),
            log=_log(replayed.answers),
            cites=_cites(self.game, replayed),
            rules=replayed.fired,
        )
        return True


def _looping(game: Game, plain: Story, limits: Limits) -> Story:
    """A game that does not end; if a position comes again, that is the story, instead of thousands of decisions."""
    why = "no scenario can say that a game must end"
    loop = loop_of(game, plain.numbers, limits)
    if loop is None:
        return _without(game, plain, why)
    before, after = len(loop.numbers) - loop.length, "decision" if loop.length == 1 else "decisions"
    where = "the first position" if not before else f"the position after decision {before}"
    message = f"{plain.trouble.told}: {where} comes again {loop.length} {after} later"
    trouble = replace(plain.trouble, told=message)
    return _without(game, replace(plain, trouble=trouble, numbers=loop.numbers, decisions=len(loop.numbers)), why)


def _without(game: Game, plain: Story, why: str) -> Story:
    return replace(plain, why_not=why, log=_log(_answers(game, plain.numbers)[-SHORT:]))


def _log(answers: Sequence[Answer]) -> tuple[str, ...]:
    """The answers, line by line; a shuffle is one line, whatever it has exchanged."""
    replayed: list[str] = []
    for answer in answers:
        decision, option = answer.decision, answer.option
        swap = decision.seat is None and decision.label.startswith(SHUFFLE)
        line = f"{decision.who}: {decision.label}" if swap else f"{decision.who}: {decision.name} = {option.key}"
        if not swap or not replayed or replayed[-1] != line:
            replayed.append(line)
    return tuple(replayed)


def _beginnings(
    game: Game, plain: Story, limits: Limits, too_early: Callable[[Moment], bool]
) -> Iterator[tuple[Moment, Replayed, Teller]]:
    """Stories that end in the same trouble, each from a procedure that began in the game: the most promising first.

    An error that comes at once in a turn is a story without answers, and needs no other. Else those come first that are
    soon shrunk; then those without answers, for a position that is bad before any answer is weak evidence against the
    rules; then the long ones.
    """
    trouble = plain.trouble
    drive = Drive(game, moments=True, limits=limits, passed=lambda key: key != trouble.key)
    course = drive.again(plain.numbers)
    if course.cut:
        raise OutOfTime
    answers = _answers(game, plain.numbers)
    program = game.program
    turn = drive.turn if program.move else ""

    def rank(moment: Moment) -> tuple[int, int]:
        return (0 if moment.function == turn else 1 if moment.args else 2), -moment.before

    def replay_from(moment: Moment) -> tuple[Moment, Replayed, Teller] | None:
        if too_early(moment):
            return None
        laid = differences(game.engine, moment.cells)
        teller = Teller(game, trouble, _unheld(game, moment.cells), 0, limits)
        found = teller.repeat(Beginning(moment.function, moment.args, tuple(laid)), answers[moment.before :])
        if found is None:
            return None
        teller.least = 1 if found.answers else 0
        return moment, found, teller

    moments = sorted(course.moments, key=rank)[:TRIED]
    whole = len(answers)
    near = [moment for moment in moments if whole - moment.before <= NEAR]
    bare = []
    for one in map(replay_from, near):
        if one is None:
            continue
        at_once = trouble.kind == "error" and one[0].function == drive.turn
        if one[1].answers or not one[0].before or at_once:
            yield one
        else:
            bare.append(one)
    yield from (one for one in bare if not too_early(one[0]))
    yield from (one for moment in moments if whole - moment.before > NEAR and (one := replay_from(moment)) is not None)


def _answers(game: Game, numbers: Sequence[int]) -> list[Answer]:
    """The answers of a game; none if it fails before the first question."""
    found: list[Answer] = []
    if not numbers:
        return found
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


def fails(sources: Sources, text: str, trouble: Violation) -> str:
    """The reason why a scenario does not fail with a violation when it is read and run; empty if it does."""
    decl = parse_file(text).decls[0]
    assert isinstance(decl, ast.Scenario)
    plan, wrong = plan_scenario(sources, decl)
    if plan is None:
        return f"its scenario cannot be read: {wrong[0].message}"
    failure = run_scenario(plan).failure
    if failure is None:
        return "its scenario holds"
    return "" if _shows(failure, trouble) else f"its scenario fails differently: {failure.message}"


def _shows(failure: Failure, trouble: Violation) -> bool:
    """True if a scenario fails with a violation."""
    wanted = trouble.name.split()[0] if trouble.kind == "error" else f"`{trouble.name}`"
    return wanted in failure.message + failure.found


TRIES = 64
"""So often a scenario is run at most with fewer options."""


def with_few_settings(source: Sources, story: Story, limits: Limits) -> Story:
    """A story whose scenario has no options that it does not need, nor, of several variants, such variants."""
    variants, options = story.setting.variants, story.setting.options
    if not story.scenario or not (options or variants[1:]):
        return story
    decl = parse_file(story.scenario).decls[0]
    assert isinstance(decl, ast.Scenario)
    first = 1 if variants[1:] else 1 + len(variants)
    end = 1 + len(variants) + len(options)
    tries, found = count(), story.scenario

    def keep(kept: Sequence[ast.ScenarioLine]) -> bool:
        nonlocal found
        if next(tries) >= TRIES or limits.over():
            return False
        fewer = replace(decl, lines=(*decl.lines[:first], *kept, *decl.lines[end:]))
        text = print_file(ast.File((fewer,)))
        if fails(source, text, story.trouble):
            return False
        found = text
        return True

    leave_out(decl.lines[first:end], keep)
    return replace(story, scenario=found)


def with_causes(ruleset: Ruleset, story: Story, limits: Limits) -> Story:
    """A story with the changes of variants that it needs; without any if time is up, or if no scenario reproduces
    it."""
    if not story.scenario:
        return story
    decl = parse_file(story.scenario).decls[0]
    assert isinstance(decl, ast.Scenario)
    trouble = story.trouble
    name = trouble.name if trouble.kind in ("invariant", "property") else ""
    found = causes(ruleset, decl, lambda failure: _shows(failure, trouble), name, limits.over)
    return replace(story, causes=found)


def _title(replayed: Replayed) -> str:
    trouble = replayed.trouble
    words = {"invariant": "breaks", "property": "breaks", "leak": "betrays something at", "error": "stops with"}
    last = replayed.answers[-1] if replayed.answers else None
    what = f"{last.decision.name} = {last.option.key}" if last is not None else replayed.beginning.function
    return f"{what} {words[trouble.kind]} {trouble.name}".replace('"', "'")


def _cites(game: Game, replayed: Replayed) -> tuple[str, ...]:
    """The citations of the assertion and of the rules that were used."""
    rules = {info.name: info.cites for info in game.program.rules}
    used = [cite for name in replayed.fired for cite in rules.get(name, ())]
    cites_of_question = [cite for answer in replayed.answers[-1:] for cite in answer.decision.cites]
    return tuple(dict.fromkeys((*replayed.trouble.cites, *cites_of_question, *used)))


EFFORT = 20_000
"""Decisions that are played at most to shrink a game."""

GAMES = 20
"""Random games in which an assertion is looked for that broke in a game of players who are not random."""


def story_of_seed(
    game: Game, seed: int, assertion: str, options: Mapping[str, str], most: int = 20_000
) -> Story | None:
    """The shortest story that leads to what is wrong in the random game of a seed, or in one of the next.

    Without an `assertion`, the name of an invariant or property, an error of the rules is looked for. The story has the
    changes of variants and editions that it needs, if rules without them keep what it breaks. None if no game shows it.
    """
    setting = Setting(game.players, game.variants, tuple(sorted(options.items())))
    passed: frozenset[Key] = frozenset()
    seeds = range(seed, seed + GAMES)
    while seeds:
        limits = Limits(decisions=EFFORT)
        failing = first_failing(game, setting, seeds, most, passed, limits)
        if failing is None:
            return None
        found, failed = failing
        trouble = found.trouble
        asserted = trouble.kind in ("invariant", "property") and trouble.name == assertion
        if asserted or (trouble.kind == "error" and not assertion):
            story = story_of(game, sources(game.ruleset), found, limits)
            changed = game.variants or game.ruleset.base is not None
            return with_causes(game.ruleset, story, Limits()) if changed else story
        passed |= {trouble.key}
        seeds = range(failed, seeds.stop)
    return None
