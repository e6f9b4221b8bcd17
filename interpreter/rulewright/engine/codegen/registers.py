"""Registers of the machine that runs generated code, and the reasons why it stops."""

from __future__ import annotations

from rulewright.engine.codegen.memoization import REGISTER as MEMORY
from rulewright.engine.meter import METER

ASK, DRAW, OVER, RETURNED, DECIDED = -1, -2, -3, -4, -5
"""Reasons why the machine stops: a question, chance, the end of the game, the first function has returned, or (if only
one of those who decide at once has their turn) it is over."""

BASE, RESULT, _, LEGAL, EXTRAS, WHO, FIRED, SHOWN, WATCH = range(9)
"""The registers, before that of the memory; for the budget and the meter see `budgets`."""

SHARED = MEMORY + 1
"""The register in which a function hands its parameters back."""

TOLD = METER + 1
"""The register for what the rules tell, if somebody listens."""

ALONE = TOLD + 1
"""The register that is true if only one of those who decide at once has their turn."""

GATHERED = ALONE + 1
"""The register that counts how often several have begun to decide at once."""

DONE = GATHERED + 1
"""The register for what is done because of an answer that not all have heard, if there is one."""
