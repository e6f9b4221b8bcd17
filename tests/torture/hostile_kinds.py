"""Rulesets that are made to be too much: one function for each way in which a ruleset can blow up.

Each takes a size and gives the files of a ruleset; `HOSTILE` says how large each is made for the measurements of
``hostile_rulesets.py``. The tests build the same at sizes just within and just beyond the limits.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

Files = dict[str, str]
Make = Callable[[int], Files]

HOSTILE: dict[str, tuple[Make, tuple[int, ...]]] = {}
"""Every kind of blow-up: what makes it, and how large it is made."""


def hostile(*sizes: int) -> Callable[[Make], Make]:
    """Make a function a kind of blow-up, to be measured at these sizes."""

    def keep(make: Make) -> Make:
        HOSTILE[make.__name__] = (make, sizes)
        return make

    return keep


def ruleset(rules: str = "", players: str = "2", manifest: dict[str, object] | None = None, **files: str) -> Files:
    """The files of a ruleset; those that are given as `a_json` are called `a.json`."""
    play = "" if "\nprocedure play" in "\n" + rules else "procedure play\n    finish with winner players\n"
    named = {name[::-1].replace("_", ".", 1)[::-1]: text for name, text in files.items()}
    own = ["game.rules", *(name for name in named if name.endswith(".rules"))]
    head = {"name": "hostile", "title": "Hostile", "rules": own} | (manifest or {})
    text = f"game hostile\nplayers {players}\n{rules}\n{play}"
    return {"ruleset.json": json.dumps(head), "game.rules": text, **named}


def write(folder: Path, files: Files) -> Path:
    """Write the files of a ruleset."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def many(line: str, count: int, start: int = 0) -> str:
    """A line with `{i}` for the number of each and `{j}` for the next."""
    return "".join(line.replace("{i}", str(i)).replace("{j}", str(i + 1)) + "\n" for i in range(start, start + count))


# ------------------------------------------------------------------------------------------------------ tables

CARD = 'piece Card from "cards.{}"\n    worth: Int\n    named "card {{worth}}"\n'


@hostile(4_000, 500_000)
def rows_of_numbers(n: int) -> Files:
    """A table with a row for each number."""
    return ruleset(CARD.format("json"), cards_json=json.dumps({"rows": [{"worth": i} for i in range(n)]}))


@hostile(100_000, 500_000)
def numbers_in_a_table(n: int) -> Files:
    """A table of a thousand rows with as many columns as it takes."""
    columns = max(1, n // 1000)
    rows = [{"worth": i, **{f"c{k}": i * k for k in range(columns - 1)}} for i in range(min(n, 1000))]
    return ruleset(CARD.format("json"), cards_json=json.dumps({"rows": rows}))


@hostile(50_000, 500_000)
def numbers_in_lists(n: int) -> Files:
    """A table of rows each of which lists a thousand numbers."""
    rows = [{"worth": i, "more": list(range(min(1000, n)))} for i in range(max(1, n // 1000))]
    return ruleset(CARD.format("json"), cards_json=json.dumps({"rows": rows}))


@hostile(500_000)
def numbers_in_one_list(n: int) -> Files:
    """One cell that lists all of them."""
    return ruleset(CARD.format("json"), cards_json=json.dumps({"rows": [{"worth": 1, "more": list(range(n))}]}))


@hostile(10)
def megabytes_of_numbers(n: int) -> Files:
    """So many megabytes of numbers of one digit."""
    text = '{"rows": [{"worth": 1, "more": [' + ",".join("1" * (n * 524_000 - 100)) + "]}]}"
    return ruleset(CARD.format("json"), cards_json=text)


@hostile(100_000)
def numbers_and_a_wrong_one(n: int) -> Files:
    """Numbers, the last of which is a text in the wrong place, so that its place must be found."""
    columns = max(1, n // 1000)
    rows: list[dict[str, object]] = [{"worth": i, **{f"c{k}": k for k in range(columns - 1)}} for i in range(1000)]
    rows[-1]["worth"] = {"two": 2}
    return ruleset(CARD.format("json"), cards_json=json.dumps({"rows": rows}))


@hostile(100_000, 1_000_000)
def wrong_numbers(n: int) -> Files:
    """Every cell of a table is wrong."""
    rows = [{"worth": i, "more": [2**40] * 1000} for i in range(n // 1000)]
    return ruleset(CARD.format("json"), cards_json=json.dumps({"rows": rows}))


@hostile(4_000, 500_000)
def rows_of_csv(n: int) -> Files:
    """A long CSV."""
    return ruleset(CARD.format("csv"), cards_csv="worth\n" + many("{i}", n))


@hostile(100_000, 2_000_000)
def cells_of_csv(n: int) -> Files:
    """A wide CSV."""
    columns = max(1, n // 1000)
    head = ",".join(["worth", *(f"c{k}" for k in range(columns - 1))])
    return ruleset(CARD.format("csv"), cards_csv=head + "\n" + (",".join("1" * columns) + "\n") * 1000)


@hostile(1_000_000)
def columns_of_csv(n: int) -> Files:
    """One column that is written again and again."""
    return ruleset(CARD.format("csv"), cards_csv=",".join(["worth"] * n) + "\n" + ",".join("1" * n) + "\n")


@hostile(5_000_000)
def empty_cells_of_csv(n: int) -> Files:
    """Nothing but commas."""
    return ruleset(CARD.format("csv"), cards_csv="worth\n" + "," * n + "\n")


@hostile(4_000)
def pieces_in_rows(n: int) -> Files:
    """Pieces, a row each, with a name each, that lie in zones."""
    rules = CARD.format("json") + "    begins in deck\nzone deck: stack of Card, seen by {}\n"
    return ruleset(rules, "2 to 6", cards_json=json.dumps({"rows": [{"worth": i} for i in range(n)]}))


@hostile(500)
def tables(n: int) -> Files:
    """Many tables of a thousand numbers each."""
    rules = many('enum E{i} from "t.json#t{i}"\n    worth: Int', n)
    rows = {f"t{i}": [{"name": f"n{i}_{k}", "worth": k} for k in range(100)] for i in range(n)}
    return ruleset(rules, t_json=json.dumps(rows))


# -------------------------------------------------------------------------------------------------------- JSON


@hostile(100_000)
def unique_objects(n: int) -> Files:
    """Objects where the manifest wants different texts."""
    return ruleset(manifest={"rules": [{"n": i} for i in range(n)]})


@hostile(100_000)
def unique_texts(n: int) -> Files:
    """Names of files, all different."""
    return ruleset(manifest={"scenarios": [f"s{i}.rules" for i in range(n)]})


@hostile(5_000, 100_000)
def unique_labels(n: int) -> Files:
    """Places of a map that name what they name already."""
    hexes = {
        "shape": "graph",
        "places": [{"name": f"p{i}"} for i in range(1000)],
        "edges": [[f"p{i}", {"a": i}] for i in range(n)],
    }
    return ruleset('place P\nmap M: graph from "m.json" of P', m_json=json.dumps(hexes))


@hostile(5_000_000)
def nested_lists(n: int) -> Files:
    """A JSON file that is nested without end."""
    return ruleset(CARD.format("json"), cards_json="[" * n + "]" * n)


@hostile(60)
def nested_objects(n: int) -> Files:
    """Nested as deep as may be, where cells stand."""
    cell = '{"2": ' * n + "1" + "}" * n
    return ruleset(CARD.format("json"), cards_json='{"rows": [{"worth": ' + cell + "}]}")


@hostile(10_000_000)
def long_text(n: int) -> Files:
    """One text of ten million letters in a cell."""
    return ruleset(CARD.format("json"), cards_json=json.dumps({"rows": [{"worth": "a" * n}]}))


@hostile(10_000_000)
def long_key(n: int) -> Files:
    """A key that is as long."""
    return ruleset(CARD.format("json"), cards_json=json.dumps({"rows": [{"w" * n: 1}]}))


@hostile(300_000)
def unknown_keys(n: int) -> Files:
    """Keys that nobody knows."""
    return ruleset(manifest={f"ruels{i}": i for i in range(n)})


@hostile(100_000)
def wrong_columns(n: int) -> Files:
    """Columns whose names are wrong, each of which gets a hint."""
    return ruleset(CARD.format("json"), cards_json=json.dumps({"rows": [{f"C{i}": i for i in range(n)}]}))


def statement(i: int, **more: object) -> dict[str, object]:
    return {"id": f"S-{i}", "section": "s", "kind": "action", "normative": False, "statement": f"This is {i}."} | more


@hostile(2_000, 100_000)
def statements(n: int) -> Files:
    """A rulebook of this many statements."""
    book = {"game": "hostile", "statements": [statement(i) for i in range(n)]}
    return ruleset(manifest={"rulebook": "book.json"}, book_json=json.dumps(book))


@hostile(2_000, 30_000)
def statements_that_depend(n: int) -> Files:
    """Each depends on one that does not exist, with nearly the name of others."""
    book = {"game": "hostile", "statements": [statement(i, depends=[f"S-{i}x"]) for i in range(n)]}
    return ruleset(manifest={"rulebook": "book.json"}, book_json=json.dumps(book))


@hostile(2_000, 30_000)
def statements_twice(n: int) -> Files:
    """All have the same id."""
    book = {"game": "hostile", "statements": [statement(0) for _ in range(n)]}
    return ruleset(manifest={"rulebook": "book.json"}, book_json=json.dumps(book))


@hostile(2_000, 30_000)
def statements_nobody_cites(n: int) -> Files:
    """Each binds the players, and no rule cites it."""
    book = {"game": "hostile", "statements": [statement(i, normative=True) for i in range(n)]}
    return ruleset(manifest={"rulebook": "book.json"}, book_json=json.dumps(book))


@hostile(2_000, 20_000)
def rulings(n: int) -> Files:
    """Rulings, each of which cites something unknown."""
    book = {"game": "hostile", "statements": [statement(i) for i in range(min(n, 2_000))]}
    made = [
        {"id": f"R-{i}", "question": "q", "ruling": "r", "basis": "b", "effect": "e", "cites": [f"S-{i}", f"T-{i}"]}
        for i in range(n)
    ]
    return ruleset(
        manifest={"rulebook": "book.json", "rulings": "rulings.json"},
        book_json=json.dumps(book), rulings_json=json.dumps({"rulings": made}),
    )  # fmt: skip


@hostile(2_000, 20_000)
def citations(n: int) -> Files:
    """Rules that cite what does not exist."""
    book = {"game": "hostile", "statements": [statement(i) for i in range(2_000)]}
    rules = many("param a{i} = 1  @T-{i}", n)
    return ruleset(rules, manifest={"rulebook": "book.json"}, book_json=json.dumps(book))


# ------------------------------------------------------------------------------------------------------- names


@hostile(2_000)
def names_and_typos(n: int) -> Files:
    """Names, and 300 typos of them."""
    random.seed(1)
    words = ["".join(random.choices("abcdefgh", k=12)) for _ in range(n)]
    rules = "".join(f"query {word}_{i}() -> Int = {i}\n" for i, word in enumerate(words))
    for i, word in enumerate(words[:300]):
        rules += f"query typo{i}() -> Int = {word[:5]}z{word[6:]}_{i}()\n"
    return ruleset(rules)


@hostile(15_000)
def typos(n: int) -> Files:
    """One name, and nothing but typos of it."""
    return ruleset("field golden_crown[Player]: Int\n" + many("query q{i}() -> Int = goldn_crwn_{i}", n))


@hostile(50_000)
def one_name_often(n: int) -> Files:
    """One name that is used again and again."""
    rules = "field a: Int = 0\nprocedure play\n" + "    a += a\n" * n + "    finish with winner players\n"
    return ruleset(rules)


@hostile(200_000)
def one_typo_often(n: int) -> Files:
    """A name that does not exist, used again and again on a few lines."""
    line = "    a = " + " + ".join(["b"] * 900) + "\n"
    return ruleset("field a: Int = 0\nprocedure play\n" + line * (n // 900) + "    finish with winner players\n")


@hostile(10_000)
def declared_twice(n: int) -> Files:
    """One name, declared again and again."""
    return ruleset("param a = 1\n" * n)


@hostile(400_000)
def long_name(n: int) -> Files:
    """A name of this many letters, and a typo of it."""
    return ruleset(f"param {'a' * (n // 2)} = 1\nquery q() -> Int = {'a' * (n // 2 - 1)}b")


# -------------------------------------------------------------------------------------------------- many things


@hostile(1_000, 20_000)
def enums(n: int) -> Files:
    return ruleset(many("enum E{i}: v{i}, w{i}", n))


@hostile(40_000)
def values_of_an_enum(n: int) -> Files:
    return ruleset("enum E\n    v0" + "".join(f",\n    v{i}" for i in range(1, n))) | ruleset(
        "".join(
            f"enum E{k}: " + ", ".join(f"v{i}" for i in range(k * 1400, (k + 1) * 1400)) + "\n"
            for k in range(n // 1400)
        )
    )


@hostile(1_000, 20_000)
def parameters(n: int) -> Files:
    return ruleset(many("param a{i} = {i}", n))


@hostile(1_000, 15_000)
def fields(n: int) -> Files:
    return ruleset(many("field a{i}[Player]: Int = 0", n), "2 to 6")


@hostile(500, 10_000)
def zones(n: int) -> Files:
    rules = 'piece Card from "cards.json"\n    named "card"\n    begins in z0\n' + many(
        "zone z{i}: set of Card, seen by everyone", n
    )
    return ruleset(rules, cards_json='{"rows": [{"count": 1000}]}')


@hostile(200, 5_000)
def kinds_of_pieces(n: int) -> Files:
    rules = many('piece K{i} from "cards.json"\n    named "card {i}"', n)
    return ruleset(rules, cards_json='{"rows": [{"count": 1}]}')


@hostile(400, 1_000)
def kinds_of_kinds(n: int) -> Files:
    return ruleset("piece K0\n    a0: Int\n" + many("piece K{j} is a K{i}\n    a{j}: Int = a{i} + 1", n))


@hostile(4, 10, 60, 1_000)
def maps_of_1024(n: int) -> Files:
    rules = many("place C{i}\nmap B{i}: grid 32 by 32 of C{i}", n)
    return ruleset(rules, "2 to 6")


@hostile(8)
def small_maps(n: int) -> Files:
    return ruleset(many("place C{i}\nmap B{i}: grid 3 by 3 of C{i}", n))


@hostile(8)
def small_growing_maps(n: int) -> Files:
    return ruleset(many("place C{i}\nmap B{i}: growing hexes of C{i}, at most 3", n))


@hostile(60, 2_000)
def growing_maps(n: int) -> Files:
    rules = many(
        "place C{i}\nmap B{i}: growing hexes of C{i}, at most 100\nzone z{i}[C{i}]: set of Card, at most 1, seen by everyone",
        n,
    )
    return ruleset('piece Card from "cards.json"\n    named "card"\n' + rules, cards_json='{"rows": [{"count": 5}]}')


@hostile(20, 200)
def map_files(n: int) -> Files:
    free = {
        "shape": "graph",
        "places": [{"name": f"p{i}"} for i in range(1024)],
        "edges": [[f"p{i}", f"p{k}"] for i in range(1024) for k in range(max(0, i - 30), i)],
    }
    rules = many('place P{i}\nmap M{i}: graph from "m.json" of P{i}', n)
    return ruleset(rules, m_json=json.dumps(free))


@hostile(500_000)
def edges_of_a_map(n: int) -> Files:
    pairs = [[f"p{i}", f"p{k}"] for i in range(1024) for k in range(i)][:n]
    free = {"shape": "graph", "places": [{"name": f"p{i}"} for i in range(1024)], "edges": pairs}
    return ruleset('place P\nedge E\nmap M: graph from "m.json" of P, edges E', m_json=json.dumps(free))


@hostile(2_000, 30_000)
def invariants(n: int) -> Files:
    return ruleset("field a: Int = 0\n" + many("invariant i{i}: a is 0", n))


@hostile(300, 5_000)
def consequences(n: int) -> Files:
    rules = "field a: Int = 0\n" + many("consequence c{i} when a is {i}\n    a = {j}", n)
    return ruleset(rules + "procedure play\n" + "    a += 1\n" * 100 + "    finish with winner players\n")


@hostile(300, 5_000)
def ends(n: int) -> Files:
    rules = "field a: Int = 0\n" + many("end c{i} when a is {i}\n    finish with winner players", n)
    return ruleset(rules + "procedure play\n" + "    a += 1\n" * 100 + "    finish with winner players\n")


@hostile(1_000, 10_000)
def scenarios(n: int) -> Files:
    rules = many('scenario "number {i}"\n    players ann, bob\n    start play()', n)
    return ruleset("", "2 to 6", {"scenarios": ["s.rules"]}) | {"s.rules": rules}


@hostile(300, 3_000)
def scenarios_with_options(n: int) -> Files:
    """Each asks for a game of its own."""
    rules = many('scenario "number {i}"\n    set goal = {i}\n    start play()', n)
    return ruleset("param goal = 1", "2 to 6", {"scenarios": ["s.rules"]}) | {"s.rules": rules}


@hostile(300, 5_000)
def files_of_rules(n: int) -> Files:
    made = {f"r{i}.rules": f"param a{i} = 1\n" for i in range(n)}
    return ruleset("", manifest={"rules": ["game.rules", *made]}) | made


@hostile(8, 60)
def large_files(n: int) -> Files:
    """Files of rules, each as large as may be."""
    made = {f"r{i}.rules": "".join(f"param a{i}_{k} = 1\n" for k in range(25_000)) for i in range(n)}
    return ruleset("", manifest={"rules": ["game.rules", *made]}) | made


@hostile(12, 100)
def large_scenarios(n: int) -> Files:
    """Files of scenarios, each as large as may be."""
    made = {f"s{i}.rules": "".join(f'scenario "{i} {k}"\n    start play()\n' for k in range(13_000)) for i in range(n)}
    return ruleset("", manifest={"scenarios": list(made)}) | made


# ------------------------------------------------------------------------------------------------------ chains


@hostile(195, 1_000, 5_000)
def procedures_in_a_chain(n: int) -> Files:
    rules = (
        many("procedure a{i}(p: Player)\n    a{j}(p)", n)
        + f"procedure a{n}(p: Player)\n    p chooses n from {{1 .. 3}}\n"
    )
    return ruleset(rules + "procedure play\n    a0(first(players))\n    finish with winner players\n", "2 to 4")


@hostile(195, 1_000, 5_000)
def possible_in_a_chain(n: int) -> Files:
    """A chain of procedures in which each asks whether the next is possible."""
    rules = (
        many("procedure a{i}(p: Player)\n    a{j}(p)", n)
        + f"procedure a{n}(p: Player)\n    p chooses n from {{1 .. 3}}\n"
    )
    return ruleset(rules + "query q(p: Player) -> Bool = possible(a0(p))")


@hostile(195, 5_000)
def effects_in_a_chain(n: int) -> Files:
    rules = "field a: Int = 0\n" + many("effect a{i}\n    a{j}", n) + f"effect a{n}\n    a += 1\n"
    return ruleset(rules + "procedure play\n    a0\n    finish with winner players\n", "2 to 4")


@hostile(990, 8_000)
def queries_in_a_chain(n: int) -> Files:
    return ruleset(many("query q{i}(n: Int) -> Int = q{j}(n) + 1", n) + f"query q{n}(n: Int) -> Int = n\n")


@hostile(990, 8_000)
def queries_without_type(n: int) -> Files:
    """Queries of sets, so that what each can be follows from the next."""
    return ruleset(
        many("query q{i}() -> set of Player = {p in players where p in q{j}()}", n)
        + f"query q{n}() -> set of Player = players\n"
    )


@hostile(600, 8_000)
def queries_in_a_circle(n: int) -> Files:
    return ruleset(many("query q{i}(n: Int) -> Int = q{j}(n) + 1", n) + f"query q{n}(n: Int) -> Int = q0(n)\n")


@hostile(300)
def queries_that_ask_all(n: int) -> Files:
    """Each asks for all behind it: circles without end."""
    rules = "".join(
        f"query q{i}(n: Int) -> Int = n" + "".join(f" + q{k}(n)" for k in range(n) if k != i and abs(k - i) < 40) + "\n"
        for i in range(n)
    )
    return ruleset(rules)


@hostile(1_200, 15_000)
def parameters_in_a_chain(n: int) -> Files:
    return ruleset(many("param a{i} = a{j} + 0", n) + f"param a{n} = 1\n")


@hostile(990, 8_000)
def values_in_a_chain(n: int) -> Files:
    return ruleset(many("value v{i}(n: Int) -> Int = v{j}(n)\n    m: + 1", n) + f"value v{n}(n: Int) -> Int = n\n")


@hostile(40, 1_000)
def limits_that_obey(n: int) -> Files:
    """Limits that obey two others each: restrictions that double at each step."""
    rules = "limits l0(n: Int)\n    forbid f: n > 3\n" + many(
        "limits l{j}(n: Int)\n    obey l{i}(n)\n    obey l{i}(n)", n
    )
    return ruleset(rules + f"procedure a(p: Player)\n    p chooses n from {{1 .. 3}}\n        obey l{n}(n)\n")


@hostile(300, 5_000)
def attributes_in_a_chain(n: int) -> Files:
    rules = 'piece Card from "cards.json"\n    a0: Int\n' + many("    a{j}: Int = a{i} + 1", n) + '    named "card"\n'
    return ruleset(rules, cards_json='{"rows": [{"a0": 1, "count": 4}]}')


@hostile(24)
def attributes_that_double(n: int) -> Files:
    """Each computed from the one before it twice."""
    rules = (
        'piece Card from "cards.json"\n    a0: Int\n' + many("    a{j}: Int = a{i} + a{i}", n) + '    named "card"\n'
    )
    return ruleset(rules, cards_json='{"rows": [{"a0": 1, "count": 4}]}')


@hostile(24, 1_000)
def lets_that_double(n: int) -> Files:
    rules = "query v(n: Int) -> Int\n    let a0 = n\n" + many("    let a{j} = a{i} + a{i}", n) + f"    a{n} otherwise\n"
    return ruleset(rules)


@hostile(24, 1_000)
def queries_that_double(n: int) -> Files:
    return ruleset(many("query q{i}(n: Int) -> Int = q{j}(n) + q{j}(n)", n) + f"query q{n}(n: Int) -> Int = n\n")


@hostile(24, 500)
def procedures_that_double(n: int) -> Files:
    rules = (
        many("procedure a{i}(p: Player)\n    a{j}(p)\n    a{j}(p)", n)
        + f"procedure a{n}(p: Player)\n    p chooses n from {{1 .. 3}}\n"
    )
    return ruleset(
        rules
        + "query q(p: Player) -> Bool = possible(a0(p))\nprocedure play\n    a0(first(players))\n    finish with winner players\n"
    )


@hostile(8, 12)
def rulesets_in_a_chain(n: int) -> Files:
    made: Files = {}
    for i in range(n):
        made |= {f"r{i}/{name}": text for name, text in ruleset(f"param b{i} = 1").items() if name != "ruleset.json"}
        head: dict[str, object] = {"name": f"r{i}", "title": f"R {i}", "rules": ["game.rules"]}
        if i < n - 1:
            head["extends"] = f"../r{i + 1}"
            made[f"r{i}/game.rules"] = f"param b{i} = 1\n"
        made[f"r{i}/ruleset.json"] = json.dumps(head)
    made["ruleset.json"] = json.dumps({"name": "hostile", "title": "Hostile", "rules": ["game.rules"], "extends": "r0"})
    made["game.rules"] = "param b = 1\n"
    return made


# ---------------------------------------------------------------------------------------- variants and players


@hostile(20, 100)
def variants_and_players(n: int) -> Files:
    return ruleset("param a = 1\n" + many('variant "v {i}" of hostile\n    set a = {j}', n), "1 to 64")


@hostile(10_000)
def variants(n: int) -> Files:
    return ruleset("param a = 1\n" + many('variant "v {i}" of hostile\n    set a = {j}', n))


@hostile(64)
def players_and_a_large_game(n: int) -> Files:
    """A large ruleset for every number of players."""
    rules = (
        "field a[Player]: Int = 0\nprocedure play\n" + "    each p in players where a[p] > 1\n        a[p] += 1\n" * 500
    )
    return ruleset(rules + "    finish with winner players\n", f"1 to {n}")


@hostile(2_000, 10_000)
def blocks_for_players(n: int) -> Files:
    return ruleset(many("with 3 players\n    set a{i} = 2", n) + many("param a{i} = 1", n), "2 to 4")


@hostile(1_900, 10_000)
def changes_of_one_thing(n: int) -> Files:
    """Blocks that all change the same query."""
    rules = "value v(n: Int) -> Int = n\n" + many("in v\n    m{i}: + 1", n)
    return ruleset(rules)


@hostile(1_000, 8_000)
def variants_that_replace(n: int) -> Files:
    rules = (
        many("query q{i}(n: Int) -> Int = n", n)
        + 'variant "other" of hostile\n'
        + many("    replace query q{i}(n: Int) -> Int = n + 1", n)
    )
    return ruleset(rules)


@hostile(2_000)
def large_base_and_variants(n: int) -> Files:
    """A large game with thirty variants for five numbers of players."""
    rules = (
        many("query q{i}(n: Int) -> Int = n + {i}", n)
        + "param a = 1\n"
        + many('variant "v {i}" of hostile\n    set a = {j}', 30)
    )
    return ruleset(rules, "2 to 6")


# ---------------------------------------------------------------------------------------------- long and deep


@hostile(1_700, 12_000)
def cases(n: int) -> Files:
    return ruleset("query v(n: Int) -> Int\n" + many("    {i} when n is {i}", n) + "    0 otherwise\n")


@hostile(3_400, 12_000)
def modifiers(n: int) -> Files:
    return ruleset("value v(n: Int) -> Int = n\n" + many("    m{i}: + 1", n))


@hostile(1_700, 12_000)
def branches(n: int) -> Files:
    rules = "field a: Int = 0\nprocedure play\n    if a is 0\n        a = 1\n" + many(
        "    else if a is {i}\n        a = {j}", n
    )
    return ruleset(rules + "    finish with winner players\n")


@hostile(1_700, 12_000)
def arms(n: int) -> Files:
    rules = "field a: 0..20000 = 0\nprocedure play\n    match a\n" + many("        {i}: a = {j}", n)
    return ruleset(rules + "        otherwise: a = 0\n    finish with winner players\n")


@hostile(400, 10_000)
def restrictions(n: int) -> Files:
    rules = "procedure a(p: Player)\n    p chooses n from {1 .. 3}\n" + many("        forbid f{i}: n is {i}", n)
    return ruleset(rules)


@hostile(300, 5_000)
def options_of_a_choice(n: int) -> Files:
    rules = "field a: Int = 0\nprocedure act(p: Player)\n    p chooses either as deed\n" + many(
        "        option o{i}: a += {i}", n
    )
    return ruleset(rules)


@hostile(500, 10_000)
def statements_of_a_procedure(n: int) -> Files:
    rules = "field a[Player]: Int = 0\nprocedure play\n" + many(
        "    if a[first(players)] > {i} then a[first(players)] = {i}", n
    )
    return ruleset(rules + "    finish with winner players\n", "2 to 6")


@hostile(500, 10_000)
def choices_of_a_procedure(n: int) -> Files:
    rules = "procedure play\n" + many("    first(players) chooses n{i} from {1 .. 3}", n)
    return ruleset(rules + "    finish with winner players\n", "2 to 6")


@hostile(300, 8_000)
def locals_of_a_procedure(n: int) -> Files:
    rules = "procedure play\n    var a0 = 1\n" + many("    var a{j} = a{i} + 1", n)
    return ruleset(rules + "    finish with winner players\n", "2 to 6")


@hostile(31, 3_000)
def nested_blocks(n: int) -> Files:
    rules = "field a: Int = 0\nprocedure play\n"
    for i in range(n):
        rules += " " * (i + 1) + "if a is 0\n"
    return ruleset(rules + " " * (n + 1) + "a = 1\n finish with winner players\n")


@hostile(32)
def nested_loops(n: int) -> Files:
    rules = "field a: Int = 0\nprocedure play\n"
    for i in range(n):
        rules += " " * (i + 1) + f"each p{i} in players\n"
    return ruleset(rules + " " * (n + 1) + "a += 1\n finish with winner players\n", "2 to 6")


@hostile(60, 10_000, 200_000)
def brackets(n: int) -> Files:
    return ruleset("query q(n: Int) -> Int = " + "(" * n + "n" + ")" * n)


@hostile(60, 200_000)
def open_brackets(n: int) -> Files:
    return ruleset("query q(n: Int) -> Int = " + "(" * n + "n")


@hostile(90, 1_000, 100_000)
def nots(n: int) -> Files:
    return ruleset("query q(n: Int) -> Bool = " + "not " * n + "n is 1")


@hostile(90, 1_400, 100_000)
def long_sum(n: int) -> Files:
    return ruleset("query q(n: Int) -> Int = n" + " + n" * n)


@hostile(60, 700, 100_000)
def long_condition(n: int) -> Files:
    return ruleset("query q(n: Int) -> Bool = n is 0" + "".join(f" or n is {i}" for i in range(n)))


@hostile(30, 1_000)
def conditionals(n: int) -> Files:
    return ruleset("query q(n: Int) -> Int = " + "".join(f"{i} if n is {i} else " for i in range(n)) + "0")


@hostile(20, 60)
def nested_folds(n: int) -> Files:
    text = "n"
    for i in range(n):
        text = f"sum({text} for p{i} in players)"
    return ruleset(f"query q(n: Int) -> Int = {text}", "2 to 6")


@hostile(400_000)
def long_line(n: int) -> Files:
    return ruleset("query q(n: Int) -> Int = " + "1 + " * (n // 4) + "n")


@hostile(450_000)
def long_string(n: int) -> Files:
    return ruleset(
        'piece Card from "cards.json"\n    named "' + "a" * n + '"', cards_json='{"rows": [{"count": 4000}]}'
    )


@hostile(20_000)
def parts_of_a_name(n: int) -> Files:
    return ruleset(
        'piece Card from "cards.json"\n    w: Int\n    named "' + "{w}" * n + '"',
        cards_json='{"rows": [{"w": 1, "count": 4000}]}',
    )


@hostile(450_000)
def long_comment(n: int) -> Files:
    return ruleset("# " + "a " * (n // 2))


@hostile(200_000)
def comments(n: int) -> Files:
    return ruleset("#\n" * n)


@hostile(100_000)
def suppressions(n: int) -> Files:
    return ruleset("# lint: ignore[REF014] because it is so\n" * (n // 10) + "param a = 1")


@hostile(490_000)
def blank_lines(n: int) -> Files:
    return ruleset("\n" * n)


# -------------------------------------------------------------------------------------------------- broken text


@hostile(400_000)
def strange_signs(n: int) -> Files:
    return ruleset("$" * n)


@hostile(400_000)
def quotes(n: int) -> Files:
    return ruleset('"' * n)


@hostile(400_000)
def quotes_on_lines(n: int) -> Files:
    return ruleset('"\n' * (n // 2))


@hostile(200_000)
def signs_on_a_line(n: int) -> Files:
    return ruleset("on " + "¬" * n)


@hostile(300_000)
def comparisons_on_a_line(n: int) -> Files:
    return ruleset("on " + "x == " * (n // 5))


@hostile(100_000)
def words(n: int) -> Files:
    return ruleset("foo bar baz\n" * (n // 3))


@hostile(400_000)
def keywords(n: int) -> Files:
    return ruleset("if then else where for " * (n // 24))


@hostile(400_000)
def keywords_on_lines(n: int) -> Files:
    return ruleset("forbid is in where\n" * (n // 19))


@hostile(2_990)
def clause_with_a_typo(n: int) -> Files:
    """A clause as long as may be, with a mistake at its end."""
    return ruleset("query q(n: Int) -> Int = " + "n + " * (n // 2 - 10) + "n n")


@hostile(200)
def clauses_with_a_typo(n: int) -> Files:
    """Long clauses with a mistake at the end of each."""
    return ruleset(many("query q{i}(n: Int) -> Int = " + "n + " * 500 + "n n", n))


@hostile(30_000)
def misspelt_lines(n: int) -> Files:
    return ruleset(many("qurey q{i}(n: Int) -> Int = n", n // 2))


@hostile(3_000)
def stairs(n: int) -> Files:
    """Lines that are indented further and further."""
    return ruleset("".join(" " * (i % 300) + "foo\n" for i in range(n)))


@hostile(400_000)
def signs_of_names(n: int) -> Files:
    """Text that nearly is a name or number, without end."""
    return ruleset("a_A1" * (n // 4) + "\n" + "1a" * 1000)


@hostile(400_000)
def dots(n: int) -> Files:
    return ruleset("query q(n: Int) -> Int = n" + ".a" * (n // 2))


@hostile(400_000)
def digits(n: int) -> Files:
    return ruleset("param a = " + "9" * n)


@hostile(8, 40)
def products(n: int) -> Files:
    return ruleset("param a0 = 1\n" + many("param a{j} = a{i} * 100000", n))


@hostile(1_000)
def huge_sets(n: int) -> Files:
    return ruleset(many("query q{i}() -> Int = size({0 .. 1000})", n))


@hostile(20)
def sets_of_sets(n: int) -> Files:
    """A constant that takes a thousand times a thousand steps to know."""
    rules = "param a = size({1 .. 1000})\n" + many(
        "param b{i} = count(x in {1 .. 1000}, y in {1 .. 1000}, z in {1 .. 1000} where x + y + z is {i})", n
    )
    return ruleset(rules)


@hostile(5)
def dice_of_a_thousand(n: int) -> Files:
    rules = "die D: 0 to 1000\nprocedure play\n" + many("    roll 32 D as a{i}", n)
    return ruleset(rules + "    finish with winner players\n")


@hostile(30)
def computed_columns(n: int) -> Files:
    """Columns that take much to compute, for thousands of pieces."""
    rules = (
        'piece Card from "cards.json"\n    w: Int\n'
        + many("    c{i}: Int = count(x in {1 .. 1000} where x > w)", n)
        + '    named "card {w}"\n'
    )
    return ruleset(rules, cards_json=json.dumps({"rows": [{"w": i} for i in range(4000)]}))


if __name__ == "__main__":  # python hostile_kinds.py KIND SIZE FOLDER
    write(Path(sys.argv[3]), HOSTILE[sys.argv[1]][0](int(sys.argv[2])))
