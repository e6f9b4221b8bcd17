"""Random expressions, written as rules and asked, against the same meaning written in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import pytest
from language_helpers import load, play

from closed_words import words_of
from rulewright.compiler.tree_walk import nodes
from rulewright.syntax import ast, parse_expression

Env = dict[str, Any]
Meaning = Callable[[Env], Any]
Made = tuple[str, Meaning]

OF_SETS = {"+": frozenset.union, "except": frozenset.difference, "intersect": frozenset.intersection}


GOODS = ("wood", "brick", "wool")
PRICE = {"wood": 2, "brick": 0, "wool": 3}


def tallied(entries: Iterable[tuple[str, int | None]]) -> dict[str, int]:
    """The sum of what is said of each good; none adds nothing."""
    found = dict.fromkeys(GOODS, 0)
    for good, amount in entries:
        found[good] += amount or 0
    return found


class Maker:
    """Makes expressions of a type, as text and as a Python function."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.names = ["a", "b"]
        self.goods: list[str] = []
        self.fresh = 0

    def any_of(self, *ways: Callable[[], Made]) -> Made:
        return self.random.choice(ways)()

    def binder(self) -> str:
        self.fresh += 1
        return f"k{self.fresh}"

    # Numbers, some of which are none.

    def leaf(self) -> Made:
        if self.random.random() < 0.6:
            name = self.random.choice(self.names)
            return name, lambda e: e[name]
        value = self.random.randint(0, 9)
        return str(value), lambda e: value

    def number(self, depth: int) -> Made:
        if depth == 0:
            return self.leaf()
        return self.any_of(
            self.leaf,
            lambda: self.arithmetic(depth),
            lambda: self.either(self.number, depth),
            lambda: self.folded(depth),
            lambda: self.counted(depth),
            lambda: self.written_out(depth),
            lambda: self.instead(depth),
            lambda: self.of_tally(depth),
        )

    def instead(self, depth: int) -> Made:
        """A number where another one is none."""
        left, right = self.number(depth - 1), self.number(depth - 1)

        def meaning(e: Env) -> Any:
            found = left[1](e)
            return right[1](e) if found is None or e["a"] is None else e["a"] + found

        return f"(a + {left[0]} or else {right[0]})", meaning

    def arithmetic(self, depth: int) -> Made:
        op = self.random.choice(["+", "-", "*", "up", "down", "mod"])
        if op in ("up", "down", "mod"):
            left, by = self.number(depth - 1), self.random.choice([-3, -1, 2, 5])

            def divided(e: Env) -> Any:
                value = left[1](e)
                if value is None:
                    return None
                return -(-value // by) if op == "up" else value // by if op == "down" else value % by

            text = f"{left[0]} mod {by}" if op == "mod" else f"{left[0]} / {by} rounded {op}"
            return f"({text})", divided
        left, right = (self.leaf(), self.leaf()) if op == "*" else (self.number(depth - 1), self.number(depth - 1))

        def meaning(e: Env) -> Any:
            x, y = left[1](e), right[1](e)
            return None if x is None or y is None else x + y if op == "+" else x - y if op == "-" else x * y

        return f"({left[0]} {op} {right[0]})", meaning

    def either(self, kind: Callable[[int], Made], depth: int) -> Made:
        then, other, test = kind(depth - 1), kind(depth - 1), self.truth(depth - 1)
        return (
            f"({then[0]} if {test[0]} else {other[0]})",
            lambda e: then[1](e) if test[1](e) else other[1](e),
        )

    def bound(self, depth: int) -> tuple[str, str, Meaning]:
        """A binder: its name, its text, and for an environment those in which it is bound."""
        source = self.any_of(lambda: self.group(depth - 1), lambda: self.listing(depth - 1))
        name = self.binder()
        self.names.append(name)
        test = self.truth(depth - 1) if self.random.random() < 0.5 else None
        text = f"{name} in {source[0]}" + (f" where {test[0]}" if test is not None else "")

        def envs(e: Env) -> list[Env]:
            held = source[1](e)
            members = sorted(held) if isinstance(held, frozenset) else held
            inner = [{**e, name: member} for member in members]
            return [i for i in inner if test is None or test[1](i)]

        return name, text, envs

    def sources(self, depth: int) -> tuple[str, Meaning, Callable[[], None]]:
        """One binder or two, each with a condition of its own: their text, the environments in which they are bound,
        and what makes their names unknown again."""
        bounds = [self.bound(depth) for _ in range(self.random.choice([1, 1, 2]))]

        def envs(e: Env) -> list[Env]:
            found = [e]
            for _, _, inner in bounds:
                found = [i for one in found for i in inner(one)]
            return found

        def forgotten() -> None:
            for name, _, _ in bounds:
                self.names.remove(name)

        return ", ".join(text for _, text, _ in bounds), envs, forgotten

    def folded(self, depth: int) -> Made:
        kind = self.random.choice(["sum", "max", "min"])
        text, envs, forget = self.sources(depth)
        body = self.number(depth - 1)
        forget()

        def meaning(e: Env) -> Any:
            values = [v for i in envs(e) if (v := body[1](i)) is not None]
            return sum(values) if kind == "sum" else (max if kind == "max" else min)(values, default=None)

        return f"{kind}({body[0]} for {text})", meaning

    def counted(self, depth: int) -> Made:
        kind = self.random.choice(["count", "first", "last", "single"])
        name, text, envs = self.bound(depth)
        self.names.remove(name)

        def meaning(e: Env) -> Any:
            found = [i[name] for i in envs(e)]
            if kind == "count":
                return len(found)
            only = len(set(found)) == 1 if kind == "single" else bool(found)
            return (found[-1] if kind == "last" else found[0]) if only else None

        return f"{kind}({text})", meaning

    def written_out(self, depth: int) -> Made:
        kind = self.random.choice(["min", "max"])
        items = [self.number(depth - 1) for _ in range(self.random.randint(1, 3))]

        def meaning(e: Env) -> Any:
            values = [item[1](e) for item in items]
            return None if None in values else (min if kind == "min" else max)(values)

        return f"{kind}({{{', '.join(item[0] for item in items)}}})", meaning

    # Sets and lists of numbers from 0 to 20.

    def small(self, depth: int) -> Made:
        text, meaning = self.number(depth)

        def held(e: Env) -> Any:
            value = meaning(e)
            return None if value is None else min(max(value, 0), 20)

        return f"min({{max({{{text}, 0}}), 20}})", held

    def group(self, depth: int) -> Made:
        if depth <= 0:
            low, high = sorted(self.random.randint(0, 8) for _ in "ab")
            return f"{{{low} .. {high}}}", lambda e: frozenset(range(low, high + 1))
        return self.any_of(
            lambda: self.written_set(depth),
            lambda: self.joined(depth),
            lambda: self.filtered(depth),
            lambda: self.either(self.group, depth),
        )

    def written_set(self, depth: int) -> Made:
        items = [self.small(depth - 1) for _ in range(self.random.randint(1, 3))]
        return (
            f"{{{', '.join(item[0] for item in items)}}}",
            lambda e: frozenset(v for item in items if (v := item[1](e)) is not None),
        )

    def joined(self, depth: int) -> Made:
        left, right, op = self.group(depth - 1), self.group(depth - 1), self.random.choice(list(OF_SETS))
        return f"({left[0]} {op} {right[0]})", lambda e: OF_SETS[op](left[1](e), right[1](e))

    def filtered(self, depth: int) -> Made:
        text, envs, forget = self.sources(depth)
        element = self.small(depth - 1)
        forget()
        return (
            f"{{{element[0]} for {text}}}",
            lambda e: frozenset(v for i in envs(e) if (v := element[1](i)) is not None),
        )

    def listing(self, depth: int) -> Made:
        if depth <= 0 or self.random.random() < 0.4:
            values = [self.random.randint(0, 9) for _ in range(self.random.randint(1, 5))]
            return str(values), lambda e: values
        if self.random.random() < 0.5:
            return self.any_of(lambda: self.collected(depth), lambda: self.appended(depth))
        name, text, envs = self.bound(depth)
        key = self.number(depth - 1)
        self.names.remove(name)

        def meaning(e: Env) -> Any:
            keyed = [(key[1](i), i[name]) for i in envs(e)]
            return [member for value, member in sorted(keyed, key=lambda k: (k[0] is None, k[0] or 0))]

        return f"sorted({text} by {key[0]})", meaning

    def collected(self, depth: int) -> Made:
        text, envs, forget = self.sources(depth)
        element = self.small(depth - 1)
        forget()
        return (
            f"[{element[0]} for {text}]",
            lambda e: [v for i in envs(e) if (v := element[1](i)) is not None],
        )

    def appended(self, depth: int) -> Made:
        left, right = self.listing(depth - 1), self.listing(depth - 1)
        return f"({left[0]} + {right[0]})", lambda e: [*left[1](e), *right[1](e)]

    # A number for each value of an enum; none of all keys at once.

    def tally(self, depth: int) -> Made:
        if depth <= 0:
            return self.any_of(
                lambda: ("price", lambda e: PRICE), lambda: ("{wool: 1}", lambda e: tallied([("wool", 1)]))
            )
        return self.any_of(
            lambda: self.written_tally(depth),
            lambda: self.tally_for(depth),
            lambda: self.computed_tally(depth),
            lambda: self.either(self.tally, depth),
        )

    def key(self) -> Made:
        if self.goods and self.random.random() < 0.5:
            name = self.random.choice(self.goods)
            return name, lambda e: e[name]
        good = self.random.choice(GOODS)
        return good, lambda e: good

    def written_tally(self, depth: int) -> Made:
        keys = {key[0]: key for key in (self.key() for _ in range(3))}
        entries = [(key, self.number(depth - 1)) for key in keys.values()]
        written = ", ".join(f"{key[0]}: {value[0]}" for key, value in entries)
        return f"{{{written}}}", lambda e: tallied((key[1](e), value[1](e)) for key, value in entries)

    def tally_for(self, depth: int) -> Made:
        good = f"g{self.binder()}"
        self.goods.append(good)
        if self.random.random() < 0.5:
            others, inner, forget = self.sources(depth - 1)
            key, value = self.key(), self.number(depth - 1)
            forget()
            text = f"{good} in Good, {others}"
        else:
            key, value, test = self.key(), self.number(depth - 1), self.truth(depth - 1)
            text = f"{good} in Good where {test[0]}"

            def inner(e: Env) -> Any:
                return [e] if test[1](e) else []

        self.goods.remove(good)
        return f"{{{key[0]}: {value[0]} for {text}}}", lambda e: tallied(
            (key[1](i), value[1](i)) for one in GOODS for i in inner({**e, good: one})
        )

    def computed_tally(self, depth: int) -> Made:
        op = self.random.choice(["+", "-", "*", "up", "down", "sum"])
        tally = self.tally(depth - 1)
        if op == "sum":
            name, text, envs = self.bound(depth - 1)
            tally = self.tally(depth - 1)
            self.names.remove(name)

            def added(e: Env) -> Any:
                return tallied(pair for i in envs(e) for pair in tally[1](i).items())

            return f"sum({tally[0]} for {text})", added
        if op in ("+", "-"):
            other = self.tally(depth - 1)

            def both(e: Env) -> Any:
                x, y = tally[1](e), other[1](e)
                missing = None in x.values() or None in y.values()
                return {g: None if missing else x[g] + y[g] if op == "+" else x[g] - y[g] for g in GOODS}

            return f"({tally[0]} {op} {other[0]})", both
        by = self.leaf() if op == "*" else (str(2), lambda e: 2)

        def scaled(e: Env) -> Any:
            x, n = tally[1](e), by[1](e)
            if n is None or None in x.values():
                return dict.fromkeys(GOODS)
            return {g: x[g] * n if op == "*" else -(-x[g] // n) if op == "up" else x[g] // n for g in GOODS}

        return f"({by[0]} * {tally[0]})" if op == "*" else f"({tally[0]} / 2 rounded {op})", scaled

    def of_tally(self, depth: int) -> Made:
        tally, key, kind = self.tally(depth - 1), self.key(), self.random.choice(["at", "sum", "max", "min"])
        if kind == "at":
            return f"({tally[0]})[{key[0]}]", lambda e: tally[1](e)[key[1](e)]

        def meaning(e: Env) -> Any:
            values = [v for v in tally[1](e).values() if v is not None]
            return sum(values) if kind == "sum" else (max if kind == "max" else min)(values, default=None)

        return f"{kind}({tally[0]})", meaning

    def tallies_compared(self, depth: int) -> Made:
        left, right, op = self.tally(depth - 1), self.tally(depth - 1), self.random.choice([">=", "<=", "is", "is not"])

        def meaning(e: Env) -> Any:
            pairs = list(zip(left[1](e).values(), right[1](e).values(), strict=True))
            there = not any(None in pair for pair in pairs)
            if op in (">=", "<="):
                return there and all(x >= y if op == ">=" else x <= y for x, y in pairs)
            return (there and all(x == y for x, y in pairs)) is (op == "is")

        return f"({left[0]} {op} {right[0]})", meaning

    # Conditions.

    def truth(self, depth: int) -> Made:
        if depth <= 0:
            return self.compared(0)
        return self.any_of(
            lambda: self.compared(depth),
            lambda: self.logic(depth),
            lambda: self.member(depth),
            lambda: self.quantified(depth),
            lambda: self.nothing(depth),
            lambda: self.tallies_compared(depth),
        )

    def compared(self, depth: int) -> Made:
        left, right = self.number(max(depth - 1, 0)), self.number(max(depth - 1, 0))
        op = self.random.choice(["is", "is not", "<", "<=", ">", ">="])

        def meaning(e: Env) -> Any:
            x, y = left[1](e), right[1](e)
            if x is None and y is None:
                return False
            if op in ("is", "is not"):
                return (x == y) is (op == "is")
            if x is None or y is None:
                return False
            return {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]

        return f"({left[0]} {op} {right[0]})", meaning

    def logic(self, depth: int) -> Made:
        left, right = self.truth(depth - 1), self.truth(depth - 1)
        op = self.random.choice(["and", "or", "not"])
        if op == "not":
            return f"(not {left[0]})", lambda e: not left[1](e)
        return (
            f"({left[0]} {op} {right[0]})",
            lambda e: (left[1](e) and right[1](e)) if op == "and" else (left[1](e) or right[1](e)),
        )

    def member(self, depth: int) -> Made:
        item = self.number(depth - 1)
        held = self.any_of(lambda: self.group(depth - 1), lambda: self.listing(depth - 1))
        op = self.random.choice(["in", "not in"])
        return f"({item[0]} {op} {held[0]})", lambda e: (item[1](e) in held[1](e)) is (op == "in")

    def quantified(self, depth: int) -> Made:
        kind = self.random.choice(["some", "no", "every"])
        name, text, envs = self.bound(depth)
        has = self.truth(depth - 1)
        self.names.remove(name)
        if kind == "every":
            return f"every({text} has {has[0]})", lambda e: all(has[1](i) for i in envs(e))
        return f"{kind}({text})", lambda e: bool(envs(e)) is (kind == "some")

    def nothing(self, depth: int) -> Made:
        asked, op = self.arithmetic(depth - 1 if depth > 1 else 1), self.random.choice(["is", "is not"])
        return f"({asked[0]} + a {op} none)", lambda e: (asked[1](e) is None or e["a"] is None) is (op == "is")


@pytest.mark.parametrize("seed", range(4))
def test_expressions_mean_what_python_says(seed: int, tmp_path: Path) -> None:
    maker = Maker(seed)
    makers = [
        (maker.number, "Int or none"), (maker.truth, "Bool"), (maker.group, "set of Int"), (maker.tally, "Int[Good]")
    ]  # fmt: skip
    rules, meanings = ["enum Good: wood, brick, wool", "param price[Good] = {wood: 2, wool: 3}"], []
    for number in range(120):
        make, type = makers[number % 4]
        text, meaning = make(3)
        rules.append(f"query q{number}(a: Int or none, b: Int or none) -> {type} = {text}")
        meanings.append(meaning)
    rules.append("procedure play\n    first(players) chooses n from {1 .. 2}\n    finish with winner players\n")
    state = load(tmp_path, "\n".join(rules)).start()
    for a, b in ((0, 3), (4, 1), (-2, 7), (None, 5)):
        for number, meaning in enumerate(meanings):
            keys = ["none" if key is None else key for key in (a, b)]
            found = state.ask(f"q{number}", *keys)
            expected = meaning({"a": a, "b": b})
            if number % 4 == 2:
                found, expected = sorted(map(int, found)), sorted(expected)
            if number % 4 == 3 and None in expected.values():
                expected = {}
            assert found == expected, f"{rules[number + 2]}\nwith {a}, {b}"


@pytest.mark.parametrize("seed", range(3))
def test_areas_reach_and_distance_are_those_of_the_graph(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    rows, columns = random.randint(2, 5), random.randint(2, 5)
    grid = nx.grid_2d_graph(rows, columns)
    walls = {edge for edge in grid.edges if random.random() < 0.5}
    closed = {cell for cell in grid.nodes if random.random() < 0.2}
    built = "\n".join(f"    walled[{a}|{b}] = true" for a, b in sorted(walls))
    game = load(
        tmp_path,
        f"""
place Cell
edge Border
map Board: grid {rows} by {columns} of Cell, edges Border
field walled[Border]: Bool = false
area Land of Cell, joined across b where not walled[b]
query part(c: Cell) -> set of Cell = land(c)
query open_(c: Cell) -> set of Cell = reach(from c within Cell except {{{", ".join(map(str, sorted(closed)))}}}
    across b where not walled[b])
query steps(a: Cell, b: Cell) -> Int = distance(a, b)
query beside(c: Cell) -> set of Cell = c.neighbours
query bordered(c: Cell) -> Int = size(c.borders)
procedure play
{built or "    let nothing = 0"}
    first(players) chooses n from {{1 .. 2}}
    finish with winner players
""",
    )
    state = game.start()
    open_graph = nx.Graph(grid)
    open_graph.remove_edges_from(walls)
    for cell in grid.nodes:
        assert set(state.ask("part", str(cell))) == {str(c) for c in nx.node_connected_component(open_graph, cell)}
        passable = open_graph.subgraph(set(grid.nodes) - closed | {cell})
        assert set(state.ask("open_", str(cell))) == {str(c) for c in nx.node_connected_component(passable, cell)}
        assert set(state.ask("beside", str(cell))) == {str(c) for c in grid[cell]}
        assert state.ask("bordered", str(cell)) == grid.degree[cell]
        lengths = nx.single_source_shortest_path_length(grid, cell)
        assert {other: state.ask("steps", str(cell), str(other)) for other in grid.nodes} == lengths


@pytest.mark.parametrize("seed", range(3))
def test_merged_regions_are_those_of_a_union(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    size = random.randint(3, 9)
    game = load(
        tmp_path,
        f"""
place Cell
map Circle: ring of {size} Cell
merged Region of Cell
query cells(c: Cell) -> set of Cell = places(region(c))
query beside(c: Cell) -> Int = size(region(c).neighbours)
query regions() -> Int = size(Region)
query next_(c: Cell, n: Int) -> set of Cell = places(ahead(region(c), n))
procedure play
    repeat until size(Region) is 1
        first(players) chooses a from Region
        first(players) chooses b from a.neighbours
        merge a with b
    finish with winner players
""",
    )
    state = game.start()
    together = nx.Graph()
    together.add_nodes_from(range(1, size + 1))
    while (decision := state.decision) is not None:
        parts = list(nx.connected_components(together))
        assert state.ask("regions") == len(parts)
        for part in parts:
            for cell in part:
                assert {int(key) for key in state.ask("cells", str(cell))} == part
                around = {(c + d - 1) % size + 1 for c in part for d in (-1, 1)} - part
                assert state.ask("beside", str(cell)) == sum(1 for other in parts if other & around)
                at = cell
                while at % size + 1 in part and len(part) < size:
                    at = at % size + 1
                following = next(p for p in parts if at % size + 1 in p)
                assert {int(key) for key in state.ask("next_", str(cell), 1)} == following
        one = random.choice(decision.options).key
        state = play(state, one)
        assert state.decision is not None
        other = random.choice(state.decision.options).key
        state = play(state, other)
        together.add_edge(int(one), int(other))


LEFT_OUT = {"|"}
"""Expressions of numbers and truths have no places."""


def test_each_operator_is_drawn() -> None:
    drawn = set()
    for seed in range(20):
        maker = Maker(seed)
        for make in (maker.number, maker.truth, maker.group):
            drawn |= {node.op for node in nodes(parse_expression(make(3)[0])) if isinstance(node, ast.Binary)}
    assert set(words_of(ast.Binary, "op")) - drawn == LEFT_OUT
