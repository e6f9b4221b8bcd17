"""Analyses that play: what a variant has brought is tried in random games."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.examination.findings import Suspect
from rulewright.examination.played.exceeded_limit import exceeded_limits
from rulewright.examination.played.winning_answer import winning_answers
from rulewright.play.game import Game

PLAYED: tuple[Callable[[Game, frozenset[str]], Iterable[Suspect]], ...] = (exceeded_limits, winning_answers)
"""All of them; each is given a game and the names of the rules that it has brought."""

__all__ = ["PLAYED"]
