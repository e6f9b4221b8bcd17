"""Profiles of the shipped games for reports: ``python -m rulewright_tools.library_profiles`` writes them anew."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.progress import Working
from rulewright_tools.reports.game_report.gathering import gather
from rulewright_tools.reports.game_report.nearest import PROFILES, library, profile
from rulewright_tools.reports.game_report.plan import Clock, planned, standing_of

SEED, GAMES = 2_000, 40
"""The first seed, and games of each game that is measured."""


def main(names: list[str]) -> None:
    """Measure the games of these names, or all that are shipped; the profiles of the others stay."""
    found, clock = library(), Clock(None)
    for path in rw.shipped_rulesets():
        if names and path.name not in names:
            continue
        game = rw.load(path.name)
        standing = standing_of(game, SEED, clock)
        plan = replace(planned(game, SEED, standing, clock, games=GAMES), kept=1)
        arm = lab.experiments.Arm(game.title, game, plan.seats)
        gathered = gather((arm,), plan, SEED, standing, 1, Working(), clock)
        found[game.name] = {"title": game.title, "measures": profile(gathered)}
        PROFILES.write_text(json.dumps(dict(sorted(found.items())), indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
