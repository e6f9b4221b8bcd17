"""A game that was played, as a scenario: what was answered, and what may be expected of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import plan_scenario
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, RulesetError, Span
from rulewright.engine import State
from rulewright.ir.scenario_plan import ScenarioPlan
from rulewright.play.scenarios.recording.replayed_game import (
    Beginning,
    ReplayedGame,
    answer_count,
    asks_the_same,
    beginnings,
    replayed_from,
    replayed_game,
)
from rulewright.play.scenarios.recording.scenario_lines import ExpectationWords, joined
from rulewright.play.scenarios.scenario_results import Failed, Failure
from rulewright.play.scenarios.scenario_runner import Runner
from rulewright.syntax import ast, names, parse_file, print_file

STEPS = 12
"""The last positions of which more is proposed than what was refused."""

FEW = 8
"""So many options are read at a glance."""


class Untold(Exception):
    """A game that cannot be written as a scenario, and why not."""


@dataclass(frozen=True, slots=True)
class RecordedLine:
    """A line that is, or may be, in the scenario."""

    node: ast.ScenarioLine = field(repr=False)
    text: str
    kind: str
    """The word with which it begins."""
    before: int
    """The number of answers, chance included, that were given before it, from the start of the game."""
    number: int | None = None
    """Of a line that may be left out: its number."""
    is_proposed: bool = True
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recording:
    """A game as a scenario of which some lines may be left out."""

    setup: tuple[RecordedLine, ...]
    """The lines about who plays, by which rules, and from which position."""
    expectations: tuple[RecordedLine, ...]
    game: ReplayedGame
    words: ExpectationWords = field(repr=False)
    title: str
    """A title for it."""
    cites: tuple[str, ...]
    """Citations of the rules of the last decision and of the end."""
    trouble: str = ""
    """The reason why it fails, if an invariant or property is broken in it."""

    @property
    def begins(self) -> int:
        """The number of answers, chance included, that were given before it begins."""
        return self.game.beginning.before

    @property
    def proposed(self) -> tuple[int, ...]:
        """The numbers of the lines that are proposed."""
        return tuple(one.number for one in self.expectations if one.is_proposed and one.number is not None)

    def lines(self, chosen: Collection[int] | None = None) -> list[RecordedLine]:
        """The lines in their order: all of them, or without those that are not among the chosen ones."""
        kept = [one for one in self.expectations if chosen is None or one.number in chosen]
        begins, rest = self.begins, iter(kept)
        stops = {one.before - begins for one in kept}
        found, waiting = list(self.setup), next(rest, None)
        answered = self.words.answers(self.game.answers, stops=stops)
        for end, node in ((0, None), *answered):
            if node is not None:
                found.append(_recorded(node, begins + end))
            while waiting is not None and waiting.before - begins <= end:
                found.append(waiting)
                waiting = next(rest, None)
        return found

    def text(self, title: str, chosen: Collection[int]) -> str:
        """The text of the scenario with the chosen lines; the lines that it wraps keep their order."""
        return print_file(ast.File((self.scenario(title, self.lines(chosen)),)))

    def scenario(self, title: str, lines: Sequence[RecordedLine]) -> ast.Scenario:
        """The scenario that these lines are."""
        cites = dict.fromkeys((*self.cites, *(cite for one in lines for cite in one.cites)))
        return ast.Scenario(title, tuple(one.node for one in lines), trivia=ast.Trivia(cites=tuple(cites)))


def record(
    ruleset: Ruleset,
    state: State,
    begin: int = 0,
    options: Mapping[str, str] | None = None,
    tried: Mapping[int, Sequence[str]] | None = None,
    expected: Sequence[tuple[ast.ScenarioLine, int]] = (),
) -> Recording:
    """The game that has led to a state as a scenario, from its start or from a position on the way.

    `begin` is the number of answers, chance included, before that position: the scenario begins with the last procedure
    of the rules that had begun by then, and whose call and position can be written down. `options` are the values of
    parameters that are not as the rules have them, `tried` what was refused, by the number of answers before, and
    `expected` are further lines, each with the number of answers before the end at which it holds.
    Everything in it holds: it was run.

    Raises:
        Untold: No scenario leads to this state.
    """
    played, moments = replayed_game(state)
    if len(played.answers) != answer_count(state):
        raise Untold("its log does not lead from its start to where it stands")
    tried = tried or {}
    wants_end = bool(tried.get(len(played.answers)))
    why = "its answers are others when they are given again"
    for beginning in _in_order(played, beginnings(played, moments, begin), wants_end):
        found = replayed_from(played, beginning)
        if found is None:
            continue
        made = _recording(found, options or {}, tried, asks_the_same(found.last, played.last), expected)
        verified, why = _verified(made, ruleset)
        if verified is not None:
            return verified
    raise Untold(why)


def _in_order(played: ReplayedGame, found: Iterator[Beginning], wants_end: bool) -> Iterator[Beginning]:
    """The beginnings as they are tried: of those before the same answer first those after which the rules go on as they
    did, if there is no answer left to be written or the question at the end is needed."""
    for beginning in found:
        if wants_end or beginning.before == len(played.answers):
            again = replayed_from(played, beginning)
            if again is None or not asks_the_same(again.last, played.last):
                continue
        yield beginning


def _recording(
    game: ReplayedGame,
    options: Mapping[str, str],
    tried: Mapping[int, Sequence[str]],
    whole: bool,
    expected: Sequence[tuple[ast.ScenarioLine, int]],
) -> Recording:
    """All expectations about a recorded game; `whole` if it also rests where it did."""
    engine = game.last.engine
    words, program, begin = ExpectationWords(engine), engine.program, game.beginning
    nodes: list[ast.ScenarioLine] = [ast.SPlayers(words.seats)]
    nodes += [ast.SVariant(title) for title in program.variants]
    nodes += [ast.SSet(ast.Path((name,)), names.value(value)) for name, value in options.items()]
    nodes += joined(words.lines(begin.laid), words)
    nodes.append(ast.SStart(words.start(begin.function, begin.args)))
    setup = tuple(_recorded(node, begin.before) for node in nodes)
    found = list(_expectations(game, words, tried, whole))
    end = begin.before + len(game.answers)
    known = {(one.node, one.before) for one in found}
    added = [
        _Expected(node, end - ago, True) for node, ago in dict.fromkeys(expected) if (node, end - ago) not in known
    ]
    found = sorted([*found, *added], key=lambda one: one.before)
    expectations = tuple(
        _recorded(one.node, one.before, number, one.is_proposed, one.cites) for number, one in enumerate(found)
    )
    return Recording(setup, expectations, game, words, _title(game, expectations), _cites(game))


@dataclass(frozen=True, slots=True)
class _Expected:
    node: ast.ScenarioLine
    before: int
    is_proposed: bool
    cites: tuple[str, ...] = ()


def _expectations(
    game: ReplayedGame, words: ExpectationWords, tried: Mapping[int, Sequence[str]], whole: bool
) -> Iterator[_Expected]:
    """Expectations of what was seen at the decisions of players, in order."""
    rests = [(at, one.state) for at, one in enumerate(game.answers) if one.decision.seat is not None]
    size, begins = len(game.answers), game.beginning.before
    if game.last.settled:
        rests.append((size, game.last))
    for number, (at, state) in enumerate(rests):
        before, is_last = begins + at, at == size
        if number and number >= len(rests) - STEPS:
            for change in words.changes(rests[number - 1][1], state):
                yield _Expected(change, before, is_last)
        if not is_last or whole:
            for key in dict.fromkeys(tried.get(before, ())):
                if (found := words.refused(state, key)) is not None:
                    yield _Expected(found[0], before, True, found[1])
            if number >= len(rests) - STEPS and (offered := words.offered(state)) is not None:
                assert isinstance(offered.value, ast.SetOf)
                yield _Expected(offered, before, is_last and len(offered.value.items) <= FEW)
    if whole:
        for end in words.ended(game.last):
            yield _Expected(end, begins + size, isinstance(end, ast.SWins))


def _recorded(
    node: ast.ScenarioLine, before: int, number: int | None = None, is_proposed: bool = True, cites: Sequence[str] = ()
) -> RecordedLine:
    _, _, body = print_file(ast.File((ast.Scenario("line", (node,)),))).partition("\n")
    text = "\n".join(line.removeprefix("    ") for line in body.rstrip().split("\n"))
    return RecordedLine(node, text, text.split(maxsplit=1)[0].rstrip(":"), before, number, is_proposed, tuple(cites))


def _title(game: ReplayedGame, expectations: Sequence[RecordedLine]) -> str:
    """A title: what was refused, else what was answered last."""
    refused = [one.text for one in expectations if isinstance(one.node, ast.SRefused)]
    if refused:
        what = refused[-1].partition(": ")[2].partition(" because ")[0]
        return f"played: {what} is refused".replace('"', "'")
    answers = [one for one in game.answers if one.decision.seat is not None]
    if not answers:
        return f"played: {game.beginning.function}"
    last = answers[-1]
    what = last.option.key if not last.decision.label else f"{last.decision.label} = {last.option.key}"
    return f"played: {last.decision.who} answers {what}".replace('"', "'")


def _cites(game: ReplayedGame) -> tuple[str, ...]:
    """The citations of the last question and of the end of the game."""
    cites_of_decision = [one.decision.cites for one in game.answers if one.decision.seat is not None][-1:]
    result = game.last.result
    rules = {info.name: info.cites for info in game.last.engine.program.rules}
    ended = rules.get(result.rule, ()) if result is not None else ()
    return tuple(dict.fromkeys((*(cite for cites in cites_of_decision for cite in cites), *ended)))


def _verified(recording: Recording, ruleset: Ruleset) -> tuple[Recording | None, str]:
    """A recording without the expectations that do not hold, or the reason why it does not hold even without them."""
    numbers = {one.number for one in recording.expectations if one.number is not None}
    while True:
        lines = recording.lines(numbers)
        plan, decl, wrong = _planned(recording.scenario(recording.title, lines), ruleset)
        if plan is not None:
            break
        spots = {_line_at(decl, one.span) for one in wrong}
        senseless = {lines[at].number for at in spots} - {None}
        if not senseless or len(senseless) < len(spots):
            return None, wrong[0].message if wrong else "it cannot be read"
        numbers -= senseless
    failed, trouble = _held(plan, decl, lines)
    if trouble is not None and not trouble.assertion:
        return None, _failure_text(trouble)
    held = tuple(one for one in recording.expectations if one.number in numbers - failed)
    return replace(recording, expectations=held, trouble=_failure_text(trouble) if trouble is not None else ""), ""


def _planned(scenario: ast.Scenario, ruleset: Ruleset) -> tuple[ScenarioPlan | None, ast.Scenario, list[Diagnostic]]:
    """The plan of a scenario that is written and read again, what was read, and what is wrong with it."""
    decl = parse_file(print_file(ast.File((scenario,)))).decls[0]
    assert isinstance(decl, ast.Scenario)
    plan, found = plan_scenario(sources(ruleset), decl)
    return plan, decl, [one for one in found if one.is_error]


def _held(
    plan: ScenarioPlan, decl: ast.Scenario, lines: Sequence[RecordedLine]
) -> tuple[set[int | None], Failure | None]:
    """The numbers of expectations that do not hold, and the failure of another line, at which the game stops."""
    runner, failed = Runner(plan), set[int | None]()
    for step in plan.steps:
        number = lines[_line_at(decl, step.span)].number
        try:
            runner.run(step)
        except Failed as trouble:
            if number is None:
                later = {one.number for one in lines[_line_at(decl, step.span) :]}
                return failed | later, runner.failure(step, trouble)
            failed.add(number)
        except RulesetError as error:
            return failed, runner.failure(step, Failed(error.diagnostics[0].message))
    return failed, None


def _line_at(decl: ast.Scenario, span: Span) -> int:
    """The number of the line of a scenario in which something stands."""
    return max((number for number, one in enumerate(decl.lines) if one.span.line <= span.line), default=0)


def _failure_text(failure: Failure) -> str:
    found = f": {failure.found}" if failure.found else ""
    return f"{failure.message}{found}" + (f" ({failure.text})" if failure.text else "")
