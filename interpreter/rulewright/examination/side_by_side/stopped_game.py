"""EXM202: games that end in an error of the rules, or do not end, since the change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.diagnostics import RulesetError
from rulewright.examination.findings import Suspect
from rulewright.examination.side_by_side.pair import MOST, Pair
from rulewright.ir import model as m
from rulewright.play.game import Game

LONGER = 8
"""A game that takes so many times as many decisions as any of the base does not end."""


def stopped_games(pairs: Sequence[Pair]) -> Iterator[Suspect]:
    """The base plays all its games to their ends, and of the changed game the rules stop in some."""
    told = set[str]()
    for pair in pairs:
        longest = _longest(pair)
        if longest is None:
            continue
        endless, games = 0, 0
        for seed in pair.budget.seeds():
            games += 1
            try:
                played = pair.game.playout(seed, most=LONGER * longest)
                endless += not played.finished
            except RulesetError as error:
                found = error.diagnostics[0]
                if found.message not in told:
                    told.add(found.message)
                    yield _stopped(pair, seed, error)
                break
        if games >= 20 and endless == games and "endless" not in told:
            told.add("endless")
            yield Suspect(
                "EXM203",
                "",
                "endless",
                f"no game ends since this change: of {games} random games with {pair.game.players} players none "
                f"was over after {LONGER * longest} decisions; in the base none took more than {longest}",
                "look for an end that cannot be reached any more, or for something that never runs out",
            )


def _longest(pair: Pair) -> int | None:
    """The most decisions of a game of the base; None if one ends in an error or not at all."""
    longest = 0
    try:
        for seed in pair.budget.seeds():
            played = pair.base.playout(seed, most=MOST)
            if not played.finished:
                return None
            longest = max(longest, played.decisions)
    except RulesetError:
        return None
    return longest or None


def _stopped(pair: Pair, seed: int, error: RulesetError) -> Suspect:
    found = error.diagnostics[0]
    story, question = _story(pair.game, seed)
    refusing = _refusing(pair, found.message)
    if refusing is not None:
        function, label = refusing
        return Suspect(
            "EXM202",
            function,
            label,
            f"`{label}` refuses all answers, and the rules stop: {found.message}; first in the random game of seed "
            f"{seed} with {pair.game.players} players",
            "in the base no game stops; refuse less, or say with `else` what is done then",
            rule=label,
            story=story,
        )
    where = f", after `{question}` was answered" if question else ""
    return Suspect(
        "EXM202",
        _failing(pair.game, found.message),
        found.code,
        f"the rules stop in games since this change: {found.message}; first in the random game of seed {seed} with "
        f"{pair.game.players} players{where}",
        "in the base no game stops; its line stands here, and what the change does before it is the cause",
        span=found.span,
        story=story,
    )


def _refusing(pair: Pair, message: str) -> tuple[str, str] | None:
    """The only restriction that the change has brought to the question to which there is no answer, if it is so."""
    named = re.search(r"nothing can be chosen here \(in `([^`]+)`", message)
    if named is None:
        return None
    function, _, label = named[1].partition(".")
    found = [
        restriction.label
        for f in pair.game.program.functions
        for i in f.code
        if f.name == function and isinstance(i, m.Choose) and i.label == label
        for restriction in i.restrictions
        if restriction.label in pair.brought
    ]
    return (function, found[0]) if len(found) == 1 else None


def _failing(game: Game, message: str) -> str:
    """The function or query that an error of the rules names last: there the rules have stopped."""
    program = game.program
    known = {f.name for f in program.functions} | {q.name for q in program.queries}
    named = (name.partition(".")[0] for name in reversed(re.findall("`([^`]+)`", message)))
    return next((name for name in named if name in known), "")


def _story(game: Game, seed: int) -> tuple[tuple[str, ...], str]:
    """The last answers before a game stops, and the last question."""
    from rulewright.engine.random_source import RandomAnswers

    pick, told, question = RandomAnswers(seed), list[str](), ""
    try:
        state = game.start(seed)
        while (decision := state.decision) is not None:
            option = decision.options[pick(len(decision.options))]
            question = decision.name
            told.append(f"{decision.who} answers {question} with {option.key}")
            state = state.choose(option)
    except RulesetError:
        pass
    return tuple(told[-LAST:]), question


LAST = 6
"""Answers that are told."""

__all__ = ["stopped_games"]
