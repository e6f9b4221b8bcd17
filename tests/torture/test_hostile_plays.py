"""Programs that could take long although they spend little stop at the same place on both engines.

Nothing is timed here: ``hostile_plays.py`` does that.
"""

from __future__ import annotations

from pathlib import Path

import hostile_plays as hostile
import pytest

import rulewright as rw

DOUBLING = (
    "x + n",
    "count(c in Cell where c.row > n + x)",
    "size(seen) + (n after mark(first(Cell)))",
    "size(reach(from first(Cell) within marked)) + n",
)
"""The first of forty queries, each of which asks the one before it twice."""


@pytest.mark.parametrize("first", DOUBLING)
@pytest.mark.parametrize("last", [4, 40])
def test_calls_are_paid_for_whoever_answers_them(tmp_path: Path, first: str, last: int) -> None:
    """A query that is written where it is called, kept, or asked again."""
    queries = [f"query q0(n: Int) -> Int = {first}"]
    queries += [f"query q{i + 1}(n: Int) -> Int = (q{i}(n) - q{i}(n + 1)) mod 100" for i in range(last)]
    rules = hostile.HEAD + "".join(f"{query}\n" for query in queries)
    rules += f"procedure play\n    x = q{last}(1)\n    finish with winner players\n"
    found = {hostile.ends(tmp_path / "game", rules, engine, 100_000)[0] for engine in hostile.ENGINES}
    assert len(found) == 1
    assert ("RUN006" in found.pop()) == (last == 40)


def test_what_is_kept_costs_the_same_again(tmp_path: Path) -> None:
    """Also on the engine that keeps it, and with all passes or none."""
    flood = "query far(n: Int) -> Int = count(c in Cell where size(reach(from c within marked)) + c.row > n)\n"
    rules = hostile.HEAD + flood + "procedure play\n    x = far(1) + far(1)\n    x = far(1)\n"
    rules += "    first(players) chooses k from {1 .. 3}\n    finish with winner players\n"
    hostile.ends(tmp_path / "game", rules, "python", 1)
    spent = set()
    for engine in hostile.ENGINES:
        for passes in ("all", "none"):
            stepper = rw.load(tmp_path / "game", engine=engine, passes=passes).stepper(1)
            spent.add(stepper.spent)
    assert len(spent) == 1
    assert 3 * 144 * 144 // 32 < spent.pop() < 100_000


@pytest.mark.parametrize("seed", range(6))
def test_drawn_programs_stop_at_the_same_place(tmp_path: Path, seed: int) -> None:
    rules = hostile.Drawn(seed).rules
    found = {hostile.ends(tmp_path / "game", rules, engine, 20_000)[0] for engine in hostile.ENGINES}
    assert len(found) == 1
    assert "RUN006" in found.pop()
