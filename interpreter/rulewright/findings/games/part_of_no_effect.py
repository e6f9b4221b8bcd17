"""EXM304: parts of a change without which every game goes the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import RulesetError, Span
from rulewright.findings.games.playing_budget import MOST, Pair, each
from rulewright.findings.mutation.mutants import Mutant, mutants
from rulewright.findings.mutation.mutation_sites import places
from rulewright.findings.mutation.operators.choice_operators import RESTRICTION_OPERATORS as RESTRICTIONS
from rulewright.findings.mutation.operators.deletion_operators import DELETIONS
from rulewright.findings.mutation.operators.operator_api import shown
from rulewright.findings.suspects import Suspect
from rulewright.play.game import Game
from rulewright.play.loading import load
from rulewright.syntax import ast

SHARE = 0.3
"""The part of the games that is played of each."""
SUSPECTS = 6
"""The number of parts that are listed."""

ALWAYS = {
    name: operator
    for name, operator in DELETIONS.items()
    if name not in RESTRICTIONS and name not in ("drop-consequence", "drop-end", "drop-where")
}
"""Deletions of all but what waits for a position to which games at random may not come, as restrictions and ends do."""

Course = tuple[object, ...]
"""The end of a game: the answers are at random, so another number of options leads to another end."""


def parts_of_no_effect(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """A statement, a case, a side of a condition, a member of a set that the change has brought is left out, and
    all games with the same seeds end in the same position after the same number of answers, for any agents.

    As in mutation testing, where no test finds what was changed; but here whole games are the test. A game that changes
    no other one is left alone: much in it is for other values of its parameters.
    """
    left = list(_parts(pairs[0])) if not pairs[0].alone else []
    games = 0
    for pair in each(pairs):
        if not left:
            return
        try:
            courses = [_course(pair.game, seed) for seed in pair.budget.seeds(SHARE)]
        except RulesetError:
            return  # playing the game reports the error
        games += len(courses)
        left = _still_alike(pair, left, courses)
    yield from (
        _suspect(one, games) for one in sorted(left, key=lambda one: (one.part.file, _begin(one.part)))[:SUSPECTS]
    )


def _parts(pair: Pair) -> Iterator[Mutant]:
    """The game without each of its parts, the larger ones first."""
    ruleset, titles = pair.game.ruleset, pair.game.program.variants
    known = frozenset(_lines(ruleset, titles))
    made = mutants(ruleset, [pair.game.program], titles or None, ALWAYS, own=True)
    order = list(ALWAYS)
    new = (one for one in made if one.before not in known and not one.before.startswith("remove "))
    yield from sorted(new, key=lambda one: (order.index(one.operator), one.span.line))


def _lines(ruleset: Ruleset, titles: Sequence[str]) -> Iterator[str]:
    """The clauses of the base, in words: what repeats one is not new."""
    at = ruleset if titles else ruleset.base
    while at is not None:
        for file in at.files:
            for decl in file.file.decls:
                if file.role != "scenario" and not isinstance(decl, ast.Variant):
                    yield from (shown(site.clause) for site in places(decl) if site.node is site.clause)
        at = at.base


def _still_alike(pair: Pair, parts: Sequence[Mutant], courses: Sequence[Course]) -> list[Mutant]:
    """The parts without which the games of this number of players end as they do with them."""
    found = list[Mutant]()
    for one in parts:
        if any(_is_within(one, outer) for outer in found):
            continue
        if pair.budget.over or not courses:
            break  # what was not tried is not reported
        if _is_alike(pair, one, courses):
            found.append(one)
    return found


def _is_alike(pair: Pair, one: Mutant, courses: Sequence[Course]) -> bool:
    ruleset = one.applied(pair.game.ruleset)
    try:
        game = load(ruleset, pair.game.players, pair.game.program.variants, pair.options)
        return all(_course(game, seed) == course for seed, course in enumerate(courses))
    except RulesetError:
        return False


def _course(game: Game, seed: int) -> Course:
    played = game.playout(seed, most=MOST)
    return played.decisions, played.rule, played.places, played.state.cells


def _is_within(one: Mutant, other: Mutant) -> bool:
    """True of a part of another part, and of neighbours one of which is of no effect by itself."""
    a, b = one.part, other.part
    if a.file != b.file:
        return False
    inside = _begin(b) <= _begin(a) and _end(a) <= _end(b)
    return inside or (one.operator == "drop-neighbours" and _begin(a) <= _begin(b) and _end(b) <= _end(a))


def _begin(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


def _suspect(one: Mutant, games: int) -> Suspect:
    part = f"`{_removed(one.before, one.after)}`" if one.after else f"`{one.before}`"
    return Suspect(
        "EXM304",
        one.rule,
        one.id,
        f"{part} makes no difference: without it all of {games} random games end in the same position",
        "if it is to make one, lay such a position in a scenario; look at what comes before it",
        span=one.part if one.after else one.span,
    )


def _removed(before: str, after: str) -> str:
    """The words of one text that are not in another one."""
    was, now = (re.findall(r"\w+|\s+|[^\w\s]", text) for text in (before, after))
    steps = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    gone = ("".join(was[a:b]) for tag, a, b, _, _ in steps if tag in ("delete", "replace"))
    return " … ".join(text.strip(" ,") for text in gone if text.strip(" ,"))
