"""Narration: what has happened in a game, in lines that a player can follow, for every game.

narrator = Narrator(game, state, viewer)        # viewer: a seat by number, PUBLIC, or None for all that there is
state = state.choose(option)
for line in narrator.look(state):
    print(line.text)

story(game, state, viewer)                      # the whole game so far

Lines are made of two views of the same reader, of the entries of the log that this reader may know, and of what the
manifest lets everybody see beside the board. So they contain nothing that the reader may not know.
"""

from __future__ import annotations

from rulewright.play.narration.log_lines import Line
from rulewright.play.narration.narrator import Narrator, actions, ended, reached, story

__all__ = ["Line", "Narrator", "actions", "ended", "reached", "story"]
