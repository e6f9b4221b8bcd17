"""Tournaments of agents: who meets whom on which seats, the games, and ratings of what has come of them."""

from rulewright.tournaments.matches import Match, Tournament, played_round, points
from rulewright.tournaments.ratings import PRIOR, Standing, rated, standings
from rulewright.tournaments.records import Records
from rulewright.tournaments.schedule import lineups

__all__ = [
    "PRIOR",
    "Match",
    "Records",
    "Standing",
    "Tournament",
    "lineups",
    "played_round",
    "points",
    "rated",
    "standings",
]
