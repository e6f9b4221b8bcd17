"""Questions, options and restrictions in random games: how often each was reached, offered, or refused something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from rulewright.compiler.rule_flow import KnownValues
from rulewright.engine import Refusals
from rulewright.ir import model as m
from rulewright.ir.rule_places import declared
from rulewright.play.game import Game

ENOUGH, ENOUGH_GAMES = 30, 5
"""The least numbers of questions and games from which anything is concluded."""


@dataclass(slots=True)
class Offers:
    """The counts, of games of one ruleset with any number of players; names are those of rules, as in variants."""

    games: int = 0
    times: Counter[str] = field(default_factory=Counter)
    """Questions, options and restrictions, with how often the question to which they belong was put."""
    offered: Counter[str] = field(default_factory=Counter)
    """Options, with the questions in which they were possible."""
    refusing: Counter[str] = field(default_factory=Counter)
    """Restrictions, with the questions in which they refused something."""
    questions: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    restrictions: set[str] = field(default_factory=set)
    """All that may refuse something."""

    def begin(self, game: Game) -> dict[tuple[str, int], _Question]:
        """Note what a game has; its questions, by function and number of the instruction."""
        found = {place: _Question(game, place, instr) for place, instr in _questions(game)}
        self.questions.update(one.name for one in found.values())
        self.options.update(rule for one in found.values() for rule in one.options.values())
        self.restrictions |= restrictions(game)
        return found

    def add(self, game: Game, seed: int, most: int) -> None:
        """Count the random game of a seed."""
        found, state, marked = self.begin(game), game.start(seed), _marked(game)
        self.games += 1
        fired = marked.new_fired()
        answers = marked.playout(seed, keep=True, most=most, fired=fired).answers
        passed = Counter({name: times for name, times in zip(marked.rule_names, fired, strict=True) if times})
        for (function, _), one in found.items():
            if times := passed[f"{_PASSED}{function}.{one.label}"]:
                self.times.update(dict.fromkeys(one.about, times))
                self.refusing.update({name: passed[_PASSED + name] for name in one.restrictions})
        for answer in answers:
            at = state.question
            question = found.get((at.function, at.pc)) if at is not None else None
            if question is not None and state.decision is not None:
                keys = {option.key for option in state.decision.options}
                self.times.update(question.about)
                self.refusing.update(Refusals(state).refusing())
                self.offered.update(rule for key, rule in question.options.items() if key in keys)
            state = state.choose(answer)

    def data(self, new: Collection[str] | None) -> dict[str, object]:
        """All that games never had, as plain data, or what of it belongs to `new` rules."""
        few = self.games < ENOUGH_GAMES

        def of(names: set[str]) -> list[str]:
            known = (one for one in names if new is None or one in new or one.partition(".")[0] in new)
            return [] if few else sorted(known)

        def vain(names: set[str], counted: Counter[str]) -> dict[str, int]:
            return {one: self.times[one] for one in of(names) if self.times[one] >= ENOUGH and not counted[one]}

        return {
            "games": self.games,
            "never_reached": [one for one in of(self.questions) if not self.times[one]],
            "never_possible": vain(self.options, self.offered),
            "never_refusing": vain(self.restrictions, self.refusing),
        }


class _Question:
    """A question: its name, the rules that are its options, by their keys, and the restrictions."""

    def __init__(self, game: Game, place: tuple[str, int], question: m.Choose) -> None:
        self.label = question.label
        self.name = f"{declared(place[0])}.{question.label}"
        self.restrictions = [one.label for one in _restrictions(question)]
        code = next(f.code for f in game.program.functions if f.name == place[0])
        firsts = {extra.key: code[extra.to] for extra in question.extras if extra.to < len(code)}
        self.options = {key: first.rule for key, first in firsts.items() if isinstance(first, m.Fired)}
        self.about = {self.name, *self.options.values(), *self.restrictions}


def restrictions(game: Game) -> set[str]:
    """The labels of all restrictions of a game that may refuse something with the values that its parameters have."""
    values = KnownValues(game.program)
    found = [one for _, question in _questions(game) for one in _restrictions(question)]
    return {one.label for one in found if values.truth(one.condition, {}) is not False}


_PASSED = "passed over: "
"""Begins the names of marks, which no rule has."""


def _marked(game: Game) -> Game:
    """The game with marks behind questions that are passed over as nothing is offered: of the question, and of each
    restriction that refuses something there. No state shows them, as nobody is asked."""

    def made(program: m.Program) -> Game:
        functions = tuple(replace(one, code=_with_marks(one)) for one in program.functions)
        return Game(replace(program, functions=functions), game.ruleset) if functions != program.functions else game

    return game.engine.once("marks behind questions", made)


def _with_marks(function: m.Function) -> tuple[m.Instr, ...]:
    code = list(function.code)
    for pc, i in enumerate(function.code):
        if not isinstance(i, m.Choose) or i.on_empty is None:
            continue
        code[pc] = replace(i, on_empty=len(code))
        code.append(m.Fired(f"{_PASSED}{function.name}.{i.label}"))
        for restriction, refuses in _refusals(i):
            code += [m.JumpUnless(refuses, len(code) + 2), m.Fired(_PASSED + restriction.label)]
        code.append(m.Jump(i.on_empty))
    return tuple(code)


def _refusals(i: m.Choose) -> Iterator[tuple[m.Restriction, m.Expr]]:
    """The restrictions of a question, each with the condition that it refuses something."""
    for one in i.restrictions:
        if i.source is not None:
            test = m.And((*((i.where,) if i.where is not None else ()), *_refused(one)))
            yield one, m.Fold("some", (m.Bound(i.var, i.source, i.is_list),), test, None)
    for extra in i.extras:
        for one in extra.restrictions:
            yield one, m.And((*((extra.guard,) if extra.guard is not None else ()), *_refused(one)))


def _refused(restriction: m.Restriction) -> tuple[m.Expr, ...]:
    return restriction.condition, *(m.Not(one.condition) for one in restriction.unless)


def _questions(game: Game) -> Iterator[tuple[tuple[str, int], m.Choose]]:
    for function in game.program.functions:
        for pc, i in enumerate(function.code):
            if isinstance(i, m.Choose):
                yield (function.name, pc), i


def _restrictions(question: m.Choose) -> tuple[m.Restriction, ...]:
    return (*question.restrictions, *(one for extra in question.extras for one in extra.restrictions))
