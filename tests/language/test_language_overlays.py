"""Overlays leave the rules beneath them as they are, and compiling always makes the same program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from language_helpers import load, play, write

import rulewright as rw
from rulewright.compiler import compile_program, player_counts, sources
from rulewright.ir.codec import to_json
from sampling import sample, thorough

ROOT = Path(__file__).parents[2]
HARD = sorted(path.parent for path in (ROOT / "tests" / "language" / "hard").glob("*/ruleset.json"))
SHIPPED = sorted(path.parent for path in (ROOT / "rulesets").glob("*/ruleset.json"))
LARGE = [folder for folder in SHIPPED if sum(path.stat().st_size for path in folder.glob("*.rules")) > 50_000]
"""They take long, and have no change that others do not have."""

RULES = """
players 2 to 3
enum Metal: gold, silver
param goal = 3
field gold_of[Player]: 0.. = 0
with 3 players
    set goal = 4
    remove turn.low
procedure play
    repeat
        each p in players
            turn(p)
procedure turn(p: Player)
    p chooses n from {1 .. 3}
        forbid low: n < 2
    step take
        gold_of[p] += worth(n)
value worth(n: Int) -> Int = n
    more: + 1
end rich for p in players when gold_of[p] > goal
    finish with winner p
variant "Long" of example
    set goal = 9
    replace worth.more: 2
    in turn.n
        forbid high: n > 2
    after turn.take
        gold_of[p] += 1
    add param extra = 3
variant "Short" of example
    replace rich.when: gold_of[p] > 1
    replace turn.take
        gold_of[p] += 5
    before turn
        step pause
            if goal > 100 then stop pause
"""


def compiled(source: object, *titles: str, players: int = 2) -> str:
    program, found = compile_program(source, players, titles)  # type: ignore[arg-type]
    assert program is not None, found
    return str(to_json(program))


def test_the_base_is_left_as_it_is(tmp_path: Path) -> None:
    source = sources(rw.open_ruleset(write(tmp_path, RULES)))
    base = {players: compiled(source, players=players) for players in (2, 3)}
    long = compiled(source, "Long")
    chained = compiled(source, "Long", "Short")
    assert len({base[2], base[3], long, compiled(source, "Short"), chained}) == 5
    for players in (3, 2):
        assert compiled(source, players=players) == base[players]
    assert compiled(source, "Long") == long
    assert compiled(source, "Long", "Short") == chained
    assert compiled(sources(rw.open_ruleset(tmp_path))) == base[2]


def test_overlays_are_played(tmp_path: Path) -> None:
    def keys(state: rw.State) -> list[str]:
        assert state.decision is not None
        return [option.key for option in state.decision.options]

    base = load(tmp_path, RULES)
    assert keys(base.start()) == ["2", "3"]
    assert keys(load(tmp_path, RULES, players=3).start()) == ["1", "2", "3"]
    long = load(tmp_path, RULES, variants=["Long"])
    state = long.start()
    assert keys(state) == ["2"]
    assert [reason.label for reason in state.why_not("3").reasons] == ["turn.high"]
    state = play(state, "2", "2", "2")
    assert state.result is not None
    assert state.result.winners == ("player_1",)
    short = load(tmp_path, RULES, variants=["Long", "Short"]).start().choose("2")
    assert short.result is not None
    assert short.result.rule == "rich"


@pytest.mark.parametrize(
    "folder",
    [pytest.param(f, id=f.name, marks=[thorough] if f in LARGE else []) for f in (*SHIPPED, *HARD)],
)
def test_variants_leave_the_base_as_it_is(folder: Path) -> None:
    source = sources(rw.open_ruleset(folder))
    counts = player_counts(source.rules)
    base = compiled(source, players=counts[0])
    for title in source.variants:
        assert compile_program(source, counts[0], (title,))[0] is not None
    assert compile_program(source, counts[-1], ())[0] is not None
    assert compiled(source, players=counts[0]) == base


def test_the_same_program_whatever_the_hash_seed(tmp_path: Path) -> None:
    write(tmp_path, RULES)
    script = """
import hashlib, json, sys
import rulewright as rw
from rulewright.compiler import compile_program, sources
from rulewright.ir.codec import to_json
checked, *folders = sys.argv[1:]
for number, folder in enumerate(folders):
    ruleset = rw.open_ruleset(folder)
    source = sources(ruleset)
    if number < int(checked):
        print(folder, *rw.check(ruleset))
    for titles in ((), *((title,) for title in source.variants)):
        program, found = compile_program(source, None, titles)
        text = json.dumps(to_json(program), sort_keys=False) + str([str(d) for d in found])
        print(folder, titles, hashlib.sha256(text.encode()).hexdigest())
"""
    hard = ROOT / "tests" / "language" / "hard"
    folders = [tmp_path, hard / "carolus-magnus", hard / "kings-and-things"]
    checked = sample(2, len(folders))
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script, str(checked), *map(str, folders)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
