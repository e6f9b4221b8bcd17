"""Contests in the large games, and the curve of each game: who meets whom, and what is wanted of it."""

from __future__ import annotations

from contests import Contest, Score

SIMULATIONS = (10, 30, 100, 300, 1_000, 3_000)
"""Those of a curve; each plays against a hundred."""
AGENTS = {"carolus-magnus": "mcts:100", "baron": "mcts:80:points/10", "domaine": "mcts:200", "loewenherz": "mcts:200",
          "kings-and-things": "mcts:100:earnings/60"}  # fmt: skip
"""For each large game an agent that takes far less than a second for a decision, so that many games can be played."""
GREEDY = {"carolus-magnus": "greedy:families_led", "domaine": "lead:final_score", "baron": "greedy:points",
          "loewenherz": "greedy:final_score", "kings-and-things": "greedy:earnings"}  # fmt: skip
"""The strongest player who looks one answer ahead, for each of them."""
MOST_IN_CURVE = {"tic-tac-toe": 3_000, "connect-four": 3_000, "breakthrough": 1_000, "carolus-magnus": 1_000}
"""The most simulations of a curve where a search is fast; elsewhere it ends with `AFFORDABLE`."""
AFFORDABLE = 300
TWICE, WELL, NEARLY_ALWAYS = 2, 0.70, 0.95


def against_random(quick: bool) -> list[Contest]:
    """Two players, the other one plays at random."""
    return [Contest(game, 2, word, "random", 8 if quick else 40, NEARLY_ALWAYS) for game, word in AGENTS.items()]


def against_greedy(quick: bool) -> list[Contest]:
    """Two players, the other one looks one answer ahead."""
    return [Contest(game, 2, word, GREEDY[game], 8 if quick else 40, WELL) for game, word in AGENTS.items()]


def among_random(quick: bool) -> list[Contest]:
    """Three and four players, of whom one searches."""
    return [
        Contest(game, players, word, "random", 4 * players if quick else 24, TWICE / players)
        for players in (3, 4)
        for game, word in AGENTS.items()
    ]


def curve(name: str, quick: bool) -> list[Contest]:
    """The contests of a curve; that of a hundred against a hundred is no contest."""
    most = min(MOST_IN_CURVE.get(name, AFFORDABLE), AFFORDABLE if quick else SIMULATIONS[-1])
    games = (8 if quick else 20) if name in AGENTS else (20 if quick else 100)
    return [
        Contest(name, 2, f"mcts:{number}", "mcts:100", games)
        for number in SIMULATIONS
        if number <= most and number != 100
    ]


def curves(quick: bool) -> dict[str, list[Contest]]:
    """The contests of all curves."""
    return {name: curve(name, quick) for name in ("tic-tac-toe", "connect-four", "breakthrough", *AGENTS)}


def points(scores: list[Score]) -> list[tuple[int, float, float, float]]:
    """The points of a curve: simulations, share, and both ends of its interval, with a hundred in the middle."""
    found = [(int(one.contest.agent.split(":")[1]), one.share, *one.ends) for one in scores if one.games]
    return sorted([*found, (100, 0.5, 0.5, 0.5)])
