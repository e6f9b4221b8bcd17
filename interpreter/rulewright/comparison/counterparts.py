"""A game beside the one that it changes: what a variant, or a ruleset that extends another, has brought into play."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from rulewright.compiler import OptionValue
from rulewright.compiler.rule_flow import KnownValues
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError
from rulewright.engine import Refusals
from rulewright.ir import model as m
from rulewright.play.game import Game
from rulewright.play.loading import load


def beneath(game: Game, options: Mapping[str, OptionValue]) -> Game | None:
    """The game that the variants of a game change, or that of the ruleset that its ruleset extends.

    The `options` are set in it, too, if it has these parameters. None if the game changes no other, or if that one
    cannot be played by so many.
    """
    under = game.ruleset if game.program.variants else game.ruleset.base
    if under is None:
        return None
    try:
        plain = load(under, game.players, (), {}, game.backend)
        own = {name: value for name, value in options.items() if name in dict(plain.program.options)}
        return load(under, game.players, (), own, game.backend) if own else plain
    except RulesetError:
        return None


def brought(game: Game, base: Game) -> tuple[str, ...]:
    """The rules with a name that a game has brought, or has put in the place of others.

    A rule is known by its name and the place where it is written, or by its words: what replaces a part of the base
    often repeats lines of it. What it cites does not matter: an edition cites its own rulebook, for rules too that it
    takes over word for word.
    """
    places = {replace(info, cites=()) for info in base.program.rules}
    old, new = _Clauses(base), _Clauses(game)
    before = {info.name: info for info in base.program.rules}

    def repeated(info: m.RuleInfo) -> bool:
        words = new.words(info)
        return info.name in before and words != () and words == old.words(before[info.name])

    rules = game.program.rules
    return tuple(info.name for info in rules if replace(info, cites=()) not in places and not repeated(info))


class _Clauses:
    """The words of the clauses of a game."""

    def __init__(self, game: Game) -> None:
        self._lines: dict[str, list[str]] = {}
        under: Ruleset | None = game.ruleset
        while under is not None:
            self._lines.update({file.path: file.text.splitlines() for file in under.files})
            under = under.base

    def words(self, info: m.RuleInfo) -> tuple[str, ...]:
        """The line of a rule with those that stand below it; without comments and citations."""
        lines = self._lines.get(info.file, [])[info.line - 1 :]
        if not lines:
            return ()
        depth = _depth(lines[0])
        below = takewhile(lambda line: not line.strip() or _depth(line) > depth, lines[1:])
        texts = [(_depth(line) - depth, _ASIDE.sub("", line).strip()) for line in (lines[0], *below)]
        return tuple(f"{deeper} {words}" for deeper, words in texts if words)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


_ASIDE = re.compile(r"(^|\s)#.*$|\s@[A-Z][\w,@ -]*$")
"""Comments and citations."""


def restrictions(game: Game) -> frozenset[str]:
    """The labels of all restrictions of a game that may refuse something with the values that its parameters have."""
    values = KnownValues(game.program)
    questions = [i for f in game.program.functions for i in f.code if isinstance(i, m.Choose)]
    found = [r for i in questions for r in (*i.restrictions, *(r for extra in i.extras for r in extra.restrictions))]
    return frozenset(r.label for r in found if values.truth(r.condition, {}) is not False)


def idle(game: Game, wanted: Iterable[str], seeds: Sequence[int], most: int) -> frozenset[str]:
    """The restrictions and options among some that were of no use in the random games of these seeds, though the
    question to which they belong was asked: of what was never asked nothing can be said."""
    left, questions = set(wanted), set[str]()
    for seed in seeds:
        for question, labels in _refusing(game, seed, most):
            left -= labels
            questions.update(_belonging(game, question))
            if not left:
                return frozenset()
    return frozenset(left & questions)


def options(game: Game) -> frozenset[str]:
    """The options of all questions of a game, as rules."""
    places = [(f.name, pc) for f in game.program.functions for pc, i in enumerate(f.code) if isinstance(i, m.Choose)]
    return frozenset(rule for place in places for rule in _options_at(game, place))


def _belonging(game: Game, question: tuple[str, int]) -> Iterator[str]:
    """The restrictions and options of a question."""
    questions = _code(game, question[0])[question[1]]
    if isinstance(questions, m.Choose):
        yield from (r.label for r in questions.restrictions)
        yield from (r.label for extra in questions.extras for r in extra.restrictions)
        yield from _options_at(game, question)


def _options_at(game: Game, question: tuple[str, int]) -> Iterator[str]:
    code = _code(game, question[0])
    questions = code[question[1]]
    for extra in questions.extras if isinstance(questions, m.Choose) else ():
        first = code[extra.to] if extra.to < len(code) else None
        if isinstance(first, m.Fired):
            yield first.rule


def _code(game: Game, function: str) -> tuple[m.Instr, ...]:
    return next(f.code for f in game.program.functions if f.name == function)


def _refusing(game: Game, seed: int, most: int) -> Iterator[tuple[tuple[str, int], frozenset[str]]]:
    """The question and the restrictions that refuse something at each decision of a game."""
    state = game.start(seed)
    for answer in game.playout(seed, keep=True, most=most).answers:
        questions = state.question
        if questions is not None:
            yield (questions.function, questions.pc), Refusals(state).refusing()
        state = state.choose(answer)
