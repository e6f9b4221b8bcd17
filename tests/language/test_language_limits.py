"""Rules that are too large, too deep or without end: one clear message, soon, and never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from language_helpers import write

import rulewright as rw
from sampling import sample


def many(*lines: str, count: int) -> str:
    """Lines with `{i}` for the number of each and `{j}` for the next."""
    return "\n".join(line.format(i=i, j=i + 1) for i in range(count) for line in lines) + "\n"


QUERIES, PARAMETERS = sample(300, 600), sample(600, 1200)
"""Each asks for the next: deeper than Python's own stack, as each takes several calls."""

FINE = {
    "queries that ask the next": many("query q{i}(n: Int) -> Int = q{j}(n) + 1", count=QUERIES)
    + f"query q{QUERIES}(n: Int) -> Int = n",
    "parameters that need the next": many("param a{i} = a{j} + 1", count=PARAMETERS) + f"param a{PARAMETERS} = 1",
    "kinds of kinds": "piece K0\n" + "\n".join(f"piece K{i} is a K{i - 1}" for i in range(1, 200)),
    "many statements": "field a: Int = 0\nprocedure play\n"
    + "    a += 1\n" * sample(1000, 3000)
    + "    finish with winner players",
    "many modifiers": "value v(n: Int) -> Int = n\n" + many("    m{i}: + 1", count=3_400),
    "many cases": "query v(n: Int) -> Int\n" + many("    {i} when n is {i}", count=800) + "    0 otherwise",
    "many assignments": "field a[Player]: Int = 0\nprocedure play\n"
    + many("    a[first(players)] = {i}", count=sample(500, 1500))
    + "    finish with winner players",
    "many restrictions": "procedure a(p: Player)\n    p chooses n from {1 .. 3}\n"
    + many("        forbid f{i}: n is {i} and n > {i}", count=400),
    "many alternatives": "query v(n: Int) -> Bool = n is 0" + "".join(f" or n is {i}" for i in range(1, 60)),
    "many lets": "query v(n: Int) -> Int\n    let a0 = n\n"
    + many("    let a{j} = a{i} + a{i}", count=200)
    + "    a200 otherwise",
    "many conditions before a choice": "procedure a(p: Player)\n"
    + many("    if size(players) is {i}", "        forbid f{i}: true", count=200)
    + "    p chooses n from {1 .. 3}\nquery q(p: Player) -> Bool = possible(a(p))",
    "many players": "players 1 to 12",
}

WRONG = {
    "limits that multiply": (
        "limits l0(n: Int)\n    forbid f: n > 3\n"
        + many("limits l{j}(n: Int)", "    obey l{i}(n)", "    obey l{i}(n)", count=40),
        "CHO303",
    ),
    "procedures that ask for the next": (
        many("procedure a{i}(p: Player)", "    a{j}(p)", count=500)
        + "procedure a500(p: Player)\n    p chooses n from {1 .. 3}\nquery q(p: Player) -> Bool = possible(a0(p))",
        "SYN004",
    ),
    "a product": ("param a0 = 1\n" + many("param a{j} = a{i} * 100000", count=8), "TYP206"),
    "a huge grid": ("place C\nmap B: grid 2000000000 by 2000000000 of C", "MAP008"),
    "a field of fields": ("place C\nmap B: grid 32 by 32 of C\nfield f[C, C]: Bool", "TYP230"),
}


def check(folder: Path, rules: str) -> list[rw.Diagnostic]:
    return rw.check(rw.open_ruleset(write(folder, rules + "\n")))


@pytest.mark.timeout(600)
@pytest.mark.parametrize("rules", FINE.values(), ids=FINE)
def test_large_rules_are_fine(rules: str, tmp_path: Path) -> None:
    assert [d for d in check(tmp_path, rules) if d.is_error] == []
    assert rw.load(tmp_path).start().result is not None


@pytest.mark.timeout(600)
@pytest.mark.parametrize("rules, code", WRONG.values(), ids=WRONG)
def test_what_is_too_large_is_told_once(rules: str, code: str, tmp_path: Path) -> None:
    assert [d.code for d in check(tmp_path, rules)] == [code]
