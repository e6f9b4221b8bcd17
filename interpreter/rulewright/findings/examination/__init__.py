"""Examination of rules that can be played, but say something else than was meant: of a whole game, or of a variant
beside the game that it changes.

examine ──► program             one function each, by subject: what the program tells, alone or beside that of its base
   ├──────► games               games of both
   ├──────► remarks             what the checker warns of
   └──────► suspects, places    the lines to which it belongs; of a variant only what its base does not have as well
"""

from __future__ import annotations

from rulewright.findings.examination.examine import Examination, examine
from rulewright.findings.games.first_games import FirstGames
from rulewright.findings.games.playing_budget import MOST
from rulewright.findings.suspects import LEVELS, Finding, Level

__all__ = ["LEVELS", "MOST", "Examination", "Finding", "FirstGames", "Level", "examine"]
