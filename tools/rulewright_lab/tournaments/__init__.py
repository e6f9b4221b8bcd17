"""Tournaments of agents: who meets whom on which seats, the games, and ratings of what has come of them."""

from rulewright_lab.tournaments.matches import Match, Tournament, lineups, played_round, points
from rulewright_lab.tournaments.ratings import PRIOR, Standing, rated, standings
from rulewright_lab.tournaments.records import Records
