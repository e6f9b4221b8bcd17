"""Each operator: what it makes of a few lines, and what it leaves alone."""

from __future__ import annotations

from textwrap import dedent

import pytest
from mutation_helpers import made

import rulewright as rw
from closed_words import words_of
from rulewright.findings.mutation.baseline import Original
from rulewright.findings.mutation.mutants import OPERATORS
from rulewright.syntax import ast, parse, parse_expression, print_file
from sampling import sample

CHOICE = """
    procedure turn(p: Player)
        p chooses c from hand[p] where c.worth > 1
            obey decency(c)
            forbid dear: c.worth > gold[p]
                unless friend: helped[p]
                unless rich: gold[p] >= 5
        then
            pay(p, c.worth)
            move c to pile on top
        else
            gold[p] += 1
    """
QUERY = """
    query rank(p: Player) -> Int
        2 when gold[p] > 10
        1 when gold[p] > 5
        0 otherwise
    """
MATCH = """
    procedure blow
        match wind
            calm, breeze: gold -= 1
            gale
                gold = 0
            otherwise: gold += 1
    """

CASES: list[tuple[str, str, list[str]]] = [
    ("drop-restriction", CHOICE, ["forbid dear: c.worth > gold[p] =>"]),
    ("drop-limits", CHOICE, ["obey decency(c) =>"]),
    ("drop-exception", CHOICE, ["unless friend: helped[p] =>", "unless rich: gold[p] >= 5 =>"]),
    (
        "drop-modifier",
        "value strength(s: Ship) -> Int = s.combat\n    hurt: - damage[s]\n    storm: becomes 1 when storm",
        ["hurt: - damage[s] =>", "storm: becomes 1 when storm =>"],
    ),
    (
        "comparison",
        "query q() -> Bool = a < 1 and b <= 1 and c > 1 and d >= 1 and e is f and g is not h",
        [
            f"query q() -> Bool = {line} => query q() -> Bool = {line.replace(old, new)}"
            for old, new in [
                ("a <", "a <="),
                ("b <=", "b <"),
                ("c >", "c >="),
                ("d >=", "d >"),
                ("e is", "e is not"),
                ("g is not", "g is"),
            ]
            for line in ["a < 1 and b <= 1 and c > 1 and d >= 1 and e is f and g is not h"]
        ],
    ),
    (
        "comparison",
        "query q() -> Bool = (a in S or b not in S) and x is a Knight and hand is not empty",
        [
            f"query q() -> Bool = {line} => query q() -> Bool = {line.replace(old, new)}"
            for old, new in [("a in", "a not in"), ("b not in", "b in"), ("is a K", "is not a K"), ("is not e", "is e")]
            for line in ["(a in S or b not in S) and x is a Knight and hand is not empty"]
        ],
    ),
    (
        "and-or",
        "end full when a and b or c\n    finish with winner players",
        [
            "end full when a and b or c => end full when a and b and c",
            "end full when a and b or c => end full when a or b or c",
        ],
    ),
    (
        "one-side",
        "query q() -> Bool = a and b",
        [
            "query q() -> Bool = a and b => query q() -> Bool = a",
            "query q() -> Bool = a and b => query q() -> Bool = b",
        ],
    ),
    (
        "negation",
        "procedure turn\n    if not ready then begin\n    if done() then stop\n    if gold > 1 then begin",
        ["if not ready then begin => if ready then begin", "if done() then stop => if not done() then stop"],
    ),
    (
        "quantity",
        "query q() -> Bool = some(x in S where f(x))",
        ["query q() -> Bool = some(x in S where f(x)) => query q() -> Bool = no(x in S where f(x))"],
    ),
    (
        "quantity",
        "query q() -> Bool = every(x in S where f(x) has g(x))",
        [
            "query q() -> Bool = every(x in S where f(x) has g(x)) => "
            "query q() -> Bool = some(x in S where f(x) and g(x))"
        ],
    ),
    ("quantity", "query q() = last(S)", ["query q() = last(S) => query q() = first(S)"]),
    ("quantity", "query q() -> Int = max(S)", ["query q() -> Int = max(S) => query q() -> Int = min(S)"]),
    (
        "quantity",
        "query q() = size([f(x) for x in L])",
        ["query q() = size([f(x) for x in L]) => query q() = size({f(x) for x in L})"],
    ),
    ("drop-where", CHOICE, ["p chooses c from hand[p] where c.worth > 1 => p chooses c from hand[p]"]),
    (
        "drop-where",
        "query q() -> Int = count(x in S where f(x))",
        ["query q() -> Int = count(x in S where f(x)) => query q() -> Int = count(x in S)"],
    ),
    ("truth", "field tired: Bool = false", ["field tired: Bool = false => field tired: Bool = true"]),
    ("off-by-one", "param goal = 9", ["param goal = 9 => param goal = 10", "param goal = 9 => param goal = 8"]),
    ("off-by-one", "query q() -> Int = 0", ["query q() -> Int = 0 => query q() -> Int = 1"]),
    ("off-by-one", "die D6: 1 to 6", ["die D6: 1 to 6 => die D6: 1 to 7", "die D6: 1 to 6 => die D6: 1 to 5"]),
    (
        "off-by-one",
        "procedure deal\n    draw 2 from deck to hand",
        [
            "draw 2 from deck to hand => draw 3 from deck to hand",
            "draw 2 from deck to hand => draw 1 from deck to hand",
        ],
    ),
    (
        "plus-minus",
        "effect pay\n    gold -= a + 1",
        ["gold -= a + 1 => gold += a + 1", "gold -= a + 1 => gold -= a - 1"],
    ),
    ("plus-minus", "value v -> Int = 1\n    low: at least 0", ["low: at least 0 => low: at most 0"]),
    ("only-left", "query q() -> Int = a * 2", ["query q() -> Int = a * 2 => query q() -> Int = a"]),
    (
        "only-left",
        "query q() -> set of Player = S except p",
        ["query q() -> set of Player = S except p => query q() -> set of Player = S"],
    ),
    (
        "rounding",
        "query q() -> Int = a / 2 rounded up",
        ["query q() -> Int = a / 2 rounded up => query q() -> Int = a / 2 rounded down"],
    ),
    ("drop-statement", CHOICE, ["pay(p, c.worth) =>", "move c to pile on top =>"]),
    (
        "drop-statement",
        "procedure t\n    p rolls D6 as n\n    gold += n\n    shuffle deck",
        ["gold += n =>", "shuffle deck =>"],
    ),
    ("drop-statement", "procedure t\n    flip a face up\n    go", ["flip a face up =>", "go =>"]),
    ("swap-statements", "procedure t\n    flip a face up\n    go", ["flip a face up / go => go / flip a face up"]),
    (
        "drop-statement",
        "reaction shield instead of pay(p, n)\n    gold[p] += 1\n    proceed",
        ["gold[p] += 1 =>", "proceed =>"],
    ),
    (
        "swap-statements",
        "reaction shield instead of pay(p, n)\n    gold[p] += 1\n    proceed",
        ["gold[p] += 1 / proceed => proceed / gold[p] += 1"],
    ),
    ("swap-statements", "procedure t\n    let n = gold\n    pay(n)\n    rest", ["pay(n) / rest => rest / pay(n)"]),
    (
        "swap-statements",
        "procedure t\n    step one\n        a\n    step two\n        b",
        ["step one / step two => step two / step one"],
    ),
    ("drop-case", QUERY, ["2 when gold[p] > 10 =>", "1 when gold[p] > 5 =>"]),
    ("drop-case", MATCH, ["calm, breeze: gold -= 1 =>", "gale =>"]),
    (
        "drop-case",
        "procedure t(p: Player)\n    p chooses either\n        option rest: sleep\n        option go: walk",
        ["option rest: sleep =>", "option go: walk =>"],
    ),
    (
        "swap-cases",
        QUERY,
        [
            "2 when gold[p] > 10 / 1 when gold[p] > 5 => 1 when gold[p] > 10 / 2 when gold[p] > 5",
            "1 when gold[p] > 5 / 0 otherwise => 0 when gold[p] > 5 / 1 otherwise",
        ],
    ),
    ("swap-cases", MATCH, ["calm, breeze: gold -= 1 / gale => calm, breeze / gale: gold -= 1"]),
    ("swap-branches", "procedure t\n    if ready\n        go\n    else\n        rest", ["go / rest => rest / go"]),
    (
        "swap-branches",
        "query q() -> Int = 1 if c else 2",
        ["query q() -> Int = 1 if c else 2 => query q() -> Int = 2 if c else 1"],
    ),
    (
        "swap-branches",
        CHOICE,
        [
            "pay(p, c.worth) / move c to pile on top / gold[p] += 1 => "
            "gold[p] += 1 / pay(p, c.worth) / move c to pile on top"
        ],
    ),
    ("other-side", CHOICE, ["move c to pile on top => move c to pile at bottom"]),
    (
        "other-side",
        "procedure t(p: Player)\n    ask(p.left)\n    flip c face up",
        ["ask(p.left) => ask(p.right)", "flip c face up => flip c face down"],
    ),
    (
        "descending",
        "procedure t\n    each p in players by gold[p]\n        turn(p)",
        ["each p in players by gold[p] => each p in players by gold[p] descending"],
    ),
    (
        "descending",
        "query q() -> set of Player = best(p in players by -gold[p])",
        [
            "query q() -> set of Player = best(p in players by -gold[p]) => "
            "query q() -> set of Player = best(p in players by gold[p])"
        ],
    ),
    (
        "drop-measure",
        "procedure t\n    finish ranking p in players by a(p) then b(p)",
        [
            f"finish ranking p in players by a(p) then b(p) => finish ranking p in players by {measures}"
            for measures in ("b(p)", "a(p)", "b(p) then a(p)")
        ],
    ),
    (
        "other-sign",
        "procedure t(p: Player)\n    reward p: -2\n    reward players: 0\n    finish paying gold[q] for q in players",
        [
            "reward p: -2 => reward p: 2",
            "finish paying gold[q] for q in players => finish paying -gold[q] for q in players",
        ],
    ),
    (
        "other-seat",
        "procedure t(p: Player)\n    reward p: 2\n    reward players: 1\n    reward p.side: 1",
        ["reward p: 2 => reward p.left: 2"],
    ),
    (
        "other-seat",
        "procedure t(p: Player)\n    if no_pot then finish paying 1 for q in players\n"
        "    finish paying gold[q] - debt(q) for q in players",
        [
            "finish paying gold[q] - debt(q) for q in players => "
            "finish paying gold[q.left] - debt(q.left) for q in players"
        ],
    ),
    (
        "drop-statement",
        "procedure t(p: Player)\n    reward p: 2\n    finish paying gold[q] for q in players",
        ["reward p: 2 =>", "finish paying gold[q] for q in players =>"],
    ),
    (
        "how-many",
        "procedure t(p: Player)\n    p chooses up to 2 c as thrown from hand[p]",
        ["p chooses up to 2 c as thrown from hand[p] => p chooses exactly 2 c as thrown from hand[p]"],
    ),
    (
        "how-many",
        "procedure t(p: Player)\n    p repeats 1 to 3 times\n        sell(p)",
        ["p repeats 1 to 3 times => p repeats exactly 3 times"],
    ),
    (
        "may",
        "procedure t(p: Player)\n    p chooses c from hand[p]\n    chance chooses d from deck",
        ["p chooses c from hand[p] => p may choose c from hand[p]"],
    ),
    (
        "leading-on",
        "procedure t(p: Player)\n    p chooses c from hand[p], leading on\n    p chooses d from deck",
        ["p chooses c from hand[p], leading on => p chooses c from hand[p]"],
    ),
    (
        "drop-consequence",
        "consequence crown for f in Family when a(f)\n    b(f)",
        ["consequence crown for f in Family when a(f) =>"],
    ),
    ("drop-end", "end four when a\n    finish with winner players", ["end four when a =>"]),
    ("drop-change", "with 3 players\n    remove four\n    set goal = 2", ["remove four =>", "set goal = 2 =>"]),
    (
        "drop-change",
        'with 3 players\n    remove row "a" of Tile\n    set row "b" of Tile: worth = 2\n    add row to Tile: name = c',
        ['remove row "a" of Tile =>', 'set row "b" of Tile: worth = 2 =>', "add row to Tile: name = c =>"],
    ),
    (
        "when-asked",
        "end four when a, after turn\n    finish with winner players",
        ["end four when a, after turn => end four when a"],
    ),
    (
        "when-asked",
        "field bid: Int = 0, lasting auction",
        ["field bid: Int = 0, lasting auction => field bid: Int = 0"],
    ),
    (
        "narrow-record",
        "field stood: positions of stone and prisoners, at most 9",
        [
            f"field stood: positions of stone and prisoners, at most 9 => field stood: positions of {part}, at most 9"
            for part in ("prisoners", "stone")
        ],
    ),
    (
        "without-diagonals",
        "map Board: grid 3 by 3 of Cell with diagonals",
        ["map Board: grid 3 by 3 of Cell with diagonals => map Board: grid 3 by 3 of Cell"],
    ),
    (
        "one-side",
        "query q(p: Player) -> Bool = rich(p) after pay(p) and then sell(p)",
        [
            f"query q(p: Player) -> Bool = rich(p) after pay(p) and then sell(p) => "
            f"query q(p: Player) -> Bool = rich(p) after {one}(p)"
            for one in ("sell", "pay")
        ],
    ),
    (
        "widen-audience",
        "zone hand[p: Player]: set of Card, face seen by p, count seen by everyone",
        [
            "zone hand[p: Player]: set of Card, face seen by p, count seen by everyone => "
            "zone hand[p: Player]: set of Card, face seen by everyone, count seen by everyone"
        ],
    ),
    (
        "accumulation",
        "procedure t\n    gold = 3\n    debt += 1\n    gold -= 2",
        ["gold = 3 => gold += 3", "debt += 1 => debt = 1"],
    ),
    (
        "at-once",
        "procedure t\n    each p in players at once\n        p chooses n from {1, 2}",
        ["each p in players at once => each p in players"],
    ),
    (
        "every",
        "query q() -> Bool = some(s in Ship where s.sunk)",
        ["query q() -> Bool = some(s in Ship where s.sunk) => query q() -> Bool = every(s in Ship has s.sunk)"],
    ),
    (
        "grouping",
        "query q() -> Bool = a or b and c + d * e > 0",
        [
            f"query q() -> Bool = a or b and c + d * e > 0 => query q() -> Bool = {other}"
            for other in ("(a or b) and c + d * e > 0", "a or b and (c + d) * e > 0")
        ],
    ),
    (
        "move-statement",
        "procedure t\n    a()\n    b()\n    c()",
        ["a() / c() => c() / a()", "a() / c() => c() / a()"],
    ),
    (
        "other-block",
        "procedure t\n    if rich\n        a()\n        b()\n    c()",
        ["b() => if rich / b()", "c() => if rich / c()"],
    ),
    (
        "pay",
        """
        procedure t(p: Player)
            p chooses either
                option buy
                    forbid poor: gold[p] < 3
                    draw 1 from deck to hand[p]
                option sell
                    forbid poor: gold[p] < 1
                    gold[p] -= 1
        """,
        ["forbid poor: gold[p] < 3 => forbid poor: gold[p] < 3 / gold[p] -= 3"],
    ),
    (
        "quantity",
        "query q() -> Player = first(best(p in players by gold[p]))",
        [
            "query q() -> Player = first(best(p in players by gold[p])) => "
            "query q() -> Player = single(best(p in players by gold[p]))"
        ],
    ),
    (
        "hide",
        "zone hand[p: Player]: set of Card\nzone pile: stack of Card\nfield gold[Player]: 0..9 = 0",
        [
            "zone hand[p: Player]: set of Card => "
            "zone hand[p: Player]: set of Card, face seen by p, count seen by everyone"
        ],
    ),
]


@pytest.mark.parametrize("operator, rules, wanted", CASES)
def test_operator(operator: str, rules: str, wanted: list[str]) -> None:
    assert made(operator, rules) == wanted


def test_enum_values_give_way_to_others_of_their_enum() -> None:
    rules = "query q(calm: Wind) -> Bool = wind is gale or calm is gale\nparam gale_is: {strong, weak} = strong"
    found = made("enum-value", rules, {"gale": "calm", "calm": "gale", "strong": "weak", "weak": "strong"})
    head = "query q(calm: Wind) -> Bool = "
    assert found == [
        f"{head}wind is gale or calm is gale => {head}wind is calm or calm is gale",
        f"{head}wind is gale or calm is gale => {head}wind is gale or calm is calm",
        "param gale_is: {strong, weak} = strong => param gale_is: {strong, weak} = weak",
    ]


NAMED: list[tuple[str, str, dict[str, object], list[str]]] = [
    (
        "other-local",
        "procedure give(p: Player, q: Player)\n    gold[q] += 1",
        {"locals": {"give": {"p": ("entity", "Player"), "q": ("entity", "Player")}}},
        ["gold[q] += 1 => gold[p] += 1", "gold[q] += 1 => gold[q.left] += 1"],
    ),
    (
        "other-declared",
        "procedure t(p: Player)\n    gold[p.left] += 1",
        {"alike": {"gold": ("debt", "golden")}},
        [f"gold[p.left] += 1 => {one} += 1" for one in ("golden[p.left]", "debt[p.left]", "gold[p]")],
    ),
    (
        "swap-arguments",
        "procedure t(p: Player, q: Player)\n    pay(p, q)\n    gold[p] = a - b",
        {},
        ["pay(p, q) => pay(q, p)", "gold[p] = a - b => gold[p] = b - a"],
    ),
    (
        "other-players",
        "procedure t(p: Player)\n    each q in players\n        gold[q] += 1",
        {"locals": {"t": {"p": ("entity", "Player")}}},
        ["each q in players => each q in players except {p}"],
    ),
    (
        "reset",
        """
        variant "tired" of tiny
            add field streak[Player]: 0.. = 0
            after turn.play
                streak[p] += 1
            after turn.sell
                tells "{p} sells"
            add procedure rest(p: Player)
                p chooses way from {1, 2}
                    forbid long: streak[p] > way
        """,
        {"counts": ((parse_expression("streak[p]"), parse_expression("0")),)},
        [
            'tells "{p} sells" => tells "{p} sells" / streak[p] = 0',
            "p chooses way from {1, 2} => p chooses way from {1, 2} / streak[p] = 0",
        ],
    ),
    (
        "forget",
        "field tired[Player]: Bool = false\nfield angry: Bool = false, lasting round",
        {"lasting": ("round", "turn")},
        [
            "field tired[Player]: Bool = false => field tired[Player]: Bool = false, lasting round",
            "field tired[Player]: Bool = false => field tired[Player]: Bool = false, lasting turn",
            "field angry: Bool = false, lasting round => field angry: Bool = false, lasting turn",
        ],
    ),
]
"""Operators that need the meaning of names."""


@pytest.mark.parametrize("operator, rules, words, wanted", NAMED)
def test_operator_on_names(operator: str, rules: str, words: dict[str, object], wanted: list[str]) -> None:
    assert made(operator, rules, words=words) == wanted


def test_parts_of_the_base_are_put_back() -> None:
    """A variant that replaces a procedure may have left out a line of it, at any depth."""
    old = """
        procedure turn(p: Player)
            gold[p] += 2
            step pay
                gold[p] -= 1
                debt[p] -= 1
            p.left chooses n from {1, 2}
        """
    new = """
        variant "short" of tiny
            replace procedure turn(p: Player)
                step pay
                    gold[p] -= 1
                p.left chooses n from {1, 2}
        """
    base = parse(dedent(old).strip() + "\n").file.decls[0]
    found = made("restore", new, words={"bases": {"turn": base}})
    head = "replace procedure turn(p: Player)"
    assert found == [f"{head} => {head} / gold[p] += 2", f"{head} => {head} / debt[p] -= 1"]


def test_every_operator_is_tested() -> None:
    tested = {operator for operator, *_ in (*CASES, *NAMED)}
    assert tested | {"enum-value", "restore"} == set(OPERATORS)


@pytest.mark.parametrize("operator", OPERATORS)
def test_tests_are_never_changed(operator: str) -> None:
    rules = """
        invariant few for p in players: gold[p] < 9 and not rich(p)
        property more after each turn: some(p in players where gold[p] is not 3)
        witness rich: gold > 1
        scenario "nothing"
            players anna, bert
            given gold = 3
        """
    assert made(operator, rules) == []


def test_all_mutants_could_have_been_written() -> None:
    """Their text is read as the same tree, and their lines are not as they were."""
    for name in ("carolus-magnus", "domaine", "tic-tac-toe", "connect-four", "breakthrough"):
        mutants = Original(rw.open_ruleset(name)).mutants
        assert len({mutant.id for mutant in mutants}) == len(mutants)
        for mutant in mutants[:: 1 + len(mutants) // sample(40, 100)]:
            assert mutant.before != mutant.after, mutant
            assert mutant.span.line > 0
            if mutant.instead is not None:
                file = ast.File((mutant.instead,))
                again = parse(print_file(file), "mutant")
                assert not again.diagnostics, mutant
                assert again.file == file, mutant


WITHOUT_MUTANTS = {"|", "or else", "first", "count", "sum"}
"""Nothing else of the same type is made of the same parts; without ``or else`` there may be none."""


@pytest.mark.parametrize("op", sorted(set(words_of(ast.Binary, "op")) - WITHOUT_MUTANTS))
def test_each_infix_operator_has_a_mutant(op: str) -> None:
    assert any(made(operator, f"query q() -> Bool = a {op} b") for operator in OPERATORS)


@pytest.mark.parametrize("kind", sorted(set(words_of(ast.Aggregate, "kind")) - WITHOUT_MUTANTS))
def test_each_aggregate_has_a_mutant(kind: str) -> None:
    assert any(made(operator, f"query q() -> Bool = {kind}(s)") for operator in OPERATORS)
