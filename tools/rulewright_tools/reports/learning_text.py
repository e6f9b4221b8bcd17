"""The report of what was learnt, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import plural

SHOWN = 12
"""So many weights are shown, the largest first."""


def report(
    game: rw.Game, learning: lab.learning.Learning, rounds: list[lab.learning.Fitted], unfinished: int, file: str
) -> dict[str, object]:
    """The report as plain data."""
    last = rounds[-1]
    return {
        "ruleset": game.name,
        "title": game.title,
        "players": game.players,
        "variants": list(game.variants),
        "options": dict(game.parameters),
        "seed": learning.seed,
        "agents": list(learning.agents),
        "games": last.games,
        "unfinished": unfinished,
        "positions": last.positions,
        "kind": last.evaluation.kind,
        "file": file,
        "rounds": [
            {
                "games": one.games,
                "held_out": one.quality.positions,
                "r2": round(one.quality.r2, 4),
                "log_loss": _rounded(one.quality.log_loss),
                "base_log_loss": _rounded(one.quality.base),
                "auc": _rounded(one.quality.auc),
            }
            for one in rounds
        ],
        "weights": [{"feature": one.feature, "weight": one.weight} for one in _largest(last) if one.weight],
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def report_lines(game: rw.Game, rounds: list[lab.learning.Fitted], unfinished: int, file: str) -> Iterator[str]:
    """The report as lines."""
    last = rounds[-1]
    left = f", {unfinished} not over in time and left" if unfinished else ""
    games = f"{plural(last.games, 'game')}, {last.positions} positions{left}"
    yield f"{game.title}, {plural(game.players, 'player')}: {games}"
    for number, one in enumerate(rounds, 1):
        yield (f"round {number}: " if len(rounds) > 1 else "") + _quality(one.quality)
    shown = [one for one in _largest(last) if one.weight][:SHOWN]
    width = max((len(one.feature) for one in shown), default=0)
    for weight in shown:
        yield f"  {weight.feature:{width}}  {weight.weight:+.3f}"
    more = sum(one.weight != 0 for one in last.evaluation.weights) - len(shown)
    if more > 0:
        yield f"  and {more} more"
    yield f"to be used as an agent: learnt:{file}, mcts:200:learnt:{file}"


def _quality(quality: lab.learning.Quality) -> str:
    """The quality on games that were held out, in a line."""
    parts = [f"R² {quality.r2:.3f}"]
    if quality.log_loss is not None and quality.base is not None:
        parts.append(f"log loss {quality.log_loss:.3f} (base rate: {quality.base:.3f})")
    if quality.auc is not None:
        parts.append(f"AUC {quality.auc:.2f}")
    return "held out: " + ", ".join(parts)


def _largest(fitted: lab.learning.Fitted) -> list[lab.learning.Weight]:
    return sorted(fitted.evaluation.weights, key=lambda one: (-abs(one.weight), one.feature))
