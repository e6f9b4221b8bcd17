"""Words for questions of games whose manifest has no sentence for them."""

from __future__ import annotations

import rulewright as rw

LISTED = 5
"""Alternatives that are listed; of more there is only the name of the question."""


def question_words(game: rw.Game, names: rw.display_names.DisplayNames, name: str) -> str:
    """The words for what is chosen in a question: its alternatives, ``roll or hold``, if it is one of few actions, else
    its name in the rules."""
    actions = [names.text(key) for key in rw.narration.actions(game, name)]
    if 1 < len(actions) <= LISTED:
        return names.phrase("{first} or {last}", first=", ".join(actions[:-1]), last=actions[-1])
    return names.text(name.rpartition(".")[2])
