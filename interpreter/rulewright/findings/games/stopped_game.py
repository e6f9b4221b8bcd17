"""EXM202: games that end in an error of the rules since the change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright.engine.random_numbers import RandomAnswers
from rulewright.findings.games.playing_budget import MOST, Pair, each
from rulewright.findings.program.facts.examined_program import ExaminedProgram
from rulewright.findings.suspects import Suspect
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.walk import nodes
from rulewright.play.game import Game
from rulewright.play.scenarios import Untold, answer_count, record
from rulewright.syntax import ast

_MESSAGE = re.compile(r"of \[([-0-9, ]*)\] no entry (-?\d+)")


@dataclass(frozen=True, slots=True)
class MissingEntry:
    """A list as it is written, the parameter that holds it, if any does, and the index that was out of bounds."""

    values: tuple[int, ...]
    name: str
    index: str

    @property
    def message(self) -> str:
        """The words for it."""
        entries = f"{len(self.values)} entries" if len(self.values) != 1 else "one entry"
        what = f"`{self.name}`" if self.name else f"the list {list(self.values)}"
        return f"{what} has {entries}, and is asked for number {self.index} (the first is number 0), which is none"


def missing_entry(game: Game, seed: int, function: str) -> MissingEntry | None:
    """The list that a function, or a query which it asks, asks for an entry that it does not have, behind the same
    answer of a random game behind which the rules stop.

    The game is played once more, with rules that stop where an entry is missing: they say which one.
    """
    tried = Game(_strict(game.program, ExaminedProgram(game.program).used_by(function)), game.ruleset, game.backend)
    answers, message = _stops(tried, seed)
    match = _MESSAGE.search(message)
    if match is None or answers != _stops(game, seed)[0]:
        return None
    values = tuple(int(word) for word in match[1].split(",") if word.strip())
    words = {word.replace(" ", ""): name for name, word in game.program.options}
    return MissingEntry(values, words.get(f"[{','.join(map(str, values))}]", ""), match[2])


def _strict(program: m.Program, names: frozenset[str]) -> m.Program:
    """A program whose rules stop in some functions and queries where a written list has no entry."""
    rewriter = Rewriter()

    def strict(e: Any) -> Any:
        if not isinstance(e, m.Item) or not isinstance(e.list, m.ListConst):
            return e
        within = m.And((m.Cmp("ge", e.at, m.Const(0)), m.Cmp("lt", e.at, m.Const(len(e.list.values)))))
        return m.IfElse(within, e, m.Fault("bounds", f"of {list(e.list.values)} no entry", e.at, m.INT))

    def changed(part: Any) -> Any:
        return rewriter.rebuilt(part, (m.Item,), strict)

    return replace(
        program,
        functions=tuple(
            replace(f, code=tuple(map(changed, f.code))) if f.name in names else f for f in program.functions
        ),
        queries=tuple(replace(q, body=changed(q.body)) if q.name in names else q for q in program.queries),
    )


def _stops(game: Game, seed: int) -> tuple[int, str]:
    """The number of answers after which a random game stops, and the message of the error; empty if it does not."""
    pick, given = RandomAnswers(seed), 0
    try:
        state = game.start(seed)
        while (decision := state.decision) is not None:
            state, given = state.choose(decision.options[pick(len(decision.options))]), given + 1
    except RulesetError as error:
        return given, error.diagnostics[0].message
    return given, ""


ALIKE = 20
"""Games of the base that must all be played to their ends before the change is judged."""
ENDLESS = 100
"""Times that something happens in a game that stops as no question is reached: so often, and it has no end."""


def stopped_games(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """The base plays its games to their ends, and of the changed game the rules stop in some.

    Both are played in turn, with the same seeds: a base that takes all the time would show nothing.
    """
    reported = set[str]()
    for pair in each(pairs):
        stop: tuple[int, RulesetError] | None = None
        for seed in pair.budget.seeds():
            if stop is not None and (seed >= ALIKE or stop[1].diagnostics[0].message in reported):
                break
            if not pair.alone and not _is_whole(pair.base, seed):
                stop = None
                break
            if stop is None:
                error = _error(pair.game, seed)
                stop = None if error is None else (seed, error)
        if stop is not None and stop[1].diagnostics[0].message not in reported:
            reported.add(stop[1].diagnostics[0].message)
            yield _stopped(pair, *stop)


def _is_whole(game: Game, seed: int) -> bool:
    """True if a random game is played to its end."""
    try:
        return game.playout(seed, most=MOST).finished
    except RulesetError:
        return False


def _error(game: Game, seed: int) -> RulesetError | None:
    """The error of the rules in which a random game ends, if it does."""
    try:
        game.playout(seed, most=MOST)
    except RulesetError as error:
        return error
    return None


def _stopped(pair: Pair, seed: int, error: RulesetError) -> Suspect:
    found = error.diagnostics[0]
    beside = "" if pair.alone else "in the base no game stops; "
    story, question, scenario = _story(pair.game, seed)
    refusing = _refusing(pair, found.message)
    if refusing is not None:
        function, label = refusing
        return Suspect(
            "EXM202",
            function,
            label,
            f"`{label}` refuses all answers, and the rules stop: {found.message}; first in the random game of seed "
            f"{seed} with {pair.game.players} players",
            f"{beside}refuse less, or say with `else` what is done then",
            rule=label,
            story=story,
            scenario=scenario,
        )
    where = f", after `{question}` was answered" if question else ""
    endless = _without_end(pair, seed) if found.code == "RUN006" else []
    if endless:
        who, happen = " and ".join(f"`{name}`" for name in endless), "happen" if endless[1:] else "happens"
        return Suspect(
            "EXM202",
            endless[0],
            "without end",
            f"{who} {happen} again and again without end, each time it is due once more, for this one or another, and "
            f"the rules stop; first in the random game of seed {seed} with {pair.game.players} players{where}",
            f"{beside}ask for so much that it is not due again when it has happened",
            rule=endless[0],
            story=story,
            scenario=scenario,
        )
    closed = _closed(pair, seed) if found.code == "RUN006" and not pair.alone else None
    if closed is not None:
        function, label, rule = closed
        return Suspect(
            "EXM202",
            function,
            label,
            f"nothing passes `{label}`: `{rule}` is never done since it is there, and the rules stop: {found.message}; "
            f"first in the random game of seed {seed} with {pair.game.players} players",
            f"{beside}look whether it refuses all",
            rule=label,
            story=story,
            scenario=scenario,
        )
    failing = _failing(pair.game, found.message)
    missing = missing_entry(pair.game, seed, failing)
    if missing is not None:
        new = pair.alone or missing.values not in _written(pair.base.program)
        return Suspect(
            "EXM202",
            failing,
            found.code,
            f"the rules stop in games{'' if pair.alone else ' since this change'}, as {missing.message}: "
            f"{found.message}; first in the random game of seed {seed} with {pair.game.players} players{where}",
            "give it an entry for each number that it may be asked for, or ask for no more than it has",
            kinds=(ast.ListOf,) if new else (),
            words=frozenset(str(abs(number)) for number in missing.values),
            span=None if new else found.span,
            story=story,
            scenario=scenario,
        )
    return Suspect(
        "EXM202",
        failing,
        found.code,
        f"the rules stop in games{'' if pair.alone else ' since this change'}: {found.message}; first in the random "
        f"game of seed {seed} with {pair.game.players} players{where}",
        f"{beside}its line stands here; what {'is done' if pair.alone else 'the change does'} before it is the cause",
        span=found.span,
        story=story,
        scenario=scenario,
    )


def _without_end(pair: Pair, seed: int) -> list[str]:
    """The consequences and reactions of the change that go on without end in a random game.

    Others may happen as often, because of what these do.
    """
    fired = pair.game.new_fired()
    with suppress(RulesetError):
        pair.game.playout(seed, fired=fired, most=MOST)
    happen = {f.name for f in pair.game.program.functions if f.word in ("consequence", "reaction")} & pair.brought
    uses = {
        name: times
        for name, times in zip(pair.game.rule_names, fired, strict=True)
        if times >= ENDLESS and name in happen
    }
    return [name for name, times in uses.items() if 2 * times >= max(uses.values())]


def _closed(pair: Pair, seed: int) -> tuple[str, str, str] | None:
    """The only restriction of the change behind which nothing is done in a random game that reaches no question, with
    its function and what is done there in the base.
    """
    fired, before = pair.game.new_fired(), pair.base.new_fired()
    with suppress(RulesetError):
        pair.game.playout(seed, fired=fired, most=MOST)
    with suppress(RulesetError):
        pair.base.playout(seed, fired=before, most=MOST)
    now = dict(zip(pair.game.rule_names, fired, strict=True))
    once = dict(zip(pair.base.rule_names, before, strict=True))
    found = [
        (function, label, rule)
        for label, (function, rule) in _restricted_rules(pair).items()
        if once.get(rule) and not now.get(rule)
    ]
    return found[0] if len(found) == 1 else None


def _refusing(pair: Pair, message: str) -> tuple[str, str] | None:
    """The only restriction that the change has brought to the question to which there is no answer, if it is so."""
    named = re.search(r"nothing can be chosen here \(in `([^`]+)`", message)
    if named is None:
        return None
    function, _, label = named[1].partition(".")
    found = [
        restriction.label
        for f in pair.game.program.functions
        for i in f.code
        if f.name == function and isinstance(i, m.Choose) and i.label == label
        for restriction in i.restrictions
        if restriction.label in pair.brought
    ]
    return (function, found[0]) if len(found) == 1 else None


def _written(program: m.Program) -> frozenset[tuple[int, ...]]:
    """The lists that are written down of which an entry is taken."""
    items = (node for part in (program.functions, program.queries) for node in nodes(part) if isinstance(node, m.Item))
    return frozenset(item.list.values for item in items if isinstance(item.list, m.ListConst))


def _failing(game: Game, message: str) -> str:
    """The function or query that an error of the rules names last: there the rules have stopped."""
    program = game.program
    known = {f.name for f in program.functions} | {q.name for q in program.queries}
    named = (name.partition(".")[0] for name in reversed(re.findall("`([^`]+)`", message)))
    return next((name for name in named if name in known), "")


def _story(game: Game, seed: int) -> tuple[tuple[str, ...], str, str]:
    """The last answers before a game stops, the last question, and a scenario that leads to it."""
    from rulewright.engine.random_numbers import RandomAnswers

    pick, answers, question, state = RandomAnswers(seed), list[str](), "", None
    try:
        state = game.start(seed)
        while (decision := state.decision) is not None:
            option = decision.options[pick(len(decision.options))]
            question = decision.name
            answers.append(f"{decision.who} answers {question} with {option.key}")
            state = state.choose(option)
    except RulesetError:
        pass
    return tuple(answers[-LAST:]), question, _scenario(game, seed, state) if state is not None else ""


def _scenario(game: Game, seed: int, state: State) -> str:
    """The scenario that leads to a question, from the last procedure that had begun; empty if none does."""
    title = f"before the random game of seed {seed} stops"
    try:
        return record(game.ruleset, state, answer_count(state)).text(title, ())
    except Untold:
        return ""


LAST = 6
"""The number of answers that are listed."""


def _restricted_rules(pair: Pair) -> dict[str, tuple[str, str]]:
    """The new restrictions on what is chosen, with their functions, and the procedure or option of them."""
    found = dict[str, tuple[str, str]]()
    for function in pair.game.program.functions:
        rule = ""
        for i in function.code:
            if isinstance(i, m.Fired):
                rule = i.rule
            for one in i.restrictions if isinstance(i, m.Choose) else ():
                if one.label in pair.brought and rule and rule not in pair.brought:
                    found[one.label] = function.name, rule
    return found
