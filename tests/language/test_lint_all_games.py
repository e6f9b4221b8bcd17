"""Lint rules are given less to look at in each game than stands in it, and tell the same as if they were given all.

The oracle is the plain definition: each game is linted by itself, as if there were no other, and a finding counts if
it is made in every game in which its clause stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from language_helpers import write

import rulewright as rw
from rulewright import lint
from rulewright.compiler import Sources, player_counts, sources
from rulewright.compiler.scenarios.compile_cache import compiled
from rulewright.compiler.tree_walk import nodes
from rulewright.data.ruleset import Ruleset
from rulewright.resources import share

SHIPPED = rw.rulesets.find_rulesets(share("rulesets"))

FORMS: dict[str, tuple[str, ...]] = {
    "gold": ("field gold[Player]: 0.. = 3",),
    "pace": ("field pace: 0..9 = 1", "field pace: 0..9 = 0, lasting turn", "field pace: 0..9 = 1, lasting bid"),
    "idle": ("field idle: Int = 0",),
    "purse": (
        "field purse[p: Player]: 0..9 = 1, seen by p",
        "field purse[p: Player]: 0..9 = 1, seen by everyone",
        "field purse[p: Player]: 0..9 = 1, seen by {}",
    ),
    "most": ("param most = 5", "param most = 6"),
    "rich": (
        "query rich(p: Player) -> Bool = gold[p] > 3",
        "query rich(p: Player) -> Bool = gold[p] > 3 and gold[p] > 4",
        "query rich(p: Player) -> Bool = gold[p] >= 0",
        "query rich(p: Player) -> Bool = gold[p] > pace and not (gold[p] <= pace)",
        "query rich(p: Player) -> Bool = some(q in players where purse[q] > 3 and q is not p)",
    ),
    "poor": (
        "query poor(p: Player) -> Bool = not rich(p) and gold[p] < 2",
        "query poor(p: Player) -> Bool = gold[p] + 0 < 2 or idle > 0",
        "query poor(p: Player) -> Bool = gold[p] is 1 or gold[p] is not 1",
    ),
    "spending": (
        "limits spending(p: Player, n: Int)\n    forbid much: n > most\n    forbid broke: poor(p)",
        "limits spending(p: Player, n: Int)\n    forbid much: n > 4\n    forbid more: n > 6",
    ),
    "earn": (
        "effect earn(p: Player)\n    gold[p] += 1",
        "effect earn(p: Player)\n    gold[p] = 1\n    gold[p] = 2",
        "effect earn(p: Player)\n    if rich(p) then idle += 1\n    pace += 1",
        "effect earn(p: Player)\n    purse[p] = 3\n    gold[p] += 0",
    ),
    "pay": (
        "effect pay(p: Player)\n    gold[p] -= 2",
        "effect pay(p: Player)\n    if gold[p] > 2 then gold[p] -= 2",
        "effect pay(p: Player)\n    earn(p)",
    ),
    "bid": (
        "procedure bid(p: Player) -> Int\n    p chooses n from {1 .. 9}\n        obey spending(p, n)\n    return n",
        "procedure bid(p: Player) -> Int\n    p chooses n from {pace, 2}\n        forbid no: rich(p)\n    return n",
        "procedure bid(p: Player) -> Int\n    return 3\n    earn(p)",
        "procedure bid(p: Player) -> Int\n    p may choose n from {4}\n    purse[p] = 2\n    return 1",
    ),
    "turn": (
        "procedure turn(p: Player)\n    pay(p)\n    let n = bid(p)\n    gold[p] += n",
        "procedure turn(p: Player)\n    if gold[p] > 2 then pay(p)\n    bid(p)",
        "procedure turn(p: Player)\n    pace = 3\n    repeat while pace > 0\n        earn(p)\n    over(p)\n    pay(p)",
        "procedure turn(p: Player)\n    let m = pace\n    turn(p.left)\n    repeat until rich(p)\n        pay(p)",
    ),
    "over": (
        "procedure over(p: Player)\n    finish with winner p",
        "procedure over(p: Player)\n    if rich(p) then finish with winner p",
        "procedure over(p: Player)\n    turn(p)\n    finish with winner p",
    ),
    "play": (
        "procedure play\n    repeat 9 times\n        each p in players\n            turn(p)\n    over(first(players))",
        "procedure play\n    each p in players\n        turn(p)\n        over(p)\n    pace += 1",
        "procedure play\n    repeat\n        each p in players\n            turn(p)",
    ),
    "debts": (
        "consequence debts for p in players when gold[p] > 8\n    gold[p] = 0",
        "consequence debts for p in players when gold[p] > 8\n    gold[p] = 9",
        "consequence debts when idle > 3\n    pace = 0",
    ),
    "wealth": (
        "end wealth for p in players when gold[p] > 20\n    finish with winner p",
        "end wealth when idle > 5\n    finish with winner players",
        "end wealth for p in players when rich(p), after turn\n    finish with winner p",
    ),
    "tax": (
        "reaction tax before earn(p) where gold[p] > 7\n    gold[p] -= 1",
        "reaction tax after earn(p)\n    earn(p)",
        "reaction tax after over(p)\n    pace += 1",
    ),
    "toll": (
        "reaction toll before earn(p) where gold[p] > 6\n    gold[p] -= 1",
        "reaction toll before earn(p)\n    pace += 1",
    ),
    "sane": ("invariant sane for p in players: gold[p] >= 0", "invariant sane: most <= 5"),
}
"""Each declaration in forms that can stand for each other: some are in order, some are not."""

FREE = ("debts", "wealth", "tax", "toll", "sane")
"""Nobody names these: they may be missing."""

Choice = dict[str, int | None]
"""The form of some declarations; None: there is none."""


@st.composite
def choices(draw: st.DrawFn, most: int = 3) -> Choice:
    """Some declarations in other forms."""
    names = draw(st.lists(st.sampled_from(sorted(FORMS)), max_size=most, unique=True))
    return {n: draw(st.sampled_from([*range(len(FORMS[n])), *([None] if n in FREE else [])])) for n in names}


def overlay(head: str, changes: Choice, base: Choice) -> str:
    """A block that changes some declarations."""
    lines = []
    for name, form in changes.items():
        there = base.get(name, 0) is not None
        if form is not None:
            text = FORMS[name][form].replace("\n", "\n    ")
            lines.append(f"    {'replace' if there else 'add'} {text}")
        elif there:
            lines.append(f"    remove {name}")
    return "\n".join([head, *lines, ""]) if lines else ""


def rules_of(base: Choice, three: Choice, variants: list[Choice]) -> str:
    """A ruleset: its declarations, what is different with three players, and its variants."""
    forms = {name: base.get(name, 0) for name in FORMS}
    decls = [FORMS[name][form] for name, form in forms.items() if form is not None]
    blocks = [overlay("with 3 players", three, base)]
    for number, changes in enumerate(variants):
        # What three players have not cannot be replaced: a variant leaves alone what their block changes.
        alone = {name: form for name, form in changes.items() if name not in three}
        blocks.append(overlay(f'variant "number {number}" of many', alone, base))
    return "\n".join(["game many", "players 2 to 3", *decls, *blocks])


def games_of(ruleset: Ruleset) -> tuple[Sources, tuple[lint.Configuration, ...]]:
    """All games that a check makes."""
    source = sources(ruleset)
    games = []
    for titles in ((), *((title,) for title in source.variants)):
        for count in player_counts(source.rules):
            compiler, program, found = compiled(source, count, titles, {})
            assert compiler is not None, [d.message for d in found]
            assert program is not None, [d.message for d in found]
            games.append(lint.Configuration(count, titles, compiler, program))
    return source, tuple(games)


def fresh(game: lint.Configuration) -> lint.Configuration:
    """A game of which nothing has been found out yet."""
    return lint.Configuration(game.players, game.variants, game.compiler, game.program)


def plainly(rule: lint.Lint, alone: list[lint.Subject]) -> list[str]:
    """Everything that a rule tells by definition, of games as if there were no other."""
    each = [{(d.span, d.message): d for d in lint.findings_of(rule, subject)} for subject in alone]
    merged = {key: d for own in reversed(each) for key, d in own.items()}
    if rule.code == "INF321":
        kept = merged
    elif rule.code == "INF325":
        first = {d.message.split("`")[1]: key for own in reversed(each) for key, d in reversed(own.items())}
        kept = {key: merged[key] for key in first.values()}
    elif rule.code == "INF324":
        told = [{d.message for d in own.values()} for own in each]
        kept = {key: d for key, d in each[0].items() if all(d.message in own for own in told)}
    else:
        spans = [{n.span for d in subject.games[0].rules.decls.values() for n in nodes(d)} for subject in alone]
        pairs = list(zip(each, spans, strict=True))
        kept = {k: d for k, d in merged.items() if all(k in own or k[0] not in here for own, here in pairs)}
    return sorted(map(repr, kept.values()))


def of_all_games() -> Iterator[lint.Lint]:
    """The rules that look at each game."""
    for rule in lint.all_rules():
        if rule.classes or rule.code in ("INF321", "INF324", "INF325"):
            yield rule


def differences(ruleset: Ruleset) -> tuple[list[tuple[str, list[str], list[str]]], set[str]]:
    """The rules that tell something else than they should, and those that tell anything."""
    source, games = games_of(ruleset)
    subject = lint.Subject(ruleset, source, tuple(map(fresh, games)))
    alone = [lint.Subject(ruleset, source, (fresh(game),)) for game in games]
    wrong, told = [], set()
    for rule in of_all_games():
        found, wanted = sorted(map(repr, lint.findings_of(rule, subject))), plainly(rule, alone)
        if found:
            told.add(rule.code)
        if found != wanted:
            wrong.append((rule.code, found, wanted))
    return wrong, told


def told_by(base: Choice, three: Choice, variants: list[Choice]) -> set[str]:
    """The rules that find something in a ruleset of these forms; all find what they should."""
    with TemporaryDirectory() as folder:
        wrong, told = differences(rw.open_ruleset(write(Path(folder), rules_of(base, three, variants))))
    assert wrong == []
    return told


def test_the_forms_have_something_in_them() -> None:
    """The rulesets of the property are no empty ones: here most rules that look at each game find something."""
    told: set[str] = set()
    for form in range(4):
        base: Choice = {name: min(form, len(forms) - 1) for name, forms in FORMS.items()}
        told |= told_by(base, {"tax": 0, "poor": 0}, [dict.fromkeys(list(FORMS)[half::2], 0) for half in (0, 1)])
    assert len(told) > 14, sorted(told)


@settings(max_examples=12)
@given(choices(6), choices(), st.lists(choices(), max_size=2))
@example({}, {"gold": 0}, [{}])
# What nobody sets in the game as printed is set in a variant, and the other way round.
@example({"idle": 0}, {}, [{"poor": 1}, {"poor": 1, "debts": 2}])
@example({"turn": 2, "over": 2}, {"over": 1}, [{"over": 0}, {"play": 2}])
def test_what_is_told_is_what_holds_in_all_games(base: Choice, three: Choice, variants: list[Choice]) -> None:
    told_by(base, three, variants)


def test_a_function_is_looked_at_again_if_something_that_it_asks_has_changed(tmp_path: Path) -> None:
    """Even if it is the very same one: here who is asked may not see what the changed query reads."""
    ruleset = rw.open_ruleset(write(tmp_path, rules_of({"bid": 1}, {}, [{"rich": 4}])))
    source, games = games_of(ruleset)
    printed, with_variant = games[0], games[2]
    mixed = replace(printed.program, queries=with_variant.program.queries)
    both = fresh(printed), replace(fresh(printed), program=mixed)
    rule = next(rule for rule in lint.all_rules() if rule.code == "INF321")
    found = [d.message for d in lint.findings_of(rule, lint.Subject(ruleset, source, both))]
    assert len(found) == 1
    assert "the value of `purse`" in found[0]


@pytest.mark.long
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_of_shipped_rulesets_the_same_is_told(folder: Path) -> None:
    assert differences(rw.open_ruleset(folder))[0] == []
