"""Programs that are made to take long although they spend little, drawn by a generator: whatever they do, the budget of
an answer must end it, at the same place on both engines.

    python tests/torture/hostile_plays.py                   fifty programs
    python tests/torture/hostile_plays.py --games 500 --seed 7
    python tests/torture/hostile_plays.py --show 7          one of them

Each program asks a query without end. Told is the processor time in which a budget is spent, as a ratio to that of a
plain loop on the same engine. Exit code 1 if a ratio is above the limit, or if the engines end otherwise.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Literal

import rulewright as rw

ENGINES: tuple[Literal["python", "native"], ...] = ("python", "native")
LIMIT = 20.0
"""A budget takes so many times as long as one that is spent by a plain loop, at most."""
PLAIN = "x = (x + 1) mod 1000"
HEAD = """\
game hostile
players 2
place Cell
edge Border
map Board: grid 12 by 12 of Cell, edges Border
field x: Int = 0
field man[Cell]: Player or none
field shut[Border]: Bool = false
field seen: list of Int, at most 400
field marked: set of Cell
field tags: set of Int
area Yard of Cell, joined across b where not shut[b]
effect mark(c: Cell)
    man[c] = first(players)
    marked += c
"""
_NUMBERS = ("x", "n", "size(seen)", "size(marked)", "size(tags)", "3")
_CONDITIONS = (
    "c.row * n > x", "man[c] is none", "c in marked", "n in seen", "man[c] is first(players)",
    "size(reach(from c within marked)) > n", "size(c.neighbours) > n", "n in tags",
)  # fmt: skip


class Drawn:
    """One program: queries, each of which asks those before it in some way, and a deed that asks the last one."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self.queries = [f"query q0(n: Int) -> Int = {self._number('')}"]
        for level in range(1, self._draw.randint(1, 30)):
            self.queries.append(f"query q{level}(n: Int) -> Int = {self._number(f'q{level - 1}')}")
        self.deed = f"x = q{len(self.queries) - 1}(x)"

    @property
    def rules(self) -> str:
        """Its text."""
        return _with(self.deed, self.queries)

    def _number(self, asked: str) -> str:
        """A number that is worked out with some calls of a query before it."""
        one, other = ((f"{asked}({n})" if asked else self._draw.choice(_NUMBERS)) for n in self._arguments())
        where = self._draw.choice(_CONDITIONS)
        ways = (
            f"({one} - {other}) mod 1000",
            f"({one} + {other}) mod 1000 if {other} > {self._draw.randrange(9)} else {one}",
            f"count(c in Cell where {where} and {one} >= {other})",
            f"sum({one} mod 7 for c in Cell where {where})",
            f"count(c in Cell, d in Cell, e in Cell where c.row * d.row > e.row * {one})",
            f"size({{c in Cell where {where}}}) + {one}",
            f"size({{c.neighbours for c in Cell where {where}}}) + {other}",
            f"max({one} for c in marked where {where}) or else {other}",
            f"count(k in {{0 .. 900}} where k in tags or k * {one} > {other})",
            f"({one} + size(marked)) mod 1000 after mark(first(Cell))",
            f"count(c in Cell where size(marked) > {one} after mark(c))",
        )
        return self._draw.choice(ways)

    def _arguments(self) -> tuple[str, str]:
        ways = ("n", "n + 1", "n * 2 mod 1000", "x")
        return self._draw.choice(ways), self._draw.choice(ways)


def _with(deed: str, queries: list[str]) -> str:
    body = f"procedure play\n    repeat while x >= 0 - 1\n        {deed}\n    finish with winner players\n"
    return HEAD + "".join(f"{query}\n" for query in queries) + body


def ends(folder: Path, rules: str, engine: Literal["python", "native"], steps: int) -> tuple[str, float]:
    """The end of the only game that rules play, and the processor time that it took, without the time to compile."""
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.json").write_text(json.dumps({"name": "hostile", "title": "Hostile", "rules": ["game.rules"]}))
    (folder / "game.rules").write_text(rules)
    game = rw.load(folder, engine=engine)
    took = float("inf")
    end = ""
    for _ in range(2):
        begun = time.process_time()
        try:
            end = f"{game.playout(1, limits=rw.Limits(steps=steps)).places}"
        except rw.RulesetError as error:
            first = error.diagnostics[0]
            end = f"{first.code} {first.message}"
        took = min(took, time.process_time() - begun)
    return end, took


def main() -> int:
    """Draw programs, and tell those that take too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="how many programs")
    parser.add_argument("--seed", type=int, default=0, help="the first one")
    parser.add_argument("--steps", type=int, default=200_000, help="the budget of each")
    parser.add_argument("--show", type=int, help="print the program of a seed")
    asked = parser.parse_args()
    if asked.show is not None:
        print(Drawn(asked.show).rules)
        return 0
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain = {engine: ends(folder / "plain", _with(PLAIN, []), engine, asked.steps)[1] for engine in ENGINES}
        for seed in range(asked.seed, asked.seed + asked.games):
            try:
                found = {e: ends(folder / f"{seed}", Drawn(seed).rules, e, asked.steps) for e in ENGINES}
            except rw.RulesetError as error:
                print(f"{seed:6} is no game: {error.diagnostics[0].message}", flush=True)
                bad += 1
                continue
            ratios = {engine: took / plain[engine] for engine, (_, took) in found.items()}
            same = len({end for end, _ in found.values()}) == 1
            bad += not same or max(ratios.values()) > LIMIT
            told = " ".join(f"{engine} {ratio:6.2f}" for engine, ratio in ratios.items())
            print(f"{seed:6} {told}  {'' if same else 'OTHERWISE '}{found['python'][0][:80]}", flush=True)
    print(f"{bad} of them are too much" if bad else "all within the limits")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
