"""Examination of rules that can be played, but say something else than was meant: of a whole game, or of a variant
beside the game that it changes.

examine ──► examined program ──► analyses     one function each, by subject: what the program alone tells
   │               ├───────────► changes      of a variant: what its program tells beside that of its base
   │               ├───────────► notable      and what is worth knowing of it
   │               └───────────► places       the lines to which it belongs
   ├──► side by side, unguarded clauses      games of both, and scenarios of what is changed a little once more
   └──► findings                              of a variant only those that its base does not have as well
"""

from __future__ import annotations

from rulewright.examination.examine import Examination, examine
from rulewright.examination.findings import LEVELS, Finding, Level

__all__ = ["LEVELS", "Examination", "Finding", "Level", "examine"]
