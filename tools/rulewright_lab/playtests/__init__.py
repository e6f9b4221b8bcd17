"""Playtests: games that people have played at tables of the studio, read beside those of agents."""

from rulewright_lab.playtests.agreement import Agreement, agreement
from rulewright_lab.playtests.kept_games import KeptGame, LeftOut, PeopleGame, Position, games_of
from rulewright_lab.playtests.study import CHOICES, FEEDBACK, Study

__all__ = [
    "CHOICES",
    "FEEDBACK",
    "Agreement",
    "KeptGame",
    "LeftOut",
    "PeopleGame",
    "Position",
    "Study",
    "agreement",
    "games_of",
]
