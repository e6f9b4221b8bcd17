"""Games that are checked first and linked when somebody plays them."""

from __future__ import annotations

from pathlib import Path

from rulewright.compiler import sources
from rulewright.compiler.scenarios.compile_cache import compiled
from rulewright.data.ruleset import load_ruleset

CAROLUS = Path(__file__).parents[2] / "rulesets" / "carolus-magnus"


def test_a_game_that_is_linked_later_is_the_same() -> None:
    ruleset = load_ruleset(CAROLUS)
    source = sources(ruleset)
    _, checked, _ = compiled(source, 2, (), {}, linked=False)
    assert checked is not None
    assert not checked.functions
    _, later, _ = compiled(source, 2, (), {})
    _, at_once, _ = compiled(sources(ruleset), 2, (), {})
    assert later == at_once
