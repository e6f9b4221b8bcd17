"""The kind of game that rules make, in the terms of game theory, and what it is worth to those who play it well."""

from __future__ import annotations

from rulewright.theory.game_theory import GameTheory, Known, game_theory

__all__ = ["GameTheory", "Known", "game_theory"]
