"""Statements that a fix joins play as they did one after the other, whatever they read of what they set."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from language_helpers import write

import rulewright as rw
from sampling import sample

HEAD = """\
game joined
players 2

place Cell
map Board: grid 2 by 2 of Cell
field man[Cell]: Player or none
field mark[Cell]: Player or none
field bare: Int = 0
param never = 9

query stands(c: Cell) -> Player or none = man[c]
query free(p: Player) -> Cell = first(c in Cell where man[c] is not p)

end lost for p in players when bare is never and no(c in Cell where man[c] is p and mark[c] is p)
    finish with winner p.left

procedure play
    each p in players
        turn(p)
    finish with winner players

procedure turn(p: Player)
    man[(0, 0)] = p
    mark[(1, 1)] = p.left
"""

PLACES = ["(0, 0)", "(1, 1)", "(0, 1)", "free(p)", "first(c in Cell where man[c] is none)"]
VALUES = ["none", "p", "p.left", "man[(0, 0)]", "man[(1, 1)]", "mark[(1, 1)]", "stands((0, 0))", "stands(free(p))",
          "p if man[(0, 0)] is p else none"]  # fmt: skip
STATEMENTS = st.builds(
    "{}[{}] = {}".format,
    st.sampled_from(["man", "man", "man", "mark"]),
    st.sampled_from(PLACES),
    st.sampled_from(["none", "none", "none", *VALUES]),
)


def fixed(lines: list[str], folder: Path) -> tuple[rw.Ruleset, str | None]:
    """A ruleset with these statements in its turn, and the text after its fixes, if there are any."""
    ruleset = rw.open_ruleset(write(folder, HEAD + "".join(f"    {line}\n" for line in lines)))
    made = rw.fix(ruleset, unsafe=True, wanted=lambda finding: finding.code == "CTL128")
    return ruleset, next((after for _, after in made.texts.values()), None)


def played(ruleset: rw.Ruleset | Path) -> str:
    """Everything that is to be seen at the end, or the error that ends it."""
    try:
        return json.dumps(rw.load(ruleset).start(1).view(None))
    except rw.RulesetError as error:
        return error.diagnostics[0].code


@given(st.lists(STATEMENTS, min_size=2, max_size=4))
@settings(max_examples=sample(40, 1_000), deadline=None)
def test_joined_statements_play_as_before(lines: list[str]) -> None:
    with TemporaryDirectory() as folder:
        ruleset, after = fixed(lines, Path(folder))
        if after is None:
            return
        before = played(ruleset)
        (Path(folder) / "game.rules").write_text(after, "utf-8")
        assert played(Path(folder)) == before, after


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["man[(0, 0)] = none", "man[(1, 1)] = p"], True),
        (["man[(0, 0)] = none", "man[(1, 1)] = mark[(1, 1)]"], True),
        (["man[(0, 0)] = none", "man[free(p)] = p"], False),  # where it is set
        (["man[(0, 0)] = none", "man[(1, 1)] = stands((0, 1))"], False),  # what a query reads
        (["man[(1, 1)] = man[(0, 0)]", "man[(0, 0)] = none"], True),
        (["man[(0, 1)] = none", "man[(1, 1)] = man[(0, 0)]", "man[(0, 0)] = none"], True),  # only the last two
    ],
)
def test_what_is_read_is_not_joined(lines: list[str], joined: bool, tmp_path: Path) -> None:
    _, after = fixed(lines, tmp_path)
    assert (after is not None) is joined
    if len(lines) > 2:
        assert after is not None
        assert after.endswith(f"    {lines[0]}\n    {lines[1]}, {lines[2]}\n")
