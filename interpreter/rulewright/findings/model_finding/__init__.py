"""Positions in which a condition holds, laid by an SMT solver: for rules that games do not come to.

laid positions ──► nearest position ──► translation ──► unknown cells ──► symbolic values
   a scenario         what is sought       formulas         cells that may hold something else

It is the search for a model of a formula, as Alloy does it for specifications (D. Jackson, *Software Abstractions*,
2006), beside a position that was played: what the formula does not speak of stays as it is. The solver is z3 (L. de
Moura, N. Bjørner, *Z3: an efficient SMT solver*, TACAS 2008), the extra ``positions``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright.findings.model_finding.laid import Laid, Unsolved

if TYPE_CHECKING:
    from rulewright.findings.model_finding.laid_positions import PositionSearch
    from rulewright.play.game import Game


def position_search(game: Game) -> PositionSearch | None:
    """Lays positions of a game; None if no solver is installed."""
    try:
        from rulewright.findings.model_finding.laid_positions import PositionSearch
    except ModuleNotFoundError as error:
        if error.name != "z3":
            raise
        return None
    return PositionSearch(game)


__all__ = ["Laid", "Unsolved", "position_search"]
