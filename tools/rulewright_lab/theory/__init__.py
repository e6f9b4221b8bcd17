"""The kind of game that rules make, in the terms of game theory, and what it is worth to those who play it well."""

from __future__ import annotations

from rulewright_lab.theory.equilibrium import Equilibrium, MixedStrategy, RegretMethod, equilibrium
from rulewright_lab.theory.game_theory import GameTheory, Known, decides_at_once, decides_only_at_once, game_theory
from rulewright_lab.theory.node_budget import NodeBudget
from rulewright_lab.theory.solution import Bounds, RatedOption, Solution, Step, payoff_text
from rulewright_lab.theory.solving import solve
