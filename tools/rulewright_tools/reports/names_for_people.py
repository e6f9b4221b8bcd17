"""Names of measures, agents, rules and arms as people say them: ``wins(seat 1)`` is "the first player wins"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.question_words import question_words

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PLAIN: Mapping[str, str] = {
    "first_seat_advantage": "advantage of the first player",
    "ties": "games without a single winner",
    "payoff_spread": "how far the results of the players lie apart",
    "decisions": "decisions a game",
    "moves": "turns a game",
    "options": "possible answers at a decision",
    "forced": "decisions with only one possible answer",
    "unfinished": "games that did not end",
    "failed": "games that ended in an error",
    "luck": "share of luck",
    "turns": "times that another player is to move",
    "dead_turns": "turns without a choice",
}
_DRAMA: Mapping[str, str] = {
    "lead_changes": "changes of the lead{0}",
    "behind": "part of the game in which the later winner is behind{0}",
    "comeback": "how far the later winner was behind{0}",
    "decided_at": "part of the game after which the winner stays ahead{0}",
}
_SEAT = re.compile(r"seat (\d+)")


def ordinal(number: int) -> str:
    """``first`` of 1."""
    return ORDINALS[number - 1] if number <= len(ORDINALS) else f"{number}th"


class PeopleNames:
    """The names of one game, with the words of its manifest."""

    def __init__(self, game: rw.Game) -> None:
        self.game = game

    @cached_property
    def _names(self) -> rw.display_names.DisplayNames:
        return rw.display_names.DisplayNames(self.game.ruleset.manifest)

    def word(self, name: str) -> str:
        """A name of the rules: ``final_score`` is "final score"."""
        return self._names.name(name).replace("_", " ")

    def key(self, key: str) -> str:
        """A key of a piece, place or option."""
        return self._names.text(key).replace("_", " ")

    def rule(self, name: str) -> str:
        """A rule, or a part of one: ``turn.place_knights`` is "turn: place knights"."""
        return ": ".join(map(self.word, name.split(".")))

    def seat(self, number: int) -> str:
        """A seat by its number, from 0: "the first player (black)", unless its key adds nothing."""
        name = self.key(self.game.seats[number])
        own = "" if re.fullmatch(rf"(player )?({number + 1}|{ordinal(number + 1)})", name) else f" ({name})"
        return f"the {ordinal(number + 1)} player{own}"

    def question(self, name: str) -> str:
        """A question: the sentence of the manifest, or the rule that puts it and what is chosen."""
        what = question_words(self.game, self._names, name)
        return (self._names.question(name, "a player") or f"{self.rule(name.rpartition('.')[0])}: {what}").replace(
            "_", " "
        )

    def measure(self, measure: str) -> str:
        """A measure of an experiment."""
        name, _, about = measure.partition("(")
        about = about.removesuffix(")")
        seat = _SEAT.fullmatch(about)
        who = f"the {ordinal(int(seat[1]))} player" if seat else f"who {agent_name(about, self)}" if about else ""
        if name == "wins":
            return f"{who} wins"
        if name == "payoff":
            return f"what the game is worth to {who}"
        if name in ("uses", "used"):
            return f"{'uses' if name == 'uses' else 'games with a use'} of “{self.rule(about)}”"
        if name in _DRAMA:
            return _DRAMA[name].format("" if ":" in about else f" in {self.word(about)}")
        if name == "skill":
            return "how far better players are ahead"
        return _PLAIN.get(measure) or (f"{self.word(name)} of {who}" if who else self.word(measure))


def agent_name(word: str, names: PeopleNames) -> str:
    """An agent as it plays: ``mcts:20`` "tries 20 continuations before each answer"."""
    kind, _, rest = word.partition(":")
    if kind == "random":
        return "answers by lot"
    if kind in ("greedy", "lead") and rest:
        what = names.word(rest.partition(":")[0])
        return f"looks one answer ahead at {'the lead in ' if kind == 'lead' else ''}{what}"
    if kind in ("mcts", "flat") and (effort := rest.partition(":")[0]):
        tries = plural(int(effort), "continuation") if effort.isdigit() else f"continuations for {effort}"
        return f"tries {tries} before each answer"
    return f"plays as {word.replace('_', ' ')}"


def arm_name(arm: lab.experiments.Arm) -> str:
    """An arm in words: ``:hill_bonus=3`` is "hill bonus 3", a file the titles of its variants."""
    names, game = PeopleNames(arm.game), arm.game
    options = [f"{names.word(name)} {names.key(str(value))}" for name, value in arm.options.items()]
    return ", ".join((*game.variants, *options)) or f"{game.title} as it is"
