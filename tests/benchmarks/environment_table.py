"""The table of docs/research.md: what kind of environment each shipped ruleset is, and how fast.

    python tests/benchmarks/environment_table.py [RULESET …]

Steps a second are of Gymnasium's vector environment with observations and masks, in processor time of one core.
"""

from __future__ import annotations

import sys

from bench_environments import measured

import rulewright as rw
import rulewright_lab as lab
from rulewright.compiler import player_counts, sources
from rulewright_lab.adapters.gymnasium import VectorEnv

HEAD = ("ruleset", "players", "actions", "observation", "chance", "hidden", "at once", "longest game", "steps a second")
SHIPPED = (
    "tic-tac-toe", "connect-four", "breakthrough", "kuhn-poker", "leduc-poker", "liars-dice", "goofspiel", "hex",
    "othello", "pig", "carolus-magnus", "domaine", "loewenherz", "baron", "kings-and-things",
)  # fmt: skip


def kind(name: str) -> tuple[str, ...]:
    """All cells of a ruleset but the last, with its least number of players.

    The longest game is the number of decisions: that of all positions, with ``≤`` a bound that follows from the rules,
    ``∞`` where an example goes on for ever, or else with ``≥`` the longest of thirty games at random.
    """
    counts = player_counts(sources(rw.open_ruleset(name)).rules)
    game = rw.load(name)
    theory = lab.game_theory(game, games=30)
    longest = "∞" if theory.longest.by == "an example" else f"{theory.longest.value:,}"
    return (
        name,
        f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else f"{counts[0]}",
        f"{lab.actions(game).count:,}",
        f"{lab.observations(game).size:,}",
        "yes" if theory.chance else "no",
        "no" if theory.perfect_information else "yes",
        "yes" if theory.simultaneous else "no",
        {"games at random": "≥ ", "rules": "≤ "}.get(theory.longest.by, "") + longest,
    )


def speed(name: str) -> str:
    """Steps a second with two significant digits."""
    envs = VectorEnv(name, 1024)
    if not envs.native:
        envs = VectorEnv(name, 4)
    steps = measured(envs, 100 if envs.native else 25)
    digits = 10 ** max(0, len(str(int(steps))) - 2)
    return f"{round(steps / digits) * digits:,}"


def main() -> None:
    """Print the table."""
    print("| " + " | ".join(HEAD) + " |\n|---|" + "--:|" * (len(HEAD) - 1), flush=True)
    for name in sys.argv[1:] or SHIPPED:
        print("| " + " | ".join((*kind(name), speed(name))) + " |", flush=True)


if __name__ == "__main__":
    main()
