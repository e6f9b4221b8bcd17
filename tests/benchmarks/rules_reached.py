"""Rules that random games do not use: which of them games of agents use, and which ``fuzz --reach`` leads games to."""

from __future__ import annotations

from collections.abc import Iterator

import rulewright as rw
import rulewright_lab as lab

TARGETS = {
    "domaine": ("king", "perform.expansion", "perform.deserter", "perform.alliance"),
    "kings-and-things": (
        "golem", "raise_talisman", "dust", "lucky_charm", "firewall", "pass_weapon", "balloon", "fan_balloon",
        "fan_dust", "fan_cloud.away", "fan_cloud.beside", "elixir_for_plague", "elixir_for_pox",
    ),
}  # fmt: skip
"""Closed domains (without one nothing is expanded) and what they are for; what magic items do."""
SEATS = {"domaine": ("greedy:final_score", "mcts:20"), "kings-and-things": ("greedy:earnings",)}
RANDOM, AGENTS, FLIGHTS = 200, 3, 150
"""Random games, games of each kind of agent, and flights."""


def rules(quick: bool) -> Iterator[tuple[str, str, str]]:
    """For each way of playing the rules that its games use, of those that are to be used."""
    part = 5 if quick else 1
    for name, targets in TARGETS.items():
        game = rw.load(name, 2, engine="native")
        for words, games in (("random", RANDOM), *((words, AGENTS) for words in SEATS[name])):
            fired, agents = game.new_fired(), [] if words == "random" else [lab.agent(game, words)]
            games = max(1, games // part)
            for seed in range(games):
                game.playout(seed, fired=fired, policies=agents)
            used = {rule for rule, times in zip(game.rule_names, fired, strict=True) if times}
            yield f"{name}, {games} games of {words}: rules used", "all", told(targets, used)
        asked = rw.fuzzing.FuzzOptions(players=2, games=FLIGHTS // part)
        found = rw.fuzzing.fuzz_at(name, targets, asked)
        reached = {one.target.name for one in found.reached}
        yield f"{name}, --aim, {found.flights} flights: rules used", "all", told(targets, reached)


def told(targets: tuple[str, ...], used: set[str]) -> str:
    """The number of those that are used, and the others."""
    missed = [rule for rule in targets if rule not in used]
    return f"{len(targets) - len(missed)} of {len(targets)}" + (f"; not {', '.join(missed)}" if missed else "")
