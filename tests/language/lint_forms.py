"""Rulesets of declarations in several forms, some in order and some not: what lint rules are tried on."""

from __future__ import annotations

from hypothesis import strategies as st

from rulewright.compiler import Sources, player_counts, sources
from rulewright.compiler.scenarios.compile_cache import compiled
from rulewright.data.ruleset import Ruleset
from rulewright.findings.text import linter

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


def games_of(ruleset: Ruleset) -> tuple[Sources, tuple[linter.Configuration, ...]]:
    """All games that a check makes."""
    source = sources(ruleset)
    games = []
    for titles in ((), *((title,) for title in source.variants)):
        for count in player_counts(source.rules):
            compiler, program, found = compiled(source, count, titles, {})
            assert compiler is not None, [d.message for d in found]
            assert program is not None, [d.message for d in found]
            games.append(linter.Configuration(count, titles, compiler, program))
    return source, tuple(games)


def fresh(game: linter.Configuration) -> linter.Configuration:
    """A game of which nothing has been found out yet."""
    return linter.Configuration(game.players, game.variants, game.compiler, game.program)
